"""No secret survives: in no spelling or mixture of spellings, and wherever a text is cut."""

import json
from random import Random
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from knowledge_contract._text import normalize_line, normalize_text
from knowledge_contract.formatting import format_result
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.redaction import redact, redactor
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult

SHORT = {"'": "\\'", '"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n"}
SHORT |= {"\r": "\\r", "\t": "\\t"}


def spellings(char: str) -> list[str]:
    """Return the spellings of one character, hexadecimal digits in lower case."""
    found = [char, "".join(f"%{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))]
    units = char.encode("utf-16-be", "surrogatepass")
    found.append(
        "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in (*range(0, len(units), 2),))
    )
    found.append("".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass")))
    if char in SHORT:
        found.append(SHORT[char])
    if char == " ":
        found.append("+")
    return found


def survives(text: str, secret: str) -> bool:
    """Tell whether a text holds a secret in any mixture of spellings, place by place."""
    for start in range(len(text)):
        ends = {start}
        for char in secret:
            ends = {
                at + len(spelling)
                for at in ends
                for index, spelling in enumerate(spellings(char))
                if _stands(text[at : at + len(spelling)], spelling, is_raw=index == 0)
            }
        if ends:
            return True
    return False


def _stands(found: str, spelling: str, *, is_raw: bool) -> bool:
    if is_raw or len(spelling) <= 2:
        return found == spelling
    return found.lower() == spelling


def spell(random: Random, secret: str) -> str:
    """Return the secret with every character in a spelling of its own."""
    spelled = []
    for char in secret:
        choice = random.choice(spellings(char))
        if len(choice) > 2:
            kept = choice[:2]
            choice = kept + "".join(random.choice((each, each.upper())) for each in choice[2:])
            choice = choice.replace("\\U", "\\u").replace("\\X", "\\x")
        spelled.append(choice)
    return "".join(spelled)


LETTERS = "ab[]%5\\ux'\"/ \n\t+é\U0001f600█redacted"
SECRETS = st.lists(st.text(LETTERS, min_size=1, max_size=6), min_size=1, max_size=3)


@st.composite
def spelled_texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a text that holds its secrets whole, cut, spelled and next to each other."""
    secrets = draw(SECRETS)
    random = draw(st.randoms(use_true_random=False))
    pieces = []
    for _ in range(draw(st.integers(0, 5))):
        secret = draw(st.sampled_from(secrets))
        spelled = spell(random, secret)
        cut = draw(st.integers(0, len(spelled)))
        whole = (spelled, spelled[:cut], spelled[cut:], spelled[:cut] + secret + spelled[cut:])
        pieces.append(draw(st.one_of(st.sampled_from(whole), st.text(LETTERS, max_size=4))))
    return "".join(pieces), secrets


def assert_nothing_survives(text: str, secrets: list[str]) -> None:
    for secret in secrets:
        if secret.strip():
            assert not survives(text, secret.strip())


@settings(max_examples=300)
@example(("line one\\nline two", ["one\nline"]))
@example(("aaaa", ["aa"]))
@example(("abab", ["ab", "ba"]))
@example(("%61%5b\\u0062", ["a[b"]))
@given(spelled_texts())
def test_nothing_secret_survives_in_any_mixture_of_spellings(case: tuple[str, list[str]]) -> None:
    text, secrets = normalize_text(case[0]), case[1]

    once = redact(text, secrets)

    assert_nothing_survives(once, secrets)
    assert redact(once, secrets) == once


@given(spelled_texts())
def test_text_that_holds_no_secret_stays_as_it_is(case: tuple[str, list[str]]) -> None:
    text, secrets = case
    forms = [
        form
        for secret in secrets
        for form in (secret.strip(), normalize_text(secret), normalize_line(secret))
        if form
    ]
    assume(not any(survives(text, form) for form in forms))

    assert redact(text, secrets) == text


@settings(max_examples=150)
@given(spelled_texts(), st.booleans())
def test_nothing_secret_survives_a_cut_at_any_place(
    case: tuple[str, list[str]],
    is_titled: bool,  # noqa: FBT001 - drawn
) -> None:
    text, secrets = case
    hit = RetrievalHit(text, title="Guide 7" if is_titled else None)
    clean = normalize_hit(hit, secrets=secrets)
    result = RetrievalResult("local", (clean,))

    for excerpt_chars in range(1, len(clean.text) + 2):
        _, artifact = format_result(result, limit_chars=10_000, excerpt_chars=excerpt_chars)
        for record in (artifact or {}).get("knowledge_sources", []):
            assert_nothing_survives(record["excerpt"], secrets)


CREDENTIAL = "s3cr3t/tøken+\U0001f600=="


@pytest.mark.parametrize(
    "spelled",
    [
        CREDENTIAL,
        quote(CREDENTIAL),
        quote(CREDENTIAL, safe="").lower(),
        "".join(f"%{byte:02X}" for byte in CREDENTIAL.encode()),
        json.dumps(CREDENTIAL)[1:-1],
        json.dumps(CREDENTIAL)[1:-1].replace("/", "\\/").replace("00f8", "00F8"),
        "".join(f"\\u{ord(char):04x}" if ord(char) < 0x10000 else char for char in CREDENTIAL),
        f"{quote(CREDENTIAL[:8])}{json.dumps(CREDENTIAL[8:])[1:-1]}",
    ],
    ids=["raw", "URL", "lower hex", "all bytes", "JSON", "slash", "all units", "mixed"],
)
def test_every_usual_spelling_is_found(spelled: str) -> None:
    assert redact(f"key={spelled}&x", [CREDENTIAL]) == "key=[redacted]&x"


def test_space_in_a_form_is_found() -> None:
    assert redact(quote_plus("open sesame now"), ["sesame now"]) == "open+[redacted]"


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"], ids=ascii)
def test_blank_secret_is_ignored(blank: str) -> None:
    assert redact(f"a{blank}b c", [blank]) == f"a{blank}b c"


@pytest.mark.parametrize(
    ("text", "secrets", "expected"),
    [
        ("xabcdy", ["abc", "bcd"], "x[redacted]y"),
        ("xababy", ["ab"], "x[redacted]y"),
        ("xab-cdy", ["ab", "cd"], "x[redacted]-[redacted]y"),
        ("xaaay", ["aa"], "x[redacted]y"),
        ("xabcy", ["abc", "b"], "x[redacted]y"),
        ("abc", ["abc"], "[redacted]"),
        ("ABC", ["abc"], "ABC"),
        ("key k", [" k "], "[redacted]ey [redacted]"),
    ],
    ids=["overlap", "touch", "apart", "itself", "inside", "all", "case", "blanks at its ends"],
)
def test_places_that_overlap_or_touch_become_one_marker(
    text: str, secrets: list[str], expected: str
) -> None:
    assert redact(text, secrets) == expected


@pytest.mark.parametrize("secret", ["a", "redacted", "[", "]", "d]", "[redacted]", "█", "t"])
def test_secret_that_the_marker_holds_does_not_survive_in_it(secret: str) -> None:
    text = f"one {secret} two {secret}{secret}"

    once = redact(text, [secret])

    assert secret not in once
    assert redact(once, [secret]) == once


def test_secret_made_of_all_markers_does_not_form_anew() -> None:
    hostile = "[█▓▒░■▪●"

    assert hostile not in redact(f"{hostile[:4]}{hostile}{hostile[4:]}", [hostile])


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=ascii)
def test_secret_of_several_lines_is_found_in_every_spelling(line_end: str) -> None:
    secret = f"-----BEGIN KEY-----{line_end}c2VjcmV0{line_end}-----END KEY-----"

    for spelled in (secret, json.dumps(secret), quote(secret)):
        hit = RetrievalHit(f"x {spelled} y", title=f"x {spelled} y")
        clean = normalize_hit(hit, secrets=[secret])
        assert "c2VjcmV0" not in clean.text
        assert "c2VjcmV0" not in (clean.title or "")


def test_secret_split_by_a_control_character_is_found() -> None:
    hit = RetrievalHit("key hun\x00ter2", title="hun\x01ter2", dataset_name="hunter\x1f2")

    clean = normalize_hit(hit, secrets=["hunter2"])

    assert clean == RetrievalHit("key [redacted]", title="[redacted]", dataset_name="[redacted]")


def test_secret_that_holds_a_control_character_is_found_where_that_was_removed() -> None:
    assert normalize_hit(RetrievalHit("hunter2"), secrets=["hun\x00ter2"]).text == "[redacted]"


@pytest.mark.parametrize(
    "url",
    ["https://example.com/?key=hunter2", "https://example.com/?key=%68unter2"],
    ids=["raw", "encoded"],
)
def test_url_that_holds_a_secret_is_dropped(url: str) -> None:
    assert normalize_hit(RetrievalHit("Ask.", url=url), secrets=["hunter2"]).url is None


def test_longer_title_is_redacted_before_it_is_cut() -> None:
    title = "a" * 508 + "hunter2"

    clean = normalize_hit(RetrievalHit("Ask.", title=title), secrets=["hunter2"])

    assert clean.title == "a" * 508 + "[red"


def test_one_redactor_serves_many_texts() -> None:
    clean = redactor(iter(["hunter2", "hunter2", ""]))

    assert [clean("hunter2"), clean("x hunter2"), clean("")] == ["[redacted]", "x [redacted]", ""]
