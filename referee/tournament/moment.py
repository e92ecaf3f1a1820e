"""The time of day as a journal has it."""

from datetime import UTC, datetime


def now_text() -> str:
    """Now, in UTC, to the second: ``2026-01-31T09:00:00Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
