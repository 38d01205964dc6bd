"""What can go wrong, by who must act.

KnowledgeContractError
├── ConfigurationError  the operator's configuration: a host cannot be built from it
├── ContractError       the document: it breaks the contract at a pointer
├── GenerationError     the contract file or a generated file: it cannot be used
├── InputError          the caller's arguments: nothing can be read there, or they name nothing
├── ProviderError       the provider: it cannot search now, or not in this scope
│   ├── ProviderConfigurationError   the operator: a setting, a credential or a named dataset
│   ├── ProviderConnectionError      the network: not reached, or no complete answer in time
│   ├── ProviderProtocolError        the server: its answer is not what its API promises
│   └── ProviderAPIError             the server: it answered that it refuses or fails
├── UnavailableError    the installation: an extra, a tool or a build is missing
└── ReaderError         a reader program: it ended, answered late, or answered something else

A message is one line and never quotes a document's values.
"""


class KnowledgeContractError(Exception):
    """Base of every error that this package raises on purpose."""


class ConfigurationError(KnowledgeContractError):
    """A configuration that no host can be built from.

    Attributes:
        problems: Each on one line: the file and line, the key's path, and what to do. Never the
            refused value, nor what an environment variable holds.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        more = len(problems) - 1
        super().__init__(problems[0] + (f" (and {more} more)" if more else ""))

    def __reduce__(self) -> tuple[type["ConfigurationError"], tuple[tuple[str, ...]]]:
        return type(self), (self.problems,)


class ContractError(KnowledgeContractError):
    """A document that breaks its contract.

    Attributes:
        contract: Name and version of the contract, such as `knowledge_sources.v1`.
        pointer: JSON Pointer (RFC 6901) to the place, relative to the judged value.
        rule: The broken rule, as in `knowledge_wire.parsing.Problem`.
    """

    def __init__(self, contract: str, pointer: str, rule: str) -> None:
        self.contract = contract
        self.pointer = pointer
        self.rule = rule
        super().__init__(f"{contract}: {pointer or '(document)'} {rule}")

    def __reduce__(self) -> tuple[type["ContractError"], tuple[str, str, str]]:
        return type(self), (self.contract, self.pointer, self.rule)


class GenerationError(KnowledgeContractError):
    """A contract that nothing can be generated from, or a file that cannot be compared."""


class InputError(KnowledgeContractError):
    """An argument that leads nowhere: a file that cannot be read, a name that does not exist."""


class ProviderError(KnowledgeContractError):
    """A provider that cannot search now; the message begins with its name.

    One sentence that says what to do. It never holds a server's own words, which may quote
    identifiers and credentials.
    """


class ProviderConfigurationError(ProviderError):
    """A setting of the operator's that cannot be used, or that the server does not accept."""


class ProviderConnectionError(ProviderError):
    """A server that was not reached, or gave no complete answer in time."""


class ProviderProtocolError(ProviderError):
    """An answer that is not what the server's API promises; nothing of it is used."""


class ProviderAPIError(ProviderError):
    """An answer by which the server refuses, or says that it failed.

    Attributes:
        status: The HTTP status.
        code: The server's own code, if it gave one.
    """

    def __init__(self, message: str, status: int, code: int | None = None) -> None:
        self.status = status
        self.code = code
        super().__init__(message)

    def __reduce__(self) -> tuple[type["ProviderAPIError"], tuple[str, int, int | None]]:
        return type(self), (str(self), self.status, self.code)


class UnavailableError(KnowledgeContractError):
    """Something that is not installed or not built here; the message says how to get it."""


class ReaderError(KnowledgeContractError):
    """A reader in a process of its own that broke the line protocol."""
