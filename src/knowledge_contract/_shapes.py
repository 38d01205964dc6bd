"""What stands in objects of frameworks, known by their shape, so that none is imported."""

from typing import Any

__all__ = ["attributes_of"]


def attributes_of(value: Any) -> dict[str, Any] | None:
    """Return the fields of a model, named tuple, dataclass or `Send`; None for other values.

    Fields and extra fields go by their names, not by aliases; what a class computes is not read.
    """
    kind = type(value)
    if isinstance(value, tuple):
        return dict(zip(kind._fields, value, strict=False)) if hasattr(kind, "_fields") else None
    # Before models: a dataclass of pydantic's has their marks, but may have slots.
    if hasattr(kind, "__dataclass_fields__"):
        # Start-up: whoever made the class has loaded it; a reader of scopes alone has not.
        import dataclasses  # noqa: PLC0415 - start-up, see above

        names: list[str] | tuple[str, ...] = [field.name for field in dataclasses.fields(kind)]
    elif hasattr(kind, "__pydantic_fields__"):
        own, extra = vars(value), getattr(value, "__pydantic_extra__", None)
        fields = {name: own[name] for name in kind.__pydantic_fields__ if name in own}
        return {**fields, **extra} if extra else fields
    elif {"node", "arg"}.issubset(getattr(kind, "__slots__", ())):
        names = ("node", "arg")
    else:
        return None
    return {name: getattr(value, name) for name in names if hasattr(value, name)}
