"""Exit codes, apart from 0 for good."""

REFUSED = 1
"""Refused, drifted or failed."""

USAGE = 2
"""Wrong usage, or something that cannot be read or is not installed."""

INTERRUPTED = 130
"""Ended from the keyboard: the shell's own code."""

CLOSED_PIPE = 141
"""Nobody reads the output any more: the shell's own code."""
