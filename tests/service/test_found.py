"""What the simulation of a whole referee (`tests/simulation`) has found, each as a test of its own."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from referee.log.writer import LogWriteError
from referee.service import rpc
from referee.service.seating import Seating
from referee.service.session import Session
from referee.service.store import Store
from referee.table.messages import Ask, AskKind
from referee.v1 import play_pb2, rules_pb2
from tests.support.wire import eventually, house

PATIENT = rules_pb2.Conduct(act_ms=60_000, window_ms=60_000)
ASK = Ask(seat=0, id=1, kind=AskKind.CARD, required=True, hand=1, legal=1, may=0, budget_ms=100)


def news(reason: str) -> bytes:
    return play_pb2.PlayResponse(draining=play_pb2.Draining(reason=reason)).SerializeToString()


def sent_at(times: list[int]) -> Seating:
    """A match whose table notes when asks are sent."""

    def sent(ask: Ask, now: int) -> int:
        times.append(now)
        return ask.budget_ms

    return cast(Seating, SimpleNamespace(number=1, table=SimpleNamespace(sent=sent)))


@pytest.mark.asyncio
async def test_a_bot_that_stops_reading_does_not_hold_its_matches_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its asks cannot leave, so that no clock of theirs starts: without an end of the stream nobody is ever late."""
    monkeypatch.setattr(rpc, "STALL_SECONDS", 0.05)
    monkeypatch.setattr(rpc, "FAREWELL_SECONDS", 0.05)
    async with house(tmp_path) as home:
        await home.line("ann")
        session = home.hall.sessions["ann"]
        for _ in range(6):  # More than the stream takes unread, in messages of their own; much less than may wait.
            session.push(news("x" * 2_000_000))
            await eventually(lambda: not session.waiting()[0] or session.ended)
        await home.gone("ann")
        assert session.ended == "this bot does not read its stream"


@pytest.mark.asyncio
async def test_an_answer_after_the_end_over_a_new_stream_is_stale(tmp_path: Path) -> None:
    """It is not the table that is wrong: the bot sat there."""
    async with house(tmp_path) as home:
        match = await home.create(bots=["ann", "bob"], conduct=PATIENT)
        ann, bob = await home.lines(("ann", "bob"))
        ask = await bob.ask()
        await ann.leave()
        await bob.until(lambda: bob.over)
        await bob.hang_up()
        back = await home.line("bob")
        (refusal,) = await back.refused(play_pb2.Answer(table=match.table, ask=ask.ask))
        assert refusal.code == play_pb2.REFUSAL_CODE_STALE
        (refusal,) = await back.refused(play_pb2.Answer(table=match.table, ask=ask.ask ^ 64))
        assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_SEAT
        (refusal,) = await back.refused(play_pb2.Answer(table=match.table + 1, ask=ask.ask))
        assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_TABLE


def test_nothing_is_asked_over_a_stream_that_ends() -> None:
    """Its news are dropped, so that the bot would not know what the ask is about."""
    times: list[int] = []
    session = Session("ann", 4, lambda: 0)
    session.end("enough")
    session.push(news("dropped"))
    session.push_ask(sent_at(times), ASK)
    assert session.take_batch() == b""
    assert times == []


def test_clocks_start_when_the_disk_was_waited_for() -> None:
    times: list[int] = []
    now = 10
    session = Session("ann", 4, lambda: now)
    session.push(news("before"))
    session.push_ask(sent_at(times), ASK)
    session.stage()
    now = 500
    session.push(news("meanwhile"))
    session.push_ask(sent_at(times), ASK)
    batch = play_pb2.PlayResponse.FromString(session.take_batch())
    assert (batch.draining.reason, [ask.budget_ms for ask in batch.asks]) == ("before", [100])
    assert times == [500]
    assert session.wake.is_set()
    session.in_flight.clear()
    batch = play_pb2.PlayResponse.FromString(session.take_batch())
    assert (batch.draining.reason, len(batch.asks)) == ("meanwhile", 1)


@pytest.mark.asyncio
async def test_a_disk_that_fails_ends_streams_without_an_internal_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(_: Store) -> None:
        raise LogWriteError(5, "cannot sync the log")

    def durable(self: Store, *args: Any, **fields: Any) -> None:
        begin(self, *args, **{**fields, "durable": True})

    begin = Store.__init__
    monkeypatch.setattr(Store, "__init__", durable)
    async with house(tmp_path) as home:
        line = await home.line("ann")
        monkeypatch.setattr(Store, "settle", failing)
        home.hall.sessions["ann"].push(news("x"))
        code, text = await line.status()
        assert (code.name, text) == ("FAILED_PRECONDITION", "the referee could not write a log; dial in again")
