"""Judge plain values by a pydantic model, and say what is wrong as an operator needs it."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from pydantic_core import ErrorDetails

from knowledge_contract.errors import ConfigurationError
from knowledge_contract.host.places import Path, find_near, render_path, suggest

__all__ = ["Section", "find_problems", "read_settings"]

_Model = TypeVar("_Model", bound=BaseModel)

_SENTENCES = {
    "bool_type": "must be true or false",
    "dict_type": "must hold keys",
    "finite_number": "must be a finite number",
    "float_type": "must be a number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "int_from_float": "must be a whole number",
    "int_type": "must be a whole number",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list",
    "literal_error": "must be {expected}",
    "mapping_type": "must hold keys",
    "missing": "is missing",
    "model_type": "must hold keys",
    "string_too_long": "must be at most {max_length} characters",
    "string_too_short": "must not be empty",
    "string_type": "must be text",
    "too_long": "must have at most {max_length} entries",
    "too_short": "must have at least {min_length} entries",
}


class Section(BaseModel):
    """A part of a configuration: nothing is converted; unknown keys and null are refused.

    A key that holds nothing is a mistake, and must not mean "everybody" or "everything".
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_null(cls, value: object) -> object:
        if value is None:
            raise ValueError("holds nothing: give a value, or leave the key out")
        return value


def read_settings(model: type[_Model], values: Mapping[str, Any]) -> _Model:
    """Return settings of a model; for plugins, which get their `config` as plain values.

    Derive the model from pydantic's `BaseModel` with `extra="forbid"`, so that unknown keys are
    refused. Values are not converted.

    Raises:
        ConfigurationError: something does not fit. Each problem names the key below `config`; no
            value is quoted, and the host adds the place in its file.
    """
    found, problems = find_problems(model, values)
    if found is None:
        raise ConfigurationError(
            tuple(f"{render_path(path)}: {sentence}" for path, sentence in problems)
        )
    return found


def find_problems(
    model: type[_Model], values: object
) -> tuple[_Model | None, list[tuple[Path, str]]]:
    """Return the settings, or None and what is wrong at which path."""
    try:
        return model.model_validate(values, strict=True), []
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
    return None, list(_problems(model, details))


def _problems(model: type[BaseModel], details: list[ErrorDetails]) -> Iterator[tuple[Path, str]]:
    """Yield misspelt keys first: what is missing is often only misspelt, and said once."""
    meant: set[Path] = set()
    for each in details:
        if each["type"] == "extra_forbidden":
            *above, key = each["loc"]
            near = find_near(str(key), _keys_at(model, tuple(above)))
            meant.add((*above, *near))
            yield each["loc"], f"unknown key{suggest(near)}"
    for each in details:
        if each["type"] == "extra_forbidden" or each["loc"] in meant:
            continue
        # Behind the name of a mapping's key that is refused stands this.
        yield tuple(step for step in each["loc"] if step != "[key]"), _sentence(each)


def _sentence(details: ErrorDetails) -> str:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "value_error":
        # Of our own validators, whose words quote nothing.
        return str(context["error"])
    return _SENTENCES.get(kind, "is not valid").format_map(context)


def _keys_at(model: type[BaseModel], path: Path) -> list[str]:
    """Return the keys that may stand at a path."""
    here: Any = model
    for step in path:
        if isinstance(here, type) and issubclass(here, BaseModel):
            field = here.model_fields.get(str(step))
            here = field.annotation if field is not None else None
        else:
            # A list's item, or a mapping's value.
            here = next(reversed(get_args(here)), None)
    return list(here.model_fields) if isinstance(here, type) and issubclass(here, BaseModel) else []
