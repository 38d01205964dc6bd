"""What can go wrong between a contract file and the code made from it.

CodegenError
├── ContractFileError       the contract cannot be read, or breaks a rule of contracts
│   └── UnsupportedKeyword  valid JSON Schema, but outside the subset that every output can keep
└── OutputError             a generator failed or would write outside its folder
"""


class CodegenError(Exception):
    """Base of everything that stops generation with one clear line."""


class ContractFileError(CodegenError):
    """The contract at `pointer` breaks a rule; `reason` says which and what to do."""

    def __init__(self, pointer: str, reason: str) -> None:
        self.pointer = pointer
        self.reason = reason
        super().__init__(f"{pointer or '(root)'}: {reason}")


class UnsupportedKeyword(ContractFileError):
    """A keyword that some output would drop in silence."""

    def __init__(self, pointer: str, keyword: str, reason: str) -> None:
        self.keyword = keyword
        super().__init__(pointer, f"unsupported keyword {keyword!r}: {reason}")


class OutputError(CodegenError):
    """An output cannot be produced or stored."""
