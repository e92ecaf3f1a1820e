"""Logs and the means to check them."""

import io

import pytest

from referee.log.records import Rounds
from referee.validate import Finding, Report, validate
from tests.support.match import RULES, Match


def check(data: bytes, *, keep_going: bool = False) -> Report:
    """The report on a log in memory."""
    return validate(io.BytesIO(data), "log.toep", keep_going=keep_going)


def only_error(data: bytes) -> Finding:
    """The one error of an invalid log."""
    report = check(data)
    assert report.verdict == "INVALID", report
    (error,) = report.errors
    return error


@pytest.fixture(scope="session")
def short_log() -> bytes:
    """One round of three players, complete."""
    return Match(RULES["cafe"], 3, Rounds(rounds=1), name="one-round").play_on(eagerness=0.3).close()


@pytest.fixture(scope="session")
def long_log() -> bytes:
    """A game of four players to its end, with toeps, folds, exchanges and challenges."""
    wanted = (b'"exchange"', b'"challenge"', b'"fold"', b'"trick"', b'"penalty"', b'"out"')
    for number in range(1000):
        data = Match(RULES["cafe"], 4, name=f"a-game-{number}").play_on(eagerness=0.2).close()
        if data.count(b'"score"') > 2 and all(tag in data for tag in wanted):
            return data
    raise AssertionError("no such game")
