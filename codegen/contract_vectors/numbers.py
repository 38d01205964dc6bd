"""Cases of numbers: versions, pages and counts, in every spelling that JSON allows."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import HEX

ROOT = "KnowledgeSourcesEnvelope"
SOURCE = "KnowledgeSource"

VERSIONS = (
    (ROOT, "/knowledge_sources_version", '{"knowledge_sources_version":@,"knowledge_sources":[]}'),
    (
        "TaskArtifact",
        "/knowledge_sources_version",
        '{"knowledge_sources_version":@,"retrieval_sources":[]}',
    ),
    ("NativeSnapshot", "/version", '{"version":@,"sources":[]}'),
    ("NativeSnapshotRead", "/version", '{"version":@,"sources":[]}'),
    ("ScopeAll", "/version", '{"version":@,"mode":"all"}'),
    ("ScopeDisabled", "/version", '{"version":@,"mode":"disabled"}'),
    ("ScopeSelected", "/version", '{"version":@,"mode":"selected","dataset_ids":["d"]}'),
    ("KnowledgeScope", "/version", '{"version":@,"mode":"all"}'),
)
PAGE = (
    '{"id":"084ed617406f2c6e73dae2dcfc1d69d2","provider":"local","title":"Handbook",'
    '"excerpt":"Ask before you deploy.","page":@}'
)
NATIVE_PAGES = (
    f'{{"id":"{HEX}-1","provider":"ragflow","dataset_id":"d","document_id":"f","chunk_id":"c",'
    '"dataset_name":"n","document_name":"n","text":"t","truncated":false,"pages":[@]}'
)
OLD_PAGES = f'{{"id":"{HEX}-1","provider":"ragflow","document_name":"n","text":"t","pages":[@]}}'
COUNT = '{"version":1,"sources":[],"omitted_count":@}'
HUGE = "1" + "0" * 308
"""An integer of 309 digits, just inside the doubles."""


def theme() -> Theme:
    """Return the cases of `numbers.json`."""
    description = "Numbers: versions, pages and counts; booleans, strings, fractions and spellings."
    cases = joined(_versions(), _version_traps(), _page_good(), _page_bad(), _pages(), _counts())
    return Theme("numbers", description, cases)


def _literal(template: str, literal: str) -> bytes:
    return template.replace("@", literal).encode("ascii")


def _slug(definition: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in definition).lstrip("-")


def _versions() -> Iterator[Case]:
    for definition, pointer, template in VERSIONS:
        slug = f"version-{_slug(definition)}"
        data = _literal(template, "1.0")
        yield accept(f"{slug}-1.0", definition, data, "1.0 is the number 1.")
        for name, literal, note in (
            ("true", "true", "A boolean is not a number, and not equal to one."),
            ("string", '"1"', "Nothing is converted to a number."),
            ("null", "null", "Null is not absence."),
            ("2", "2", "An unknown version is refused."),
        ):
            data = _literal(template, literal)
            yield refuse(f"{slug}-{name}", definition, data, ("const", pointer), note)


def _version_traps() -> Iterator[Case]:
    definition, pointer, template = VERSIONS[0]
    for name, literal in (
        ("1e0", "1e0"),
        ("10e-1", "10e-1"),
        ("0.1e1", "0.1E+1"),
        ("1-rounded", "1.00000000000000000001"),
        ("5000-digits-scaled", "1" + "0" * 5000 + "e-5000"),
    ):
        data = _literal(template, literal)
        note = "A number is the double that its digits stand for."
        yield accept(f"version-spelled-{name}", definition, data, note)
    for name, literal in (
        ("false", "false"),
        ("0", "0"),
        ("minus-1", "-1"),
        ("1.5", "1.5"),
        ("just-above-1", "1.0000000000000002"),
        ("1e308", "1e308"),
        ("309-digits", HUGE),
        ("string-1.0", '"1.0"'),
        ("string-empty", '""'),
        ("list", "[1]"),
        ("empty-list", "[]"),
        ("object", "{}"),
    ):
        data = _literal(template, literal)
        note = "Whatever is not the number 1 breaks the constant, of any type."
        yield refuse(f"version-{name}", definition, data, ("const", pointer), note)


def _page_good() -> Iterator[Case]:
    for name, literal, note in (
        ("1", "1", "The first page."),
        ("1000000", "1000000", "The last page."),
        ("1.0", "1.0", "1.0 is the number 1."),
        ("1e0", "1e0", "An exponent makes no fraction."),
        ("1e6", "1e6", "The last page, with an exponent."),
        ("upper-case-e", "1E+2", "The exponent's letter has no case."),
        ("100e-2", "100e-2", "A negative exponent makes no fraction by itself."),
        ("1000000.0", "1000000.0", "The last page, with a decimal point."),
        ("rounds-to-1", "0.9999999999999999999999", "The digits stand for the double 1."),
        ("rounds-to-last", "1000000.00000000000001", "The digits stand for the double 1000000."),
    ):
        yield accept(f"page-{name}", SOURCE, _literal(PAGE, literal), note)


def _page_bad() -> Iterator[Case]:
    for name, literal, rule, note in (
        ("0", "0", "minimum", "Pages count from 1."),
        ("minus-1", "-1", "minimum", "Pages count from 1."),
        ("minus-0", "-0", "minimum", "Minus zero is zero."),
        ("0.0", "0.0", "minimum", "A double that is integral is an integer."),
        ("minus-0.0", "-0.0", "minimum", "Minus zero is zero."),
        ("underflow", "1e-400", "minimum", "The digits stand for the double 0."),
        ("minus-huge", "-1e308", "minimum", "Large doubles are integral."),
        ("1000001", "1000001", "maximum", "One page too far."),
        ("1000001.0", "1000001.0", "maximum", "One page too far, with a decimal point."),
        ("1e308", "1e308", "maximum", "Large doubles are integral."),
        ("309-digits", HUGE, "maximum", "The longest integers that a double holds."),
        ("2-to-53-plus-1", "9007199254740993", "maximum", "Beyond the safe integers."),
        ("1.5", "1.5", "type", "A fraction is no integer."),
        ("just-below-1", "0.9999999999999999", "type", "The double below 1 is no integer."),
        ("just-above-1", "1.0000000000000002", "type", "The double above 1 is no integer."),
        ("smallest-double", "5e-324", "type", "The smallest double is no integer."),
        ("true", "true", "type", "A boolean is not a number."),
        ("false", "false", "type", "A boolean is not a number."),
        ("string", '"1"', "type", "Nothing is converted to a number."),
        ("string-empty", '""', "type", "Nothing is converted to a number."),
        ("list", "[1]", "type", "Nothing is converted to a number."),
        ("object", "{}", "type", "Nothing is converted to a number."),
    ):
        data = _literal(PAGE, literal)
        yield refuse(f"page-{name}", SOURCE, data, (rule, "/page"), note)


def _pages() -> Iterator[Case]:
    for definition, template in (("NativeSource", NATIVE_PAGES), ("NativeSourceRead", OLD_PAGES)):
        slug = f"{_slug(definition)}-pages"
        for name, literal in (("1.0", "1.0"), ("bounds", "1,1000000"), ("repeated", "2,1,2")):
            note = "Pages are integers in bounds, in any order."
            yield accept(f"{slug}-{name}", definition, _literal(template, literal), note)
        for name, literal, rule in (
            ("0", "0", "minimum"),
            ("1000001", "1000001", "maximum"),
            ("1.5", "1.5", "type"),
            ("true", "true", "type"),
            ("string", '"1"', "type"),
            ("null", "null", "type"),
            ("list", "[1]", "type"),
        ):
            problem = (rule, "/pages/0")
            note = "Each page follows the rule of a shared page."
            yield refuse(f"{slug}-{name}", definition, _literal(template, literal), problem, note)
        problem = ("minimum", "/pages/1")
        note = "The pointer names the page's place."
        data = _literal(template, "1,0,true")
        yield refuse(f"{slug}-second-bad", definition, data, problem, note)


def _counts() -> Iterator[Case]:
    for definition in ("NativeSnapshot", "NativeSnapshotRead"):
        slug = f"{_slug(definition)}-omitted"
        for name, literal in (
            ("0", "0"),
            ("0.0", "0.0"),
            ("minus-0", "-0"),
            ("1.0", "1.0"),
            ("1000000", "1000000"),
        ):
            note = "A count starts at zero."
            yield accept(f"{slug}-{name}", definition, _literal(COUNT, literal), note)
        for name, literal, rule in (
            ("minus-1", "-1", "minimum"),
            ("1000001", "1000001", "maximum"),
            ("0.5", "0.5", "type"),
            ("true", "true", "type"),
            ("false", "false", "type"),
            ("string", '"1"', "type"),
            ("null", "null", "type"),
        ):
            problem = (rule, "/omitted_count")
            note = "A count is an integer in bounds, and null is not absence."
            yield refuse(f"{slug}-{name}", definition, _literal(COUNT, literal), problem, note)
