"""Kinds of providers that a configuration can name without a plugin.

A kind is a record of settings and a function. The record is a dataclass; each of its fields is a
key of the entry, but `api_key`, which is read from the environment: the entry's `api_key_env`
names the variable. A key that holds null is refused, also where the field takes None: nobody can
tell it from one that was not filled in, and None often means everybody or everything.
"""

import dataclasses
import re
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple, cast, get_type_hints

from pydantic import BaseModel, create_model

from knowledge_contract.errors import KnowledgeContractError
from knowledge_contract.host.foreign import run_foreign
from knowledge_contract.host.names import resolve_use
from knowledge_contract.host.places import Unusable, find_near, suggest
from knowledge_contract.host.secrecy import looks_like_variable
from knowledge_contract.host.settings import Section, find_problems
from knowledge_contract.providers.binding import BoundProvider, build_binding
from knowledge_contract.providers.lightrag import LightragProvider, LightragSettings
from knowledge_contract.providers.lightrag.settings import Mode
from knowledge_contract.providers.local import LocalProvider, Settings
from knowledge_contract.providers.retriever import Retriever, from_retriever

__all__ = ["KINDS", "Kind", "Surroundings", "build_provider"]

_KEY = "api_key"
_KEY_ENV = "api_key_env"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_BINDING = ("user_ids", "agent_names")
# By name: an HTTP client costs more to import than the rest of a host.
_RAGFLOW = "knowledge_contract.providers.ragflow"


class Surroundings(NamedTuple):
    """What an entry is read in.

    Attributes:
        folder: Where relative paths start: the folder of the configuration.
        environment: The variables that entries may name.
    """

    folder: FilePath
    environment: Mapping[str, str]


class Kind(NamedTuple):
    """A kind of provider.

    Attributes:
        settings: The dataclass, or `module:attribute` of it where importing it costs.
        build: Makes the provider from an instance, without touching the network.
    """

    settings: type | str
    build: Callable[[Any, Surroundings], Any]


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class LocalEntry:
    """A folder of documents; see `LocalProvider`."""

    folder: str
    index: str | None = None
    hit_limit: int = 10


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class LightragEntry:
    """A LightRAG server's documents; see `LightragSettings`, whose defaults hold for None."""

    base_url: str | None = None
    api_key: str | None = dataclasses.field(default=None, repr=False)
    mode: Mode | None = None
    timeout_s: float | None = None
    top_k: int | None = None
    chunk_top_k: int | None = None


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class RetrieverEntry:
    """A retriever of LangChain, or a function without arguments that makes one.

    See `from_retriever`.
    """

    use: str
    name: str = "retriever"
    title_key: str = "title"
    page_key: str | None = None
    page_base: int = 1
    url_key: str | None = None
    dataset_key: str | None = None
    dataset_name: str | None = None


def _build_local(entry: LocalEntry, surroundings: Surroundings) -> LocalProvider:
    if entry.hit_limit < 1:
        raise Unusable("must be at least 1", path=("hit_limit",))
    return LocalProvider(
        surroundings.folder / entry.folder,
        index_path=None if entry.index is None else surroundings.folder / entry.index,
        settings=Settings(hit_limit=entry.hit_limit),
    )


def _build_lightrag(entry: LightragEntry, _: Surroundings) -> LightragProvider:
    given = {field.name: getattr(entry, field.name) for field in dataclasses.fields(entry)}
    options = {name: value for name, value in given.items() if value is not None}
    return LightragProvider(LightragSettings(**options))


def _build_retriever(entry: RetrieverEntry, _: Surroundings) -> Any:
    try:
        found = run_foreign(lambda: _make_retriever(entry.use), "making the retriever failed")
    except Unusable as error:
        raise Unusable(error.sentence, path=("use",)) from None
    options = {field.name: getattr(entry, field.name) for field in dataclasses.fields(entry)}
    del options["use"]
    return run_foreign(lambda: from_retriever(found, **options), "making the provider failed")


def _make_retriever(use: str) -> Retriever:
    found = resolve_use(use)
    if not _is_retriever(found) and callable(found):
        found = found()
    if not _is_retriever(found):
        raise Unusable("names no retriever, nor what makes one")
    return cast("Retriever", found)


