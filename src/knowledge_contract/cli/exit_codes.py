"""Exit codes, apart from 0 for good."""

REFUSED = 1
"""Refused, drifted or failed."""

USAGE = 2
"""Wrong usage, or something that cannot be read or is not installed."""

HUNG_UP = 129
"""The terminal is gone: the shell's own code."""

INTERRUPTED = 130
"""Ended from the keyboard: the shell's own code."""

CLOSED_PIPE = 141
"""Nobody reads the output any more: the shell's own code."""

TERMINATED = 143
"""Asked to end: the shell's own code."""
