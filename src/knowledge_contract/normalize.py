"""Make a provider's hit fit for the contract: normalise, then redact.

In this order, because a secret that a control character splits is only whole once that is gone.
For the same reason the displayed forms are looked at too: labels leave characters out, and
uncited text loses its handles.
"""

from collections.abc import Callable, Iterable

from knowledge_contract._text import cut_text, normalize_line, normalize_text
from knowledge_contract.citation import make_label, show_uncited
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
        text=_text(hit.text, redact),
        title=_name(hit.title, redact),
        dataset_name=_name(hit.dataset_name, redact),
        url=_url(hit.url, redact),
        page=int(hit.page) if is_page(hit.page) else None,
    )


def _name(name: str | None, redact: Callable[[str], str]) -> str | None:
    if name is None:
        return None
    line = redact(normalize_line(name))
    label = make_label(line)
    if redact(label) != label:
        line = redact(label)
    return cut_text(line, ONE_LINE_MAX_LENGTH) or None


def _text(text: str, redact: Callable[[str], str]) -> str:
    kept = redact(normalize_text(text))
    shown = show_uncited(kept)
    return kept if redact(shown) == shown else redact(shown)


def _url(url: str | None, redact: Callable[[str], str]) -> str | None:
    return url if is_web_url(url) and redact(url) == url else None