def _build_ragflow(settings: Any, _: Surroundings) -> Any:
    return resolve_use(f"{_RAGFLOW}:RagflowProvider")(settings)


def _is_retriever(value: object) -> bool:
    is_instance = not isinstance(value, type)
    return is_instance and all(
        callable(getattr(value, each, None)) for each in ("invoke", "ainvoke")
    )


KINDS: Mapping[str, Kind] = {
    "lightrag": Kind(LightragEntry, _build_lightrag),
    "local": Kind(LocalEntry, _build_local),
    "ragflow": Kind(f"{_RAGFLOW}:RagflowSettings", _build_ragflow),
    "retriever": Kind(RetrieverEntry, _build_retriever),
}
"""The kinds that come with this package, by what `kind` says."""


def build_provider(
    entry: Mapping[str, Any], *, kinds: Mapping[str, Kind], surroundings: Surroundings
) -> Any:
    """Return the provider of one entry; a list `user_ids` binds it.

    Raises:
        Unusable: something in it cannot be used; the path is below the entry.
    """
    rest = dict(entry)
    if "kind" not in rest:
        raise Unusable(f"is missing: one of {', '.join(sorted(kinds))}", path=("kind",))
    chosen = rest.pop("kind")
    if not isinstance(chosen, str) or chosen not in kinds:
        near = suggest(find_near(str(chosen), kinds))
        raise Unusable(f"must be one of {', '.join(sorted(kinds))}{near}", path=("kind",))
    kind = kinds[chosen]
    record = resolve_use(kind.settings) if isinstance(kind.settings, str) else kind.settings
    values = _read(record, rest, surroundings.environment)
    users, agents = (values.pop(name, None) for name in _BINDING)
    if users is None and agents is not None:
        raise Unusable("is missing: agents are bound together with users", path=("user_ids",))
    try:
        binding = None if users is None else build_binding(users, agents)
    except ValueError as error:
        raise Unusable(str(error)) from None
    provider = run_foreign(
        lambda: _build(kind.build, record, values, surroundings), "making the provider failed"
    )
    return provider if binding is None else BoundProvider(provider=provider, binding=binding)


def _build(
    build: Callable[[Any, Surroundings], Any],
    record: type,
    values: Mapping[str, Any],
    surroundings: Surroundings,
) -> Any:
    try:
        return build(record(**values), surroundings)
    # A kind is the host's own, and what it says on purpose is for the operator.
    except KnowledgeContractError as error:
        sentence = " ".join(str(error).split())
    raise Unusable(sentence)


def _read(record: type, entry: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a record, the key among them, and of the binding."""
    if _KEY in entry:
        raise Unusable(
            f"keys stand in the environment: name the variable as `{_KEY_ENV}`", path=(_KEY,)
        )
    found, problems = find_problems(_model(record), entry)
    if found is None:
        path, sentence = problems[0]
        raise Unusable(sentence, path=path)
    values = {name: getattr(found, name) for name in found.model_fields_set}
    variable = values.pop(_KEY_ENV, None)
    if variable is not None:
        values[_KEY] = _read_variable(variable, environment)
    return values


def _read_variable(variable: str, environment: Mapping[str, str]) -> str:
    value = environment.get(variable, "").strip() if _VARIABLE.fullmatch(variable) else ""
    if value:
        return value
    # Who mistakes the one for the other has written the key there.
    if looks_like_variable(variable):
        raise Unusable(f"the environment variable {variable} is not set", path=(_KEY_ENV,))
    raise Unusable("must be the name of an environment variable that is set", path=(_KEY_ENV,))


def _model(record: type) -> type[BaseModel]:
    hints = get_type_hints(record)
    fields: dict[str, Any] = {}
    for field in dataclasses.fields(record):
        is_key = field.name == _KEY
        name = _KEY_ENV if is_key else field.name
        kind = str if is_key else hints[field.name]
        is_needed = field.default is field.default_factory is dataclasses.MISSING
        # What is not set keeps the record's own default.
        fields[name] = (kind, ... if is_needed else None)
    fields |= dict.fromkeys(_BINDING, (list[str], None))
    return create_model(record.__name__, __base__=Section, **fields)
