# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""The types that keep pydantic as strict as the contract."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field, StrictInt, StrictStr, field_validator

__all__ = [
    "Exactly1",
    "Excerpt",
    "JsonInteger",
    "NativeId",
    "NativeLocator",
    "NativeName",
    "NativeNameRead",
    "NativeText",
    "OneLine",
    "Page",
    "ProviderName",
    "ScopeId",
    "ScopeLabel",
    "SourceId",
    "WebUrl",
    "WireModel",
]


class WireModel(BaseModel):
    """Base of all models: a key that is present has a value."""

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_null(cls, value: Any) -> Any:
        # Runs for members that are present only: an absent one keeps its default.
        if value is None:
            raise ValueError("null is refused; leave an absent field out")
        return value


def _integral(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _refuse_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a boolean is not a number")  # noqa: TRY004 - pydantic wants ValueError
    return value


JsonInteger: TypeAlias = Annotated[StrictInt, BeforeValidator(_integral)]
"""An integer as JSON Schema means it: `1.0` is 1, a boolean is none."""

SourceId: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=32,
        max_length=32,
        pattern=(
            r"^[0-9a-f]{32}$"
        ),
    ),
]
"""The opaque id of one piece of evidence, computed as `x-identity` says.

It proves integrity, never authority: anyone can compute one.
"""

ProviderName: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=64,
        pattern=(
            r"^[a-z0-9][a-z0-9_\-]*$"
        ),
    ),
]
"""The provider's own short name. It is hashed into the id, so renaming a provider changes ids."""

OneLine: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=512,
        pattern=(
            r"^[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]*[^\u0020\u00a0\u1680"
            r"\u2000-\u200a\u202f\u205f\u3000\ufeff\u0000-\u001f\u007f-\u009f\u2028\u2029][^\u0000"
            r"-\u001f\u007f-\u009f\u2028\u2029]*$"
        ),
    ),
]
"""Text for one line of display: no C0, DEL, C1, U+2028 or U+2029, and at least one character
that is not blank.
"""

Excerpt: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=100_000,
        pattern=(
            r"^[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028"
            r"\u2029]*[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085"
            r"\u2028\u2029\u0000][^\u0000]*$"
        ),
    ),
]
"""Retrieved text, exactly as shown to the model: no U+0000, and at least one character that is
not blank.
"""

WebUrl: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=9,
        max_length=2_048,
        pattern=(
            r"^https?://([A-Za-z0-9][A-Za-z0-9\-._~%]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([/?#][A-Z"
            r"a-z0-9\-._~:/?#@!\$&'()*+,;=%]*)?$"
        ),
    ),
]
"""An absolute URL in the ASCII form of RFC 3986: `http` or `https` in lower case, a host, no
user information.
"""

Page: TypeAlias = Annotated[
    JsonInteger,
    Field(
        ge=1,
        le=1_000_000,
    ),
]
"""A page of the document, counted from 1. `1.0` is 1; a boolean is not a number."""

NativeId: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=34,
        max_length=36,
        pattern=(
            r"^[a-f0-9]{32}-[1-9][0-9]{0,2}$"
        ),
    ),
]
"""Random hex digits of one retrieval, then the position among its emitted sources, from 1.

Not derived from content, so it does not recompute.
"""

NativeLocator: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=256,
    ),
]
"""An identifier of RAGFlow's own. Stays in the artifact and is never shown."""

NativeName: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=512,
        pattern=(
            r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028"
            r"\u2029]"
        ),
    ),
]
"""A dataset's or document's name as written today; at least one character is not blank."""

NativeNameRead: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=1_024,
        pattern=(
            r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028"
            r"\u2029]"
        ),
    ),
]
"""A name as older releases stored it; at least one character is not blank."""

NativeText: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=200_000,
        pattern=(
            r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028"
            r"\u2029]"
        ),
    ),
]
"""The excerpt sent to the model; at least one character is not blank."""

ScopeId: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=256,
        pattern=(
            r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028"
            r"\u2029]"
        ),
    ),
]
"""A dataset's or document's identifier at the provider; the server trims it when it admits a
scope.
"""

ScopeLabel: TypeAlias = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=256,
        pattern=(
            r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028"
            r"\u2029]"
        ),
    ),
]
"""A name shown to the person who selects; not trusted, dropped before execution."""

Exactly1: TypeAlias = Annotated[
    Literal[1], BeforeValidator(_refuse_boolean)
]
"""The number 1; a boolean is refused, which a bare literal lets pass."""
