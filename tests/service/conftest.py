"""What every test of the service needs."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """A command that runs in this process sets up its log, and what is worth a line: not here, and not after it."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
