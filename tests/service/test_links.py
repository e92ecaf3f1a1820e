"""Streams that come and go: slots, reconnecting, silence, and leaving."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from toep_client.samples.caller import Caller

from referee.cards import bits
from referee.game.records import Forfeit, Play, Void
from referee.log.records import Late
from referee.service.clock import monotonic_ms
from referee.v1 import acts_pb2, play_pb2, rules_pb2
from tests.support.tables import only, verified
from tests.support.wire import NAMES, House, Line, house, playing

pytestmark = pytest.mark.asyncio

HURRIED = rules_pb2.Conduct(act_ms=150, window_ms=20, faults=2)
"""A seat that is silent is soon forfeited; one that answers is in time also on a busy machine."""

PATIENT = rules_pb2.Conduct(act_ms=60_000, window_ms=60_000)


@asynccontextmanager
async def seated(folder: Path, **fields: Any) -> AsyncIterator[tuple[House, list[Line]]]:
    """A match in which seat 1 owes the first card, and everybody has been asked."""
    async with house(folder) as home:
        await home.create(match_id="m-1", **{"conduct": PATIENT, **fields})
        lines = await home.lines()
        for line in lines:
            await line.ask()
        yield home, lines


async def play(*lines: Line, matches: int = 1) -> None:
    await asyncio.gather(*(line.play(matches) for line in lines))


# -- slots -------------------------------------------------------------------------------------------------------------


async def test_a_bot_that_works_on_one_ask_gets_one_at_a_time(tmp_path: Path) -> None:
    tables = 12
    async with house(tmp_path) as home:
        for number in range(tables):
            await home.create(match_id=f"m-{number}", conduct=PATIENT)
        slow = await home.line("bob", parallel=1)
        others = await home.lines(("ann", "cor", "dee"))
        rest = asyncio.create_task(play(*others, matches=tables))
        asked = 0
        while len(slow.over) < tables:
            assert await slow.read()
            assert sum(len(batch.asks) for batch in slow.batches) - asked <= 1
            for ask in list(slow.asks.values()):
                asked += 1
                await slow.reply(ask)
        await rest
        assert asked > tables * 4
        for number in range(tables):
            verified(home.log(f"m-{number}"))


async def test_no_clock_runs_for_an_ask_that_waits_for_a_slot(tmp_path: Path) -> None:
    """Two tables and one slot: the second table's ask is sent, with all of its time, when the first is answered."""
    async with house(tmp_path) as home:
        bots = ["bob", "ann"]
        for number in range(2):
            await home.create(match_id=f"m-{number}", bots=bots, conduct=PATIENT)
        slow, fast = await home.line("bob", parallel=1), await home.line("ann")
        await fast.until(lambda: len(fast.asks) == 2)
        first = await slow.ask()
        assert len(slow.asks) == 1
        waiting = home.seating(f"m-{2 - first.table}").table
        assert waiting.deadline - monotonic_ms() > 59_000
        await slow.reply(first)
        second = await slow.ask()
        assert second.table != first.table
        assert second.budget_ms == 60_000
        await slow.reply(second)
        await play(slow, fast, matches=2)


