"""Cases of ids: the source, and the fields of its preimage spelled out."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, identify, joined
from contract_vectors.samples import Document, full_source, source, without

ASK = "Ask before you deploy."


def theme() -> Theme:
    """Return the cases of `ids.json`."""
    description = "Ids: what is hashed, in hex, and the id that comes of it."
    return Theme("ids", description, joined(_plain(), _optional(), _text(), _shifts(), _spelling()))


def _bare(**changes: object) -> Document:
    return without(source(**changes), "id")


def _plain() -> Iterator[Case]:
    yield identify(
        "id-required-only",
        _bare(),
        ("local", "Handbook", "", "", "", ASK),
        "An absent field is the empty string.",
    )
    yield identify(
        "id-worked-example",
        _bare(page=3),
        ("local", "Handbook", "", "", "3", ASK),
        "The example that contracts/README.md works out.",
    )
    yield identify(
        "id-all-fields",
        without(full_source(), "id"),
        (
            "lightrag",
            "\u6307\u5357.md",
            "\u00dcn\u00efcode & Co.",
            "https://example.com/a?b=c#d",
            "12",
            "\u7b2c\u4e00\u884c\n\u7b2c\u4e8c\u884c \U0001f600",
        ),
        "Every field, with text of several scripts.",
    )
    yield identify(
        "id-member-ignored",
        source(id="f" * 32),
        ("local", "Handbook", "", "", "", ASK),
        "The id that a source claims is not hashed.",
    )
    yield identify(
        "id-provider-differs",
        _bare(provider="lightrag"),
        ("lightrag", "Handbook", "", "", "", ASK),
        "The provider's name is part of the evidence.",
    )


def _optional() -> Iterator[Case]:
    dataset, url, page = "Policies", "https://example.com/h", 7
    for name, changes, fields in (
        ("dataset", {"dataset_name": dataset}, (dataset, "", "")),
        ("url", {"url": url}, ("", url, "")),
        ("page", {"page": page}, ("", "", "7")),
        ("dataset-url", {"dataset_name": dataset, "url": url}, (dataset, url, "")),
        ("dataset-page", {"dataset_name": dataset, "page": page}, (dataset, "", "7")),
        ("url-page", {"url": url, "page": page}, ("", url, "7")),
        (
            "dataset-url-page",
            {"dataset_name": dataset, "url": url, "page": page},
            (dataset, url, "7"),
        ),
    ):
        note = "Each combination of the optional fields has its own preimage."
        yield identify(
            f"id-with-{name}", _bare(**changes), ("local", "Handbook", *fields, ASK), note
        )


def _text() -> Iterator[Case]:
    for name, title, excerpt, note in (
        ("astral", "\U0001f600", "\U00020000 \U0010ffff", "Astral characters take four bytes."),
        ("nfc", "caf\u00e9", "\u00e9", "Composed text is hashed as it is."),
        ("nfd", "cafe\u0301", "e\u0301", "Decomposed text is other evidence than composed text."),
        ("line-separators", "Handbook", "a\u2028b\u2029c", "Line separators are not escaped."),
        ("quotes-backslashes", 'a"b\\c', '"\\"\\n\\u0041</script>', "Nothing is escaped."),
        ("line-ends", "Handbook", "a\r\nb\rc\td\n", "Line ends are hashed as they are."),
        ("controls", "Handbook", "\x01\x1b\x7f\x80\x9f", "Controls are hashed as they are."),
        ("blanks-around", " Handbook\u00a0", "\n\ufeff a \u3000", "Nothing is trimmed."),
        (
            "right-to-left",
            "\u05e9\u05dc\u05d5\u05dd",
            "\u0645\u0631\u062d\u0628\u0627",
            "Logical order.",
        ),
        ("noncharacters", "\ufdd0", "\uffff\U0001ffff", "Noncharacters are text."),
    ):
        yield identify(
            f"id-text-{name}",
            _bare(title=title, excerpt=excerpt),
            ("local", title, "", "", "", excerpt),
            note,
        )
    yield identify(
        "id-text-longest-title",
        _bare(title="\U0001f600" * 512),
        ("local", "\U0001f600" * 512, "", "", "", ASK),
        "A title of the greatest length.",
    )


def _shifts() -> Iterator[Case]:
    note = "Moving text from one field to the next gives another id."
    for name, document, fields in (
        (
            "title-dataset-1",
            _bare(title="ab", dataset_name="c"),
            ("local", "ab", "c", "", "", ASK),
        ),
        (
            "title-dataset-2",
            _bare(title="a", dataset_name="bc"),
            ("local", "a", "bc", "", "", ASK),
        ),
        ("provider-title-1", _bare(provider="a", title="bc"), ("a", "bc", "", "", "", ASK)),
        ("provider-title-2", _bare(provider="ab", title="c"), ("ab", "c", "", "", "", ASK)),
        ("page-excerpt-1", _bare(page=1, excerpt="23"), ("local", "Handbook", "", "", "1", "23")),
        ("page-excerpt-2", _bare(page=12, excerpt="3"), ("local", "Handbook", "", "", "12", "3")),
        (
            "dataset-url-1",
            _bare(dataset_name="https://example.com/"),
            ("local", "Handbook", "https://example.com/", "", "", ASK),
        ),
        (
            "dataset-url-2",
            _bare(url="https://example.com/"),
            ("local", "Handbook", "", "https://example.com/", "", ASK),
        ),
        ("dataset-page-1", _bare(dataset_name="5"), ("local", "Handbook", "5", "", "", ASK)),
        ("dataset-page-2", _bare(page=5), ("local", "Handbook", "", "", "5", ASK)),
    ):
        yield identify(f"id-shift-{name}", document, fields, note)


def _spelling() -> Iterator[Case]:
    start = '{"provider":"local","title":"Handbook","excerpt":"Ask before you deploy.","page":'
    for name, literal, digits in (
        ("1", "1", "1"),
        ("1.0", "1.0", "1"),
        ("1e0", "1e0", "1"),
        ("1e6", "1e6", "1000000"),
        ("1000000.0", "1000000.0", "1000000"),
    ):
        data = f"{start}{literal}}}".encode()
        fields = ("local", "Handbook", "", "", digits, ASK)
        note = "A page is hashed as decimal digits, however JSON spells it."
        yield identify(f"id-page-spelled-{name}", data, fields, note)
    yield identify(
        "id-key-order",
        b'{"page":7,"excerpt":"Ask before you deploy.","url":"https://example.com/h",'
        b'"title":"Handbook","dataset_name":"Policies","provider":"local"}',
        ("local", "Handbook", "Policies", "https://example.com/h", "7", ASK),
        "The order of keys in the document means nothing.",
    )
    yield identify(
        "id-escaped-json",
        rb'{"\u0070rovider":"local","title":"Hand\u0062ook",'
        rb'"excerpt":"\ud83d\ude00 \u00e9 \/ \u2028"}',
        ("local", "Handbook", "", "", "", "\U0001f600 \u00e9 / \u2028"),
        "Escapes of JSON are gone before anything is hashed.",
    )
    yield identify(
        "id-url-kept",
        _bare(url="http://EXAMPLE.com:80/a/../%7Eb?"),
        ("local", "Handbook", "", "http://EXAMPLE.com:80/a/../%7Eb?", "", ASK),
        "A URL is hashed as it stands; nothing resolves or repairs it.",
    )
