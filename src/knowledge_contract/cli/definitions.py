"""Names of definitions, as people type them."""

from difflib import get_close_matches

from knowledge_contract.errors import InputError

DEFAULT_DEFINITION = "KnowledgeSourcesEnvelope"


def find_definition(name: str) -> str:
    """Return the contract's own spelling of `name`; case, `_` and `-` do not count.

    Raises:
        InputError: the contract defines no such thing; the message lists what it defines.
    """
    # Start-up: `--help` needs no validators.
    from knowledge_wire.validators import CHECKS  # noqa: PLC0415 - start-up, see above

    spellings = {_folded(known): known for known in CHECKS}
    if found := spellings.get(_folded(name)):
        return found
    # Start-up: a known name needs no schema.
    from knowledge_contract.cli.schema import load_schema  # noqa: PLC0415 - start-up, see above

    listed = f"(known: {', '.join(sorted(CHECKS))})"
    for scalar in load_schema()["$defs"]:
        if _folded(scalar) == _folded(name):
            raise InputError(f"{scalar} is only used by other definitions {listed}")
    close = get_close_matches(_folded(name), spellings, n=1)
    hint = f"; did you mean {spellings[close[0]]}?" if close else ""
    raise InputError(f"unknown definition {name}{hint} {listed}")


def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
