"""Setting up matches, looking at them, and fetching their logs."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from referee.deal import commit
from referee.ruleset import RulesetError
from referee.v1 import play_pb2, rules_pb2
from tests.support.wire import NAMES, SEED, house, refusal

pytestmark = pytest.mark.asyncio
Code = grpc.StatusCode
Option = rules_pb2.RuleOption

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "preset": ({"preset": "bridge"}, "preset"),
    "option": ({"overrides": [Option(name="wildcards", flag=True)]}, "wildcards"),
    "value": ({"overrides": [Option(name="limit", number=0)]}, "limit"),
    "kind of value": ({"overrides": [Option(name="limit", choice="10")]}, "limit"),
    "flag for a number": ({"overrides": [Option(name="limit", flag=True)]}, "limit"),
    "number for a flag": ({"overrides": [Option(name="blind", number=0)]}, "blind"),
    "no value": ({"overrides": [Option(name="limit")]}, "limit"),
    "nameless": ({"overrides": [Option(number=1)]}, "no such option"),
    "senseless": ({"overrides": [Option(name="armoede_leads", flag=True)]}, "armoede_leads"),
    "no seats": ({"bots": []}, "seats"),
    "one seat": ({"bots": ["ann"]}, "seats"),
    "nine seats": ({"bots": ["ann"] * 9}, "seats"),
    "two seats where three are needed": ({"preset": "cafe", "bots": ["ann", "bob"]}, "these rules take 3..8"),
    "nameless bot": ({"bots": ["ann", ""]}, "bot"),
    "bad name": ({"bots": ["ann", "b\tb"]}, "bot"),
    "id with a slash": ({"match_id": "../m"}, "match_id"),
    "id with a dot": ({"match_id": ".m"}, "match_id"),
    "id too long": ({"match_id": "m" * 65}, "match_id"),
    "id with a line feed": ({"match_id": "m\n"}, "match_id"),
    "short seed": ({"open_seed": b"x" * 31}, "open_seed"),
    "long seed": ({"open_seed": b"x" * 33}, "open_seed"),
    "rounds": ({"rounds": 1_000_001}, "rounds"),
    "tries": ({"conduct": rules_pb2.Conduct(tries=0)}, "tries"),
    "many tries": ({"conduct": rules_pb2.Conduct(tries=16)}, "tries"),
    "act_ms": ({"conduct": rules_pb2.Conduct(act_ms=0)}, "act_ms"),
    "deal set with a space": ({"deals": "a b"}, "deals"),
    "deal set beyond ASCII": ({"deals": "käthe"}, "deals"),
    "deal set too long": ({"deals": "x" * 129}, "deals"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_match_that_cannot_be(tmp_path: Path, name: str) -> None:
    fields, named = WRONG[name]
    async with house(tmp_path) as home:
        code, text = await refusal(home.create(**fields))
        assert (code, named in text) == (Code.INVALID_ARGUMENT, True), text
        assert home.files() == []
        assert not (await home.matches()).infos


async def test_rules_that_the_engine_refuses_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is set up when the log's file is there already."""

    def refuse(*_: object) -> None:
        raise RulesetError("not_built", "limit", "limit: 7 is not played yet by this version")

    monkeypatch.setattr("referee.table.table.Game", refuse)
    async with house(tmp_path) as home:
        code, text = await refusal(home.create(overrides=[Option(name="limit", number=7)]))
        assert (code, text) == (Code.INVALID_ARGUMENT, "limit: 7 is not played yet by this version")
        assert home.files() == []


async def test_a_match_id_is_used_once(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        before = home.log("m-1")
        code, text = await refusal(home.create(match_id="m-1", rounds=2))
        assert code is Code.ALREADY_EXISTS
        assert "m-1" in text
        assert home.log("m-1") == before
        await home.create(match_id="m-2")


async def test_a_log_that_is_there_already_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "m-1.toep").write_bytes(b"an old log\n")
    async with house(tmp_path) as home:
        assert (await refusal(home.create(match_id="m-1")))[0] is Code.ALREADY_EXISTS
        assert (await refusal(home.create(match_id="m-1", open_seed=b"")))[0] is Code.ALREADY_EXISTS
    assert home.log("m-1") == b"an old log\n"


async def test_a_seed_that_is_there_already_is_not_touched(tmp_path: Path) -> None:
    """The seed of a match whose referee was killed: without it that match is never revealed."""
    (tmp_path / "m-1.toep.seed").write_text("a seed\n")
    async with house(tmp_path) as home:
        assert (await refusal(home.create(match_id="m-1", open_seed=b"")))[0] is Code.ALREADY_EXISTS
        assert (tmp_path / "m-1.toep.seed").read_text() == "a seed\n"
        assert not (tmp_path / "m-1.toep").exists()


