"""Make a provider's hit fit for the contract: normalise, then redact.

In this order, because a secret that a control character splits is only whole once that is gone.
"""

from collections.abc import Callable, Iterable

from knowledge_contract._text import cut_line, normalize_line, normalize_text
from knowledge_contract.redaction import redactor
from knowledge_contract.retrieval import RetrievalHit
from knowledge_wire.constants import ONE_LINE_MAX_LENGTH
from knowledge_wire.validators import is_page, is_web_url

__all__ = ["normalize_hit"]


def normalize_hit(hit: RetrievalHit, *, secrets: Iterable[str] = ()) -> RetrievalHit:
    """Return the hit as the contract can carry it; a second pass changes nothing.

    Text and names are normalised and redacted, names also cut to their bound. A blank name
    becomes None, so that a hit without a real title stays text without a citation. A page out
    of bounds, a URL that does not fit and a URL that holds a secret are left out.

    Args:
        hit: As the provider gave it.
        secrets: What must never be shown, such as the provider's credential.

    Source:
        contracts/README.md, "Producing".
    """
    redact = redactor(secrets)
    return hit._replace(
        text=redact(normalize_text(hit.text)),
        title=_name(hit.title, redact),
        dataset_name=_name(hit.dataset_name, redact),
        url=_url(hit.url, redact),
        page=int(hit.page) if is_page(hit.page) else None,
    )


def _name(name: str | None, redact: Callable[[str], str]) -> str | None:
    if name is None:
        return None
    return cut_line(redact(normalize_line(name)), ONE_LINE_MAX_LENGTH) or None


def _url(url: str | None, redact: Callable[[str], str]) -> str | None:
    return url if is_web_url(url) and redact(url) == url else None
