"""Whose a name is: resume tokens, names that are kept, and bots that do not come back."""

import asyncio
import stat
from pathlib import Path

import grpc
import pytest
import structlog

from referee.game.records import Forfeit
from referee.service.clock import monotonic_ms
from referee.service.names import KEY_SIZE, Names
from referee.service.options import HOLD_MS
from referee.service.rpc import RefereeService
from referee.service.store import RESUME_KEY, Store
from referee.v1 import play_pb2, rules_pb2
from tests.support.tables import only, verified
from tests.support.wire import NAMES, House, Line, house

Code = grpc.StatusCode
PATIENT = rules_pb2.Conduct(act_ms=600_000, window_ms=600_000)
KEY = bytes(range(KEY_SIZE))
TOKENS = {name: f"secret-{name}" for name in NAMES}


def later(home: House, milliseconds: int) -> None:
    """From now on the hall's clock is ahead by so much."""
    home.hall._clock = lambda: monotonic_ms() + milliseconds
    home.hall.tick()


async def hint(line: Line) -> int:
    """The hint that a refused stream ended with, in milliseconds; 0: there was none."""
    return int(dict(await line.call.trailing_metadata() or ()).get("retry-after-ms", 0))


# -- tokens ------------------------------------------------------------------------------------------------------------


def test_a_token_is_of_one_name_and_one_key() -> None:
    names = Names(KEY)
    token = names.token("ann")
    assert len(token) == 32
    assert names.proves("ann", token)
    assert Names(KEY).proves("ann", token)
    assert not names.proves("bob", token)
    assert not names.proves("ann", token[:-1])
    assert not names.proves("ann", b"")
    assert not Names().proves("ann", token)
    assert not Names(bytes(KEY_SIZE)).proves("ann", token)


def test_the_key_is_kept_for_its_owner_only(tmp_path: Path) -> None:
    key = Store(tmp_path).resume_key()
    path = tmp_path / RESUME_KEY
    assert (len(key), stat.S_IMODE(path.stat().st_mode)) == (KEY_SIZE, 0o600)
    assert [path.name for path in tmp_path.iterdir()] == [RESUME_KEY]
    assert Store(tmp_path).resume_key() == key
    path.chmod(0o640)
    with pytest.raises(OSError, match=r"others have access to it \(mode 0640\)"):
        Store(tmp_path).resume_key()
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(OSError, match="no key of this referee") as caught:
        Store(tmp_path).resume_key()
    assert caught.value.filename == str(path)
    path.unlink()
    (tmp_path / f"{RESUME_KEY}.new").write_bytes(b"left behind by a crash")
    assert Store(tmp_path).resume_key() != key


# -- without bearer tokens ---------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_stream_with_the_token_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    """Of one that the referee holds for open, although the bot has lost it: with the seats and the open asks."""
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        asks = [await line.ask() for line in lines]
        back = await home.line("bob", resume_token=lines[1].welcome.resume_token)
        assert (await back.ask()).ask == asks[1].ask
        code, text = await lines[1].status()
        assert code is Code.FAILED_PRECONDITION
        assert "its new stream goes on" in text
        assert home.hall.sessions.keys() == set(NAMES)
        await asyncio.gather(*(line.play() for line in (lines[0], back, *lines[2:])))
        assert not only(Forfeit, verified(home.log("m-1")))


class Farewell:
    """A context whose bot says goodbye."""

    async def read(self) -> play_pb2.PlayRequest:
        return play_pb2.PlayRequest(leave=play_pb2.Leave())


