"""The command line `knowledge-contract`: a floor of its own, the only one that prints and exits."""

from knowledge_contract.cli.entry import main

__all__ = ["main"]