async def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    async with house(tmp_path / "logs") as home:
        (tmp_path / "logs").rmdir()
        assert (await refusal(home.create()))[0] is Code.FAILED_PRECONDITION


async def test_the_same_match_twice_has_one_derived_id(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        first = await home.create()
        assert first.match_id.startswith("m-")
        assert first.commit == commit(SEED)
        assert (await refusal(home.create()))[0] is Code.ALREADY_EXISTS
        assert (await home.create(rounds=2)).match_id != first.match_id
        assert (await home.create(bots=["bob", "ann"])).match_id != first.match_id


async def test_the_defaults(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", preset="", rounds=0, clock=0, conduct=None, open_seed=b"")
        head = home.seating("m-1").table.head
        assert (head.rules.exchange, head.length, head.clock, head.deals) == ("until_empty", "game", "ms", "m-1")
        assert (head.conduct.tries, head.conduct.faults) == (3, 10)


async def test_overrides_and_conduct_reach_the_head(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(
            match_id="m-1",
            overrides=[Option(name="limit", number=7), Option(name="toep_who", choice="on_turn")],
            conduct=rules_pb2.Conduct(faults=0, act_ms=123),
            deals="block-1",
            rounds=9,
        )
        head = home.seating("m-1").table.head
        assert (head.rules.limit, head.rules.toep_who, head.deals) == (7, "on_turn", "block-1")
        assert (head.conduct.faults, head.conduct.act_ms, head.conduct.window_ms) == (0, 123, 2000)


async def test_a_match_that_is_not_there(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        for match in ("", "m-2", "../m-1", "m-1.toep"):
            assert (await refusal(home.get(match)))[0] is Code.NOT_FOUND
            assert (await refusal(home.download(match)))[0] is Code.NOT_FOUND


async def test_pages(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for number in range(7):
            await home.create(match_id=f"m-{number}")
        seen, token, pages = [], "", 0
        while True:
            page = await home.matches(3, token)
            seen += [info.match_id for info in page.infos]
            pages += 1
            token = page.next_page_token
            if not token:
                break
        assert seen == [f"m-{number}" for number in range(7)]
        assert pages == 3
        assert len((await home.matches()).infos) == 7
        assert len((await home.matches(10**9)).infos) == 7
        assert not (await home.matches(7)).next_page_token
        assert not (await home.matches(3, "7")).infos
        assert [info.table for info in (await home.matches()).infos] == list(range(1, 8))


async def test_new_matches_do_not_move_the_pages(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for number in range(3):
            await home.create(match_id=f"m-{number}")
        token = (await home.matches(2)).next_page_token
        await home.create(match_id="m-3")
        assert [info.match_id for info in (await home.matches(2, token)).infos] == ["m-2", "m-3"]


@pytest.mark.parametrize("token", ["x", "-1", "1.5", "²", "9" * 5000])
async def test_a_page_token_that_is_none(tmp_path: Path, token: str) -> None:
    async with house(tmp_path) as home:
        code, text = await refusal(home.matches(1, token))
        assert code is Code.INVALID_ARGUMENT
        assert "page_token" in text


async def test_a_log_is_open_when_its_match_is_over(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", rounds=0)
        assert (await refusal(home.download("m-1")))[0] is Code.FAILED_PRECONDITION
        lines = await home.lines()
        await lines[1].ask()
        code, text = await refusal(home.download("m-1"))
        assert code is Code.FAILED_PRECONDITION
        assert "m-1" in text
        await asyncio.gather(*(line.play() for line in lines))
        assert await home.download("m-1") == home.log("m-1")


async def test_a_log_of_several_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.rpc.CHUNK", 1000)
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        lines = await home.lines()
        await asyncio.gather(*(line.play() for line in lines))
        assert len(home.log("m-1")) > 2000
        assert await home.download("m-1") == home.log("m-1")


async def test_what_anybody_may_know(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", rounds=2)
        before = await home.get("m-1")
        assert (before.status, before.connected, before.round) == (play_pb2.MATCH_STATUS_WAITING, 0, 0)
        assert list(before.total) == [0, 0, 0, 0]
        assert list(before.rank) == []
        lines = await home.lines()
        during = await home.get("m-1")
        assert (during.status, during.connected, during.round) == (play_pb2.MATCH_STATUS_PLAYING, 0b1111, 1)
        await asyncio.gather(*(line.play() for line in lines))
        after = await home.get("m-1")
        assert (after.status, after.round) == (play_pb2.MATCH_STATUS_COMPLETE, 2)
        assert len(after.rank) == len(NAMES)
        assert sum(after.total) == 6
