"""Every invalid log."""

from collections.abc import Iterator

from tools.log_fixtures.base import Fixture
from tools.log_fixtures.conduct import conduct_logs
from tools.log_fixtures.derived import derived_logs, end_logs
from tools.log_fixtures.illegal import illegal_logs
from tools.log_fixtures.order import deal_logs, head_logs, order_logs
from tools.log_fixtures.policies import policy_logs
from tools.log_fixtures.seals import seal_logs
from tools.log_fixtures.shuffle import shuffle_logs
from tools.log_fixtures.spelling import bytes_logs, schema_logs


def invalid_logs() -> Iterator[Fixture]:
    """At least one for every code."""
    for group in (
        bytes_logs, schema_logs, order_logs, head_logs, deal_logs, illegal_logs, derived_logs, end_logs, conduct_logs,
        policy_logs, shuffle_logs, seal_logs,
    ):  # fmt: skip
        yield from group()
