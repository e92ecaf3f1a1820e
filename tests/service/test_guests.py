"""Guests: processes that play for a bot in one match. Nobody ever hears of their accounts."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog

from referee.log.records import Rounds
from referee.ruleset import resolve
from referee.service.clock import monotonic_ms
from referee.service.guests import Guest
from referee.service.options import MAX_REFUSED_LINES
from referee.service.rpc import info
from referee.table.head import MatchPlan
from referee.v1 import play_pb2
from tests.support.wire import SEED, House, Line, house, playing, replying

pytestmark = pytest.mark.asyncio

Code = grpc.StatusCode
BOTS = ["ann", "bob"]
SHORT = resolve({"preset": "short"})


def set_up(home: House, match: str) -> list[Guest]:
    """A match of guests, as a director sets it up."""
    guests = [home.hall.guests.admit(bot) for bot in BOTS]
    home.hall.guests.reserve(match, [guest.account for guest in guests])
    plan = MatchPlan(rules=SHORT, bots=BOTS, length=Rounds(rounds=1), clock="none", match=match)
    home.hall.create(plan, SEED, declared=True)
    return guests


async def come(home: House, guest: Guest, **more: Any) -> Line:
    """A guest that was let in."""
    return await home.line(guest.bot, token=guest.token, **more)


def connected(home: House) -> list[int]:
    """What is told of each match: the seats whose bots are connected, as a mask."""
    return [info(home.hall, one).connected for one in home.hall.listed]


async def test_guests_are_seen_to_be_connected_at_their_own_tables(tmp_path: Path) -> None:
    async with house(tmp_path, tokens={}) as home:
        first, second = set_up(home, "m-1"), set_up(home, "m-2")
        assert connected(home) == [0, 0]
        lines = [await come(home, first[1])]
        assert connected(home) == [0b10, 0]
        lines.append(await come(home, first[0]))
        await come(home, second[0])
        assert connected(home) == [0b11, 0b01]
        await asyncio.gather(*(line.play() for line in lines))
        assert connected(home) == [0, 0b01]  # The guests of a match that is over are nobody's business.


async def test_what_a_guest_is_refused_names_its_bot(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logs:
        async with house(tmp_path, tokens={"cor": "c"}) as home:
            (ann, bob), (other, _) = set_up(home, "m-1"), set_up(home, "m-2")
            assert repr(ann) == "<Guest ann>"
            lines = [await come(home, ann), await come(home, bob)]
            code, text = await (await home.hello("ann", token=ann.token)).status()
            assert (code, "a bot named 'ann' is connected already" in text) == (Code.ALREADY_EXISTS, True)
            code, text = await (await home.hello("ann", token=ann.token, resume_token=b"x")).status()
            assert (code, "not one of 'ann'" in text) == (Code.UNAUTHENTICATED, True)
            assert (await (await home.hello("bob", token=ann.token)).status())[0] is Code.UNAUTHENTICATED
            asked = await lines[0].ask()
            stranger = await come(home, other)
            (refusal,) = await stranger.refused(replying(asked, playing(1)))
            assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_TABLE
            (refusal,) = await lines[1].refused(replying(asked, playing(1)))
            assert refusal.code == play_pb2.REFUSAL_CODE_WRONG_SEAT
            for session in home.hall.sessions.values():
                session.refused = MAX_REFUSED_LINES - 1
            await lines[0].refused(replying(asked, playing(99)))
    assert "no more of this bot's refusals are logged" in [line["event"] for line in logs]
    assert "#" not in repr(logs)


async def test_the_name_of_a_guest_that_was_lost(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logs:
        async with house(tmp_path, tokens={}, grace_seconds=1) as home:
            guests = set_up(home, "m-1")
            lines = [await come(home, guest) for guest in guests]
            await lines[0].hang_up()
            home.hall._clock = lambda: monotonic_ms() + 5_000
            home.hall.tick()
    assert [line["bot"] for line in logs if line["event"] == "bot given up"] == ["ann"]
    assert "#" not in repr(logs)
