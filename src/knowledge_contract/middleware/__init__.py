"""Agent middleware of LangChain; it needs the extra `langchain`."""

# Before anything of LangChain: this import says which extra is missing.
import knowledge_contract.tools  # noqa: F401 - see above