@pytest.mark.asyncio
async def test_a_goodbye_that_was_under_way_on_the_old_stream_is_not_the_new_ones(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        old = home.hall.sessions["bob"]
        lines[1] = await home.line("bob", resume_token=lines[1].welcome.resume_token)
        await RefereeService(home.hall)._read(Farewell(), old)
        await asyncio.gather(*(line.play() for line in lines))
        assert not only(Forfeit, verified(home.log("m-1")))


@pytest.mark.asyncio
@pytest.mark.parametrize("token", [b"x", bytes(32), Names(KEY).token("ann"), Names(bytes(KEY_SIZE)).token("bob")])
async def test_a_wrong_token_is_refused(tmp_path: Path, token: bytes) -> None:
    """Whether the name is taken or free; and nothing of the token is said or logged."""
    async with house(tmp_path, names=Names(KEY)) as home:
        with structlog.testing.capture_logs() as logs:
            for taken in (False, True):
                if taken:
                    await home.line("bob")
                code, text = await (await home.hello("bob", resume_token=token)).status()
                assert code is Code.UNAUTHENTICATED
                assert "dial in without one" in text
        assert all(secret not in str(logs) + text for secret in (token.hex(), repr(Names(KEY).token("bob"))))


@pytest.mark.asyncio
async def test_a_name_is_kept_for_the_bot_that_was_lost(tmp_path: Path) -> None:
    """Somebody else is told when to come again; the bot itself comes in at once; and then anybody does."""
    async with house(tmp_path, names=Names(KEY, HOLD_MS)) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        await lines[1].hang_up()
        other = await home.hello("bob")
        code, text = await other.status()
        assert code is Code.ALREADY_EXISTS
        assert "comes back with its resume token" in text
        assert HOLD_MS - 2_000 < await hint(other) <= HOLD_MS
        back = await home.line("bob", resume_token=lines[1].welcome.resume_token)
        await back.ask()
        await back.hang_up()
        later(home, HOLD_MS)
        again = await home.line("bob")
        await again.ask()


@pytest.mark.asyncio
async def test_names_that_are_not_kept(tmp_path: Path) -> None:
    """Of a bot without a seat, of one that has said goodbye, and of one whose matches are over."""
    async with house(tmp_path, names=Names(KEY, HOLD_MS)) as home:
        await (await home.line("eve")).hang_up()
        await home.line("eve")
        await home.create(match_id="m-1", bots=NAMES[:2], conduct=PATIENT)
        ann = await home.line("ann")
        await ann.leave()
        ann, bob = await home.lines(NAMES[:2])
        await ann.hang_up()
        await bob.leave()
        await home.line("ann")


@pytest.mark.asyncio
async def test_tokens_outlive_the_referee(tmp_path: Path) -> None:
    """After a restart on the same folder a bot comes back at once, and others wait as if its link were lost."""
    tokens: dict[str, bytes] = {}
    async with house(tmp_path, names=Names(Store(tmp_path).resume_key(), HOLD_MS)) as home:
        await home.create(match_id="m-1", conduct=PATIENT, open_seed=b"")
        for line, name in zip(await home.lines(), NAMES, strict=True):
            await line.ask()
            tokens[name] = line.welcome.resume_token
        home.hall.let_go()
    async with house(tmp_path, names=Names(Store(tmp_path).resume_key(), HOLD_MS)) as home:
        home.hall.take_up()
        assert (await (await home.hello("bob")).status())[0] is Code.ALREADY_EXISTS
        lines = [await home.line(name, resume_token=tokens[name]) for name in NAMES]
        await asyncio.gather(*(line.play() for line in lines))
        verified(home.log("m-1"))


# -- with bearer tokens ------------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_with_bearer_tokens_the_resume_token_is_not_needed(tmp_path: Path) -> None:
    async with house(tmp_path, tokens=TOKENS, names=Names(KEY, HOLD_MS)) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = [await home.line(name, token=TOKENS[name]) for name in NAMES]
        await lines[1].hang_up()
        back = await home.line("bob", token=TOKENS["bob"])
        await back.ask()
        # Where the first is still there, only the resume token tells which of two processes is the bot.
        second = await home.hello("bob", token=TOKENS["bob"])
        assert (await second.status())[0] is Code.ALREADY_EXISTS
        assert await hint(second) == 0
        third = await home.line("bob", token=TOKENS["bob"], resume_token=back.welcome.resume_token)
        await third.ask()


@pytest.mark.asyncio
async def test_a_resume_token_is_no_bearer_token(tmp_path: Path) -> None:
    async with house(tmp_path, tokens=TOKENS, names=Names(KEY)) as home:
        right = Names(KEY).token("ann")
        for token, resume_token in (("", right), (TOKENS["bob"], right), (TOKENS["ann"], bytes(32))):
            line = await home.hello("ann", token=token, resume_token=resume_token)
            assert (await line.status())[0] is Code.UNAUTHENTICATED
        await home.line("ann", token=TOKENS["ann"], resume_token=right)


# -- bots that do not come back ----------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_bot_that_is_not_back_in_time_has_left(tmp_path: Path) -> None:
    async with house(tmp_path, grace_seconds=30) as home:
        await home.create(match_id="m-1", conduct=PATIENT, rounds=3)
        await home.create(match_id="m-2", bots=("bob", "eve"))
        lines = await home.lines()
        await lines[1].hang_up()
        later(home, 28_000)
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_PLAYING
        with structlog.testing.capture_logs() as logs:
            later(home, 31_000)
        await asyncio.gather(*(line.play() for line in (lines[0], *lines[2:])))
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_FORFEITED
        assert only(Forfeit, verified(home.log("m-1"))) == [Forfeit(seat=1, why="left")]
        (line,) = [entry for entry in logs if entry["event"] == "bot given up"]
        assert line["bot"] == "bob"
        assert 30_000 <= line["lost_ms"] <= 32_000
        # A match that had not begun still waits for it.
        assert (await home.get("m-2")).status == play_pb2.MATCH_STATUS_WAITING


@pytest.mark.asyncio
@pytest.mark.parametrize("grace", [0, 30])
async def test_a_bot_that_is_back_in_time_plays_on(tmp_path: Path, grace: int) -> None:
    """Each time it is lost it has the whole time again; and without a limit only the clocks decide."""
    async with house(tmp_path, grace_seconds=grace) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        for milliseconds in (25_000, 50_000):
            await lines[1].hang_up()
            later(home, milliseconds)
            lines[1] = await home.line("bob")
        if grace == 0:
            await lines[1].hang_up()
            later(home, 500_000)
            lines[1] = await home.line("bob")
        later(home, 550_000)
        await asyncio.gather(*(line.play() for line in lines))
        assert not only(Forfeit, verified(home.log("m-1")))


@pytest.mark.asyncio
async def test_after_a_restart_the_time_begins_anew(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", bots=NAMES[:2], conduct=PATIENT, open_seed=b"")
        for line in await home.lines(NAMES[:2]):
            await line.ask()
        home.hall.let_go()
    async with house(tmp_path, grace_seconds=30) as home:
        (seating,) = home.hall.take_up()
        await home.line("ann")
        later(home, 29_000)
        assert not seating.done.is_set()
        later(home, 31_000)
        assert seating.done.is_set()
        assert only(Forfeit, verified(home.log("m-1"))) == [Forfeit(seat=1, why="left")]
