"""What a host puts between callers and its agents. Importing it needs no web framework."""

from knowledge_contract.gateway.routes import Route
from knowledge_contract.gateway.stripping import StrippingMiddleware

__all__ = ["Route", "StrippingMiddleware"]
