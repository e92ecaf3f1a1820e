"""The referee's own log: what its lines say, that ids go with their calls, and that no secret is ever in it."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.contextvars import get_contextvars, merge_contextvars
from structlog.testing import LogCapture
from toep_client import Act, Bot, Malformed, Settings, Trouble, View
from toep_client import play as play_bot
from toep_client.samples.caller import Caller

from referee.service import options
from referee.service.clock import monotonic_ms
from referee.table.messages import RefusalCode
from referee.v1 import play_pb2
from tests.support.wire import NAMES, eventually, house, refusal

ROOT = Path(__file__).parents[2]


@pytest.fixture
def lines() -> Iterator[list[Any]]:
    """Every line of the log with what was bound to it."""
    capture = LogCapture()
    structlog.configure(processors=[merge_contextvars, capture])
    yield capture.entries
    structlog.reset_defaults()


def named(lines: list[Any], event: str) -> list[Any]:
    return [line for line in lines if line["event"] == event]


@pytest.mark.asyncio
async def test_one_line_for_each_match_and_each_refused_act(tmp_path: Path, lines: list[Any]) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        seats = await home.lines()
        ask = await seats[1].ask()
        await seats[1].refused(play_pb2.Answer(table=ask.table, ask=ask.ask))
        await asyncio.gather(*(line.play() for line in seats))
        await seats[0].leave()
    (refused,) = named(lines, "refused")
    assert {**refused, "took_ms": 0} == {
        "event": "refused",
        "log_level": "info",
        "match": "m-1",
        "seat": 1,
        "bot": "bob",
        "code": "MALFORMED",
        "rule": "",
        "tries_left": 2,
        "took_ms": 0,
        "call": refused["call"],
        "rpc": "Play",
    }
    assert refused["took_ms"] >= 0
    (over,) = named(lines, "match over")
    assert (over["match"], over["status"], over["bots"], over["refused"]) == ("m-1", "complete", list(NAMES), 1)
    assert over["lines"] == home.log("m-1").count(b"\n")
    assert over["waited_ms"] >= 0
    assert over["played_ms"] >= refused["took_ms"]
    assert all(line["connected_ms"] >= 0 for line in named(lines, "bot gone"))


@pytest.mark.asyncio
async def test_every_line_has_the_id_of_its_call_and_no_other(tmp_path: Path, lines: list[Any]) -> None:
    async with house(tmp_path) as home:
        for match in ("m-1", "m-2"):
            await home.create(match_id=match, lobby_seconds=60)
        first = await home.line("eve")
        second = await home.line("fay")
        await first.leave()
        await second.leave()
        await home.gone("fay")
        # Nobody calls when the clock cancels a match.
        home.hall._clock = lambda: monotonic_ms() + 60_000
        for match in ("m-1", "m-2"):
            await eventually(lambda: home.hall.find(match).status == "abandoned")  # noqa: B023 - called at once
    created = named(lines, "match created")
    assert [line["rpc"] for line in created] == ["CreateMatch", "CreateMatch"]
    calls = {line["bot"]: line["call"] for line in named(lines, "bot connected")}
    assert {line["bot"]: line["call"] for line in named(lines, "bot gone")} == calls
    ids = [*(line["call"] for line in created), *calls.values()]
    assert len(set(ids)) == 4
    assert all(re.fullmatch("[0-9a-f]{12}", number) for number in ids)
    cancelled = named(lines, "match cancelled")
    assert [(line["match"], "call" in line) for line in cancelled] == [("m-1", False), ("m-2", False)]
    assert get_contextvars() == {}


@pytest.mark.asyncio
async def test_an_internal_error_has_the_id_that_the_client_was_told(
    tmp_path: Path, lines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as home:
        monkeypatch.setattr(home.hall, "find", lambda _: 1 / 0)
        _, text = await refusal(home.get("m-1"))
    (line,) = named(lines, "internal error")
    assert text == f"internal error, id={line['call']}"
    assert line["id"] == line["call"]


@pytest.mark.asyncio
async def test_a_bot_cannot_fill_a_disk_with_refusals(
    tmp_path: Path, lines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.telemetry.MAX_REFUSED_LINES", 5)
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        seats = await home.lines()
        await seats[1].ask()
        stale = play_pb2.Answer(table=1, ask=1 << 6)
        assert len(await seats[1].refused(*[stale] * 50)) == 50
        assert home.hall.counts.refusals[RefusalCode.STALE] == 50
    assert len(named(lines, "refused")) == 5
    assert [line["bot"] for line in named(lines, "no more of this bot's refusals are logged")] == ["bob"]
    assert options.MAX_REFUSED_LINES > 5


class Clumsy(Bot):
    """Answers the first ask with nothing, and then well."""

    def __init__(self) -> None:
        self.well = Caller()
        self.asked = 0

    def act(self, view: View) -> Act:
        self.asked += 1
        act = self.well.act(view)
        return Malformed() if self.asked == 1 or not isinstance(act, Act) else act


async def _play(address: str, tokens: dict[str, str]) -> None:
    with pytest.raises(Trouble):
        await play_bot(Caller(), Settings(address=address, bot="ann", token="wrong-guess"))
    async with asyncio.TaskGroup() as group:
        for bot, player in (("ann", Clumsy()), ("bob", Caller())):
            settings = Settings(address=address, bot=bot, token=tokens[bot], matches=1)
            group.create_task(play_bot(player, settings))


def test_no_token_and_no_seed_is_ever_in_it(tmp_path: Path) -> None:
    """A whole life of a referee: who was turned away, what was refused, a secret seed, a key, the end."""
    tokens = {"ann": "secret-token-a", "bob": "secret-token-b"}
    (tmp_path / "tokens.json").write_text(json.dumps({"organiser": "secret-token-o", "bots": tokens}))
    (tmp_path / "tokens.json").chmod(0o600)
    toep = (sys.executable, "-m", "referee")
    subprocess.run([*toep, "keygen", "referee.test", "-o", "key"], cwd=tmp_path, check=True, capture_output=True)
    words = (
        "serve", "--address", "127.0.0.1:0", "--tokens", "tokens.json", "--match", "ann,bob", "--rules", "short",
        "--rounds", "2", "--key", "key", "--once", "--json-log",
    )  # fmt: skip
    with subprocess.Popen(
        [*toep, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as referee:
        assert referee.stdout is not None
        address = referee.stdout.readline().split()[-1]
        (file,) = (tmp_path / "logs").glob("*.seed")
        seed = file.read_text().strip()
        try:
            asyncio.run(_play(address, tokens))
            _, written = referee.communicate(timeout=60)
        finally:
            referee.kill()
    assert referee.returncode == 0
    key = (tmp_path / "key").read_text().strip()
    events = [json.loads(line)["event"] for line in written.splitlines()]
    assert {"bot connected", "refused", "match over", "bot gone"} <= set(events)
    for secret in (*tokens.values(), "secret-token-o", "wrong-guess", seed, key, key.rpartition("+")[2]):
        assert secret not in written
        assert secret.lower() not in written.lower()
