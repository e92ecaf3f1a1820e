"""The three kinds of check an answer can fail, each with its code: schema, protocol, rules."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from referee.cards import NAMES as CARDS
from referee.cards import bits
from referee.log.records import Refused
from referee.service.options import MAX_ANSWERS, MAX_REQUEST_BYTES
from referee.v1 import acts_pb2, play_pb2
from tests.support.tables import only, verified
from tests.support.wire import PASSES, House, Line, house, playing, replying

pytestmark = pytest.mark.asyncio

TOEP = play_pb2.Answer(toep=acts_pb2.Toep())


@asynccontextmanager
async def seated(folder: Path, **fields: Any) -> AsyncIterator[tuple[House, list[Line]]]:
    """A match in which seat 1 owes the first card, and everybody has been asked."""
    async with house(folder) as home:
        await home.create(match_id="m-1", **fields)
        lines = await home.lines()
        for line in lines:
            await line.ask()
        yield home, lines


async def finish(home: House, lines: list[Line]) -> list[Refused]:
    """Play the match to its end, and give the refused acts in its log."""
    await asyncio.gather(*(line.play() for line in lines))
    return only(Refused, verified(home.log("m-1")))


MALFORMED = {
    "no act": play_pb2.Answer(),
    "card 0": playing(0),
    "card 99": playing(99),
    "an unknown sign": play_pb2.Answer(signal=acts_pb2.Signal(sign=9)),  # type: ignore[arg-type]
    "an unknown reach": play_pb2.Answer(decline=acts_pb2.Pass(until=7)),  # type: ignore[arg-type]
    "an unknown act": play_pb2.Answer.FromString(b"\xfa\x07\x00"),
}


@pytest.mark.parametrize("name", MALFORMED)
async def test_the_schema(tmp_path: Path, name: str) -> None:
    async with seated(tmp_path) as (home, lines):
        turn = lines[1]
        ask = await turn.ask()
        (refusal,) = await turn.refused(replying(ask, MALFORMED[name]))
        assert (refusal.table, refusal.ask) == (ask.table, ask.ask)
        assert refusal.code == play_pb2.REFUSAL_CODE_MALFORMED
        assert refusal.rule == ""
        assert refusal.message
        assert refusal.tries_left == 2
        again = await turn.ask()
        assert (again.ask, again.hand, again.legal) == (ask.ask + 1, ask.hand, ask.legal)
        (line,) = await finish(home, lines)
    assert (line.code, line.seat, line.at) == ("malformed", 1, 0)


async def test_the_rules(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        turn = lines[1]
        ask = await turn.ask()
        foreign = next(card for card in range(32) if not ask.hand >> card & 1)
        (refusal,) = await turn.refused(replying(ask, playing(foreign + 1)))
        assert refusal.code == play_pb2.REFUSAL_CODE_ILLEGAL
        assert refusal.rule == "R-CARD-01"
        assert CARDS[foreign] in refusal.message
        assert refusal.tries_left == 2
        window = await lines[2].ask()
        (refusal,) = await lines[2].refused(replying(window, playing(next(bits(window.hand)) + 1)))
        assert (refusal.code, refusal.rule) == (play_pb2.REFUSAL_CODE_ILLEGAL, "R-TURN-01")
        refused = await finish(home, lines)
    assert [(line.seat, line.code) for line in refused] == [(1, "R-CARD-01"), (2, "R-TURN-01")]


async def test_a_pass_where_an_act_is_owed(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        ask = await lines[1].ask()
        (refusal,) = await lines[1].refused(replying(ask, PASSES))
        assert refusal.code == play_pb2.REFUSAL_CODE_NOT_ASKED
        assert refusal.tries_left == 2
        (line,) = await finish(home, lines)
    assert line.code == "not_asked"


async def test_after_the_last_try_the_referee_acts(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        for left in (2, 1, 0):
            ask = await lines[1].ask()
            del lines[1].asks[ask.table, ask.seat]
            (refusal,) = await lines[1].refused(replying(ask, playing(0)))
            assert refusal.tries_left == left
            if left:
                await lines[1].ask()
        assert len(await finish(home, lines)) == 3


async def test_stale_answers(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        turn = lines[1]
        ask = await turn.ask()
        for number in (ask.ask + 1, ask.ask + 512, 1 << 6):
            (refusal,) = await turn.refused(replying(play_pb2.Ask(table=1, ask=number, seat=1), PASSES))
            assert (refusal.code, refusal.ask) == (play_pb2.REFUSAL_CODE_STALE, number)
        # Twice in one message: the first one counts.
        del turn.asks[1, 1]
        (refusal,) = await twice(turn, ask)
        assert (refusal.code, refusal.ask) == (play_pb2.REFUSAL_CODE_STALE, ask.ask)
        assert await finish(home, lines) == []


async def twice(line: Line, ask: play_pb2.Ask) -> list[play_pb2.Refusal]:
    """Answer an ask twice in one message; gives what is refused of it."""
    before = len(line.refusals)
    await line.say(replying(ask, playing(next(bits(ask.legal)) + 1)), replying(ask, playing(0)))
    await line.until(lambda: len(line.refusals) > before)
    return line.refusals[before:]


async def test_the_ask_of_another_seat(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        ask = await lines[1].ask()
        (refusal,) = await lines[2].refused(replying(ask, playing(next(bits(ask.legal)) + 1)))
        assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_SEAT
        nowhere = replying(play_pb2.Ask(table=1, ask=ask.ask | 7 << 6), PASSES)
        (refusal,) = await lines[2].refused(nowhere)
        assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_SEAT
        assert await finish(home, lines) == []


async def test_a_table_where_the_bot_does_not_sit(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        await home.create(match_id="m-2", bots=["ann", "bob"], rounds=1)
        other = await lines[0].refused(*(play_pb2.Answer(table=number, ask=1) for number in (0, 3, 2**32 - 1)))
        assert {refusal.code for refusal in other} == {play_pb2.REFUSAL_CODE_WRONG_TABLE}
        assert [refusal.table for refusal in other] == [0, 3, 2**32 - 1]
        (refusal,) = await lines[2].refused(play_pb2.Answer(table=2, ask=1))
        assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_TABLE
        await asyncio.gather(lines[0].play(2), lines[1].play(2), lines[2].play(), lines[3].play())
        assert only(Refused, verified(home.log("m-1"))) == []
        assert only(Refused, verified(home.log("m-2"))) == []


async def test_a_superseded_answer(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        asks = [await line.ask() for line in lines]
        await lines[1].reply(asks[1])
        await lines[2].reply(asks[2], TOEP)
        await lines[3].reply(asks[3], TOEP)
        await lines[0].reply(asks[0])
        for seat in (1, 3):
            await lines[seat].until(lambda: lines[seat].superseded)  # noqa: B023 - called at once
            assert [(one.table, one.ask) for one in lines[seat].superseded] == [(1, asks[seat].ask)]
        assert await finish(home, lines) == []
        assert not lines[0].superseded
        assert not lines[2].superseded
        cards = [event.play.card for batch in lines[0].batches for update in batch.updates for event in update.events]
        assert cards


async def test_a_message_with_too_many_answers_ends_the_stream(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        line = await home.line("ann")
        await line.say(*(play_pb2.Answer() for _ in range(MAX_ANSWERS + 1)))
        code, text = await line.status()
        assert code is grpc.StatusCode.FAILED_PRECONDITION
        assert str(MAX_ANSWERS) in text


async def test_as_many_answers_as_are_allowed_are_read(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        line = await home.line("ann")
        assert (line.welcome.max_answers, line.welcome.max_request_bytes) == (MAX_ANSWERS, MAX_REQUEST_BYTES)
        assert len(await line.refused(*(play_pb2.Answer() for _ in range(MAX_ANSWERS)))) == MAX_ANSWERS


async def test_a_message_that_is_too_large_ends_the_stream(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        line = await home.line("ann")
        await line.call.write(play_pb2.PlayRequest(leave=play_pb2.Leave(reason="x" * MAX_REQUEST_BYTES)))
        code, _ = await line.status()
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        # The name is free again, and nobody else has noticed.
        await home.line("bob")
        await home.line("ann")


async def test_who_sits_twice_is_told_apart_by_its_asks(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", bots=["ann", "ann", "bob"])
        ann, bob = await home.line("ann"), await home.line("bob")
        await ann.until(lambda: len(ann.asks) == 2)
        assert sorted(ann.asks) == [(1, 0), (1, 1)]
        assert [seated.seat for seated in ann.seated] == [0, 1]
        assert ann.asks[1, 0].hand & ann.asks[1, 1].hand == 0
        await asyncio.gather(ann.play(), bob.play())
        verified(home.log("m-1"))