async def test_a_silent_bot_gets_its_next_ask_when_the_last_one_timed_out(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        conduct = rules_pb2.Conduct(act_ms=30, window_ms=30, faults=0)
        for number in range(3):
            await home.create(match_id=f"m-{number}", bots=["bob", "ann"], conduct=conduct)
        silent, other = await home.line("bob", parallel=1), await home.line("ann")
        done = asyncio.create_task(play(other, matches=3))
        await silent.until(lambda: len(silent.over) == 3)
        await done
        for number in range(3):
            records = verified(home.log(f"m-{number}"))
            assert 0 in {late.seat for late in only(Late, records)}


async def test_an_ask_that_a_leaver_made_void_gives_its_slot_back(tmp_path: Path) -> None:
    """A silent bot with one slot: the ask in it is void, because another one left; the new ask must reach it."""
    async with house(tmp_path) as home:
        options = [rules_pb2.RuleOption(name="game_end", choice="last_standing")]
        conduct = rules_pb2.Conduct(act_ms=60_000, window_ms=60_000, faults=1)
        await home.create(match_id="m-1", rounds=0, overrides=options, conduct=conduct)
        bob, ann, cor, dee = [await home.line(name, parallel=1) for name in ("bob", "ann", "cor", "dee")]
        for line in (bob, ann, cor, dee):
            await line.ask()
        void = bob.asks.pop((1, 1))
        await dee.leave()
        again = await bob.ask()
        assert again.ask != void.ask
        await bob.reply(again)
        await play(bob, ann, cor)
        verified(home.log("m-1"))


async def test_an_ask_of_a_match_that_is_over_gives_its_slot_back(tmp_path: Path) -> None:
    """A bot with one slot must not be lost to its other tables because one of them was stopped."""
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", bots=["bob", "ann"], conduct=PATIENT)
        bob = await home.line("bob", parallel=1)
        ann = await home.line("ann")
        await bob.ask()
        await home.create(match_id="m-2", bots=["bob", "cor"], conduct=PATIENT)
        cor = await home.line("cor")
        await ann.leave()
        await bob.until(lambda: bob.over)
        bob.asks.pop((1, 0), None)
        assert (await bob.ask()).table == 2
        await asyncio.gather(bob.play(2), cor.play())
        verified(home.log("m-2"))


# -- links -------------------------------------------------------------------------------------------------------------


async def test_a_bot_that_comes_back_gets_its_open_asks_again(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        ask = lines[1].asks[1, 1]
        await lines[1].hang_up()
        assert (await home.get("m-1")).connected == 0b1101
        back = await home.line("bob")
        again = await back.ask()
        assert (again.ask, again.hand, again.legal) == (ask.ask, ask.hand, ask.legal)
        assert 0 < again.budget_ms <= ask.budget_ms
        (seated_again,) = back.seated
        assert (seated_again.match_id, seated_again.seat) == ("m-1", 1)
        (update,) = (update for batch in back.batches for update in batch.updates)
        assert (update.state.round, update.state.trick, update.state.turn) == (1, 1, 1)
        await play(lines[0], back, lines[2], lines[3])
        records = verified(home.log("m-1"))
    assert not only(Late, records)


@pytest.mark.parametrize("token", [False, True])
async def test_a_bot_that_comes_back_gets_exactly_what_was_open_at_all_of_its_tables(
    tmp_path: Path, token: bool
) -> None:
    """Asks that were sent and asks that waited for a slot, with their ids; not what it has answered."""
    async with house(tmp_path) as home:
        for number in range(4):
            await home.create(match_id=f"m-{number}", bots=["bob", "ann"], conduct=PATIENT)
        bob, ann = await home.line("bob", parallel=3), await home.line("ann")
        await bob.until(lambda: len(bob.asks) == 3)
        await ann.until(lambda: len(ann.asks) == 4)
        answered = next(iter(bob.asks.values()))
        await bob.reply(answered)
        await bob.until(lambda: len(bob.asks) == 3)
        wanted = {
            (seating.number, ask.id)
            for seating in home.hall.open()
            for seat, ask in seating.table._pending.items()
            if seat == 0
        }
        assert len(wanted) == 3
        if token:
            back = await home.line("bob", resume_token=bob.welcome.resume_token)
        else:
            await bob.hang_up()
            back = await home.line("bob")
        await back.until(lambda: len(back.asks) >= 3)
        assert {(ask.table, ask.ask) for ask in back.asks.values()} == wanted
        assert answered.ask not in {ask.ask for ask in back.asks.values() if ask.table == answered.table}
        assert [len(batch.asks) for batch in back.batches if batch.asks] == [3]
        assert sorted(seated.table for seated in back.seated) == [1, 2, 3, 4]
        await play(back, ann, matches=4)
        for number in range(4):
            assert not only(Late, verified(home.log(f"m-{number}")))


async def test_a_bot_that_comes_back_sees_what_it_missed(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        for _ in range(2):
            for line in lines[:3]:
                await line.reply(await line.ask())
            if _ == 0:
                await lines[3].reply(await lines[3].ask())
        await lines[3].hang_up()
        back = await home.line("dee")
        await back.ask()
        states = [update.state for batch in back.batches for update in batch.updates]
        assert len(states[-1].plays) == 1
        await play(*lines[:3], back)
        verified(home.log("m-1"))


async def test_a_bot_that_does_not_come_back_is_late_and_forfeited(tmp_path: Path) -> None:
    options = [rules_pb2.RuleOption(name="game_end", choice="last_standing")]
    async with seated(tmp_path, rounds=0, overrides=options, conduct=HURRIED) as (home, lines):
        await lines[1].hang_up()
        await play(lines[0], *lines[2:])
        records = verified(home.log("m-1"))
    gone = [late for late in only(Late, records) if late.seat == 1]
    assert len(gone) == 2
    assert "link" in {late.verdict for late in gone}
    assert Forfeit(seat=1, why="faults") in records


async def test_nobody_is_there_any_more(tmp_path: Path) -> None:
    async with seated(tmp_path, conduct=HURRIED) as (home, lines):
        for line in lines:
            await line.hang_up()
        async with asyncio.timeout(10):
            await home.hall.idle.wait()
        records = verified(home.log("m-1"))
    assert only(Forfeit, records)


async def test_a_cancelled_stream_is_a_lost_link(tmp_path: Path) -> None:
    async with seated(tmp_path, conduct=HURRIED, rounds=3) as (home, lines):
        lines[1].call.cancel()
        await play(lines[0], *lines[2:])
        records = verified(home.log("m-1"))
    assert only(Forfeit, records) == [Forfeit(seat=1, why="faults")]


async def test_a_bot_that_is_gone_before_the_start_holds_the_match_up(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        lines = await home.lines(NAMES[:3])
        await lines[0].hang_up()
        await home.line("dee")
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_WAITING
        await home.line("ann")
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_PLAYING


async def test_late_answers_are_stale(tmp_path: Path) -> None:
    conduct = rules_pb2.Conduct(act_ms=30, window_ms=30, faults=0)
    async with seated(tmp_path, conduct=conduct, rounds=1) as (home, lines):
        ask = lines[1].asks[1, 1]
        await lines[1].until(lambda: lines[1].over)
        (refusal,) = await lines[1].refused(
            play_pb2.Answer(table=1, ask=ask.ask, play=playing(next(bits(ask.legal)) + 1).play)
        )
        assert refusal.code == play_pb2.REFUSAL_CODE_STALE
        records = verified(home.log("m-1"))
    assert {play.by for play in only(Play, records)} == {"ref"}


# -- leaving -----------------------------------------------------------------------------------------------------------


async def test_leaving_in_mid_match_forfeits(tmp_path: Path) -> None:
    async with seated(tmp_path, rounds=3) as (home, lines):
        async with asyncio.timeout(1.5):  # Well below the time that a farewell may take.
            await lines[2].leave()
        (over,) = lines[2].over
        assert over.status == play_pb2.MATCH_STATUS_FORFEITED
        await play(lines[0], lines[1], lines[3])
        records = verified(home.log("m-1"))
    assert Forfeit(seat=2, why="left") in records


async def test_the_others_play_on_where_the_rules_let_them(tmp_path: Path) -> None:
    options = [rules_pb2.RuleOption(name="game_end", choice="last_standing")]
    async with seated(tmp_path, rounds=0, overrides=options) as (home, lines):
        await lines[2].leave()
        await play(lines[0], lines[1], lines[3])
        done = await home.get("m-1")
        assert done.rank[2] == 4
        assert verified(home.log("m-1")).count(Forfeit(seat=2, why="left")) == 1
        # The name is free, but the seat is gone.
        back = await home.line("cor")
        assert back.seated == []


async def test_leaving_with_two_seats(tmp_path: Path) -> None:
    options = [rules_pb2.RuleOption(name="game_end", choice="last_standing")]
    bots = ["ann", "bob", "ann", "cor"]
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", bots=bots, rounds=0, overrides=options, conduct=PATIENT)
        ann, bob, cor = await home.lines(("ann", "bob", "cor"))
        await ann.until(lambda: len(ann.asks) == 2)
        await ann.leave()
        await play(bob, cor)
        records = verified(home.log("m-1"))
    assert [forfeit.seat for forfeit in only(Forfeit, records)] == [0, 2]


async def test_leaving_between_matches_costs_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        line = await home.line("ann")
        await line.leave()
        await home.played({name: Caller() for name in NAMES})
        assert not only(Forfeit, verified(home.log("m-1")))


async def test_a_toep_over_the_wire(tmp_path: Path) -> None:
    async with seated(tmp_path) as (home, lines):
        await lines[3].reply(await lines[3].ask(), play_pb2.Answer(toep=acts_pb2.Toep()))
        for line in lines[:3]:
            await line.reply(await line.ask())
        answering = await lines[0].ask()
        assert answering.kind == play_pb2.ASK_KIND_ANSWER
        await lines[0].reply(answering, play_pb2.Answer(fold=acts_pb2.Fold()))
        await play(*lines)
        records = verified(home.log("m-1"))
    assert not only(Void, records)
