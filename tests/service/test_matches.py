"""Whole matches over gRPC: what comes of them, and that concurrency does not show."""

import asyncio
import stat
from pathlib import Path
from typing import Any

import pytest
from toep_client import Act, Bot, Over, View
from toep_client.samples.caller import Caller
from toep_client.samples.random import Random

from referee.game.records import Play
from referee.log.records import Head, Reveal
from referee.ruleset import PRESETS
from referee.v1 import play_pb2, referee_service_pb2
from tests.support.tables import only, verified
from tests.support.wire import NAMES, House, eventually, house

pytestmark = pytest.mark.asyncio


async def test_a_match_of_four_to_the_end(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        created = await home.create(match_id="m-1", rounds=0, preset="cafe")
        assert created.status == play_pb2.MATCH_STATUS_WAITING
        assert list(created.bots) == list(NAMES)
        await home.played({name: Random() for name in NAMES})
        done = await home.get("m-1")
        assert done.status == play_pb2.MATCH_STATUS_COMPLETE
        assert sorted(done.rank)[0] == 1
        assert max(done.total) >= 10
        records = verified(home.log("m-1"))
        assert await home.download("m-1") == home.log("m-1")
    (head,) = only(Head, records)
    assert [seat.bot for seat in head.seats] == list(NAMES)
    assert head.commit == created.commit
    assert home.files() == ["m-1.toep"]


class Teller(Caller):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.ended: list[Over] = []
        self.views: list[View] = []

    def act(self, view: View) -> Act:
        self.views.append(view)
        return super().act(view)

    def over(self, over: Over) -> None:
        self.ended.append(over)


async def test_bots_hear_how_it_ended(tmp_path: Path) -> None:
    bots = {name: Teller() for name in NAMES}
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", rounds=3)
        await home.played(bots)
        done = await home.get("m-1")
    for seat, bot in enumerate(bots.values()):
        (over,) = bot.ended
        assert (over.match_id, over.status, over.seats) == ("m-1", "complete", (seat,))
        assert list(over.total) == list(done.total)
        assert list(over.rank) == list(done.rank)
        assert {view.seat for view in bot.views} == {seat}
        assert all(set(view.playable) <= set(view.hand) for view in bot.views)


async def test_the_same_seed_and_bots_give_the_same_bytes(tmp_path: Path) -> None:
    logs = []
    for run in ("a", "b"):
        async with house(tmp_path / run) as home:
            await home.create(match_id="m-1", rounds=0, preset="cafe")
            await home.played({name: Random() for name in NAMES})
            logs.append(home.log("m-1"))
    assert logs[0] == logs[1]
    verified(logs[0])


MATCHES = 50


def match(number: int) -> dict[str, Any]:
    """One of many matches: mostly two rounds, now and then a whole game."""
    seats = [NAMES[(number + seat) % 4] for seat in range(4)]
    return {
        "match_id": f"m-{number}",
        "bots": seats,
        "rounds": 0 if number % 10 == 0 else 2,
        "preset": "cafe" if number % 5 == 0 else "short",
        "open_seed": bytes([number]) * 32,
    }


async def test_fifty_matches_at_once_are_fifty_matches_one_after_another(tmp_path: Path) -> None:
    async with house(tmp_path / "at-once") as home:
        for number in range(MATCHES):
            await home.create(**match(number))
        await home.played({name: Random() for name in NAMES}, MATCHES)
        at_once = [home.log(f"m-{number}") for number in range(MATCHES)]
    async with house(tmp_path / "one-by-one") as home:
        bots = asyncio.create_task(home.played({name: Random() for name in NAMES}, MATCHES))
        await eventually(lambda: len(home.hall.sessions) == len(NAMES))
        for number in range(MATCHES):
            await home.create(**match(number))
            async with asyncio.timeout(10):
                await home.hall.idle.wait()
        await bots
        for number in range(MATCHES):
            assert home.log(f"m-{number}") == at_once[number]
    for log in at_once[::7]:
        verified(log)


async def test_one_bot_on_several_seats_of_one_table(tmp_path: Path) -> None:
    class Both(Random):
        seats: set[int]

        def __init__(self) -> None:
            self.seats = set()

        def act(self, view: View) -> Act:
            self.seats.add(view.seat)
            return super().act(view)

    ann, bob = Both(), Both()
    async with house(tmp_path / "two") as home:
        await home.create(match_id="m-1", bots=["ann", "bob", "ann", "bob"], rounds=3)
        await home.played({"ann": ann, "bob": bob})
        two = home.log("m-1")
    assert (ann.seats, bob.seats) == ({0, 2}, {1, 3})
    async with house(tmp_path / "one") as home:
        await home.create(match_id="m-1", bots=["ann"] * 4, rounds=3)
        await home.played({"ann": Random()})
        one = home.log("m-1")
    # Only the names differ, and with them what covers the head.
    assert only(Play, verified(one)) == only(Play, verified(two))


@pytest.mark.parametrize("preset", sorted(PRESETS))
async def test_every_preset_can_be_played(tmp_path: Path, preset: str) -> None:
    async with house(tmp_path) as home:
        for number, rounds in enumerate((0, 5)):
            await home.create(match_id=f"m-{number}", preset=preset, rounds=rounds)
        await home.played({name: Random() for name in NAMES}, 2)
        for number in range(2):
            assert (await home.get(f"m-{number}")).status == play_pb2.MATCH_STATUS_COMPLETE
            verified(home.log(f"m-{number}"))


async def secret_match(home: House, **fields: Any) -> referee_service_pb2.MatchInfo:
    return await home.create(match_id="m-1", open_seed=b"", **fields)


async def test_a_secret_seed_is_kept_until_it_is_revealed(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await secret_match(home)
        kept = tmp_path / "m-1.toep.seed"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        seed = kept.read_text().strip()
        assert len(bytes.fromhex(seed)) == 32
        lines = await home.lines()
        await lines[1].until(lambda: lines[1].asks)
        assert kept.exists()
        assert seed.encode() not in home.log("m-1")
        await asyncio.gather(*(line.play() for line in lines))
        assert not kept.exists()
        records = verified(home.log("m-1"))
        said = b"".join(batch.SerializeToString() for line in lines for batch in line.batches)
    assert only(Reveal, records) == [Reveal(seed=seed)]
    assert bytes.fromhex(seed) not in said
    assert seed.encode() not in said


async def test_an_open_seed_is_not_kept(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        assert home.files() == ["m-1.toep"]


async def test_two_secret_matches_have_different_seeds_and_ids(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        first, second = [await home.create(open_seed=b"") for _ in range(2)]
        assert first.commit != second.commit
        assert first.match_id != second.match_id
        assert (first.table, second.table) == (1, 2)


async def test_a_match_starts_when_its_last_bot_is_there(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        lines = await home.lines(NAMES[:3])
        await home.create(match_id="m-1")
        for mask, name in ((0b0111, "dee"), (0b1111, "")):
            now = await home.get("m-1")
            assert now.connected == mask
            if name:
                assert now.status == play_pb2.MATCH_STATUS_WAITING
                lines.append(await home.line(name))
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_PLAYING
        await asyncio.gather(*(line.play() for line in lines))
        for seat, line in enumerate(lines):
            (seated,) = line.seated
            assert (seated.match_id, seated.seat, seated.table, seated.rounds) == ("m-1", seat, 1, 1)
            assert list(seated.bots) == list(NAMES)
            assert {option.name: option.choice for option in seated.rules}["exchange"] == "off"
            assert seated.conduct.tries == 3


async def test_times_are_in_the_log_where_there_is_a_clock(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", clock=referee_service_pb2.CLOCK_MS)
        await home.played({name: Caller() for name in NAMES})
        records = verified(home.log("m-1"))
    assert all(isinstance(play.ms, int) for play in only(Play, records))
    assert str(only(Head, records)[0].engine).startswith("toep ")


async def test_matches_of_different_rules_and_sizes_run_together(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for seats in range(2, 9):
            names = [NAMES[seat % 4] for seat in range(seats)]
            await home.create(match_id=f"m-{seats}", bots=names, preset="short" if seats == 2 else "cafe", rounds=2)
        bots: dict[str, Bot] = {"ann": Random(), "bob": Caller(), "cor": Random(), "dee": Random()}
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            for name, count in (("ann", 7), ("bob", 7), ("cor", 6), ("dee", 5)):
                group.create_task(home.played({name: bots[name]}, count))
        for seats in range(2, 9):
            verified(home.log(f"m-{seats}"))
