"""What waits for a bot, and how much of it."""

import pytest

from referee.service import session as module
from referee.service.session import Session
from referee.table.messages import Ask, AskKind, RefusalCode, Refused, Superseded
from referee.v1 import play_pb2


def waiting() -> Session:
    return Session("ann", 4, lambda: 0)


def refused(number: int) -> Refused:
    return Refused(1, number, RefusalCode.STALE, "", "this is stale", 0)


def draining(reason: str) -> bytes:
    return play_pb2.PlayResponse(draining=play_pb2.Draining(reason=reason)).SerializeToString()


def test_everything_that_waits_leaves_as_one_message() -> None:
    session = waiting()
    assert session.take_batch() == b""
    session.push(play_pb2.PlayResponse(over=[play_pb2.MatchOver(table=1)]).SerializeToString())
    session.push(play_pb2.PlayResponse(over=[play_pb2.MatchOver(table=2)]).SerializeToString())
    session.push_refusal(3, refused(7))
    session.push_superseded(4, Superseded(0, 8))
    assert session.wake.is_set()
    batch = play_pb2.PlayResponse.FromString(session.take_batch())
    assert [over.table for over in batch.over] == [1, 2]
    assert [(one.table, one.ask, one.code) for one in batch.refusals] == [(3, 7, play_pb2.REFUSAL_CODE_STALE)]
    assert [(one.table, one.ask) for one in batch.superseded] == [(4, 8)]
    assert not session.wake.is_set()
    assert session.take_batch() == b""


def test_a_bot_that_reads_may_get_any_amount(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BACKLOG_BYTES", 1000)
    session = waiting()
    for number in range(100):
        session.push(draining("x" * 400))
        session.push_refusal(1, refused(number))
        assert session.take_batch()
    assert not session.ended


def test_news_that_nobody_reads_is_not_heaped_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BACKLOG_BYTES", 1000)
    session = waiting()
    for _ in range(100):
        session.push(draining("x" * 400))
    assert "does not read" in session.ended
    assert session.over.is_set()
    assert len(session.take_batch()) < 2000


def test_refusals_that_nobody_reads_are_not_heaped_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that floods the referee with nonsense and reads nothing must not fill its memory."""
    monkeypatch.setattr(module, "MAX_BACKLOG_BYTES", 1000)
    session = waiting()
    for number in range(1000):
        session.push_refusal(1, refused(number))
    assert "does not read" in session.ended
    assert len(play_pb2.PlayResponse.FromString(session.take_batch()).refusals) < 20


def test_the_first_reason_to_end_counts() -> None:
    session = waiting()
    session.end("one")
    session.end("two")
    assert session.ended == "one"
    assert session.wake.is_set()
    assert session.over.is_set()


def test_an_answer_to_another_ask_frees_no_slot() -> None:
    session = waiting()
    ask = Ask(0, 65, AskKind.CARD, required=True, hand=1, legal=1, may=0, budget_ms=1)
    session.in_flight[1, 0] = ask
    assert session.answered(1, 0, 66) is None
    assert session.answered(2, 0, 65) is None
    assert session.in_flight == {(1, 0): ask}
    assert session.answered(1, 0, 65) is ask
    assert session.answered(1, 0, 65) is None
    assert session.in_flight == {}
