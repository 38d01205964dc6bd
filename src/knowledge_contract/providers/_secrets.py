"""Credentials as a provider carries them."""

__all__ = ["Secrets"]


class Secrets(frozenset[str]):
    """Texts that must never be shown.

    Its representation hides them, because reports of failures print the variables of a frame.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"
