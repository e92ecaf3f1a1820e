"""The one real clock of the service; whoever needs the time is given it."""

import time


def monotonic_ms() -> int:
    """Milliseconds of the monotonic clock."""
    return time.monotonic_ns() // 1_000_000
