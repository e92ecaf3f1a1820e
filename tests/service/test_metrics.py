"""What Prometheus reads: that the numbers are right, are there when nothing else is, and name nobody."""

import asyncio
import urllib.request
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from toep_client.samples.caller import Caller

from referee.game.records import Forfeit
from referee.log.records import Late
from referee.service.counts import Counts
from referee.service.hall import Hall
from referee.service.metrics import HallCollector
from referee.service.server import BindError, Server
from referee.service.store import Store
from referee.service.summary import Summary
from referee.v1 import play_pb2, rules_pb2
from tests.support.wire import NAMES, House, house, refusal

ANYWHERE = "127.0.0.1:0"


def read(address: str) -> str:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as response:
        assert response.headers["Content-Type"].startswith("text/plain")
        data: bytes = response.read()
    return data.decode()


def values(text: str) -> dict[str, float]:
    """Every sample, by its name and labels as they are written."""
    return {
        sample.name + "".join(f"{{{label}={value}}}" for label, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def scraped(home: House) -> dict[str, float]:
    return values(await asyncio.to_thread(read, home.server.metrics_address))


@pytest.mark.asyncio
async def test_the_numbers_of_a_match(tmp_path: Path) -> None:
    async with house(tmp_path, metrics=ANYWHERE) as home:
        await home.create(match_id="m-1", rounds=3)
        await home.create(match_id="m-2", bots=["eve", "fay"])
        assert (await scraped(home))["toep_matches{status=waiting}"] == 2
        lines = await home.lines()
        ask = await lines[1].ask()
        await lines[1].refused(play_pb2.Answer(table=ask.table, ask=ask.ask))
        await lines[0].refused(play_pb2.Answer(table=99, ask=1))
        await asyncio.gather(*(line.play() for line in lines))
        asked = sum(len(batch.asks) for line in lines for batch in line.batches)
        now = await scraped(home)
        assert now["toep_asks_total"] == asked > 20
        assert now["toep_refusals_total{code=MALFORMED}"] == 1
        assert now["toep_refusals_total{code=WRONG_TABLE}"] == 1
        assert now["toep_refusals_total{code=ILLEGAL}"] == 0
        assert now["toep_decisions_total"] == now["toep_answers_total"] - 2
        # The answer to a table where it does not sit is to no ask of its own.
        assert now["toep_ask_latency_seconds_count"] == now["toep_answers_total"] - 1
        assert now["toep_ask_latency_seconds_bucket{le=+Inf}"] == now["toep_ask_latency_seconds_count"]
        assert now["toep_acts_total{act=play}"] == 3 * 16
        assert now["toep_matches{status=complete}"] == 1
        assert now["toep_matches{status=waiting}"] == 1
        assert now["toep_matches_created_total"] == 2
        assert now["toep_sessions"] == now["toep_streams_total"] == 4
        assert now["toep_asks_in_flight"] == now["toep_queued_asks"] == now["toep_queued_bytes"] == 0
        assert now["toep_draining"] == 0
        assert now["toep_log_lines_total"] == home.log("m-1").count(b"\n")
        assert now["toep_log_bytes_total"] == len(home.log("m-1"))
        assert now["toep_log_sync_seconds_count"] >= 1
        assert now["toep_loop_stall_seconds_count"] > 0
        assert now["process_cpu_seconds_total"] > 0


@pytest.mark.asyncio
async def test_late_acts_forfeits_and_calls_that_are_turned_away(tmp_path: Path) -> None:
    hurried = rules_pb2.Conduct(act_ms=20, window_ms=20, faults=1)
    async with house(tmp_path, metrics=ANYWHERE, organiser="secret-o", tokens=dict.fromkeys(NAMES, "x")) as home:
        await refusal(home.create("wrong"))
        await refusal(home.create("secret-o", preset="bridge"))
        await home.create("secret-o", match_id="m-1", conduct=hurried)
        lines = [await home.line(bot, token="x") for bot in NAMES]
        await lines[0].until(lambda: lines[0].over)
        now = await scraped(home)
        assert now["toep_late_total{verdict=bot}"] > 0
        assert now["toep_late_total{verdict=link}"] == 0
        assert now["toep_forfeits_total{why=faults}"] > 0
        assert now["toep_forfeits_total{why=left}"] == 0
        assert now["toep_rejected_total{code=UNAUTHENTICATED}"] == 1
        assert now["toep_rejected_total{code=INVALID_ARGUMENT}"] == 1
        assert now["toep_internal_errors_total"] == 0


@pytest.mark.asyncio
async def test_what_waits_for_a_slow_bot_shows(tmp_path: Path) -> None:
    async with house(tmp_path, metrics=ANYWHERE) as home:
        bots = ["bob", "ann"]
        for number in range(3):
            await home.create(match_id=f"m-{number}", bots=bots)
        slow, fast = await home.line("bob", parallel=1), await home.line("ann")
        await fast.until(lambda: len(fast.asks) == 3)
        await slow.ask()
        now = await scraped(home)
        assert now["toep_queued_asks"] == 2
        assert now["toep_asks_in_flight"] == 4


@pytest.mark.asyncio
async def test_they_are_there_while_the_loop_is_not(tmp_path: Path) -> None:
    """Read in this very thread, so that nothing else happens in it meanwhile."""
    async with house(tmp_path, metrics=ANYWHERE) as home:
        first = values(read(home.server.metrics_address))["toep_loop_silence_seconds"]
        assert values(read(home.server.metrics_address))["toep_loop_silence_seconds"] > first > 0


@pytest.mark.asyncio
async def test_they_name_nobody(tmp_path: Path) -> None:
    """Anybody on this machine can read them: no bot, no match, no token, no seed, no card."""
    tokens = {"anna-the-bot": "secret-a", "bert-the-bot": "secret-b"}
    async with house(tmp_path, metrics=ANYWHERE, organiser="secret-o") as home:
        await home.create("secret-o", match_id="friday-the-match", bots=list(tokens), open_seed=b"")
        await home.played({bot: Caller() for bot in tokens})
        text = await asyncio.to_thread(read, home.server.metrics_address)
        match = home.hall.find("friday-the-match")
        assert isinstance(match, Summary)
        for secret in (*tokens, *tokens.values(), "secret-o", "friday", match.commit):
            assert secret not in text


@pytest.mark.asyncio
async def test_they_are_off_unless_wanted(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        assert home.server.metrics_address == ""


@pytest.mark.parametrize("address", ["256.0.0.1:1", "127.0.0.1:notaport", "127.0.0.1:99999", "127.0.0.1"])
@pytest.mark.asyncio
async def test_an_address_for_metrics_that_is_none(tmp_path: Path, address: str) -> None:
    server = Server(Store(tmp_path), metrics=address)
    with pytest.raises(BindError, match="for metrics"):
        await server.start()
    await server.stop()


@pytest.mark.asyncio
async def test_an_address_for_metrics_that_is_taken(tmp_path: Path) -> None:
    async with house(tmp_path / "a", metrics=ANYWHERE) as home:
        server = Server(Store(tmp_path / "b"), metrics=home.server.metrics_address)
        with pytest.raises(BindError, match=home.server.metrics_address):
            await server.start()
        await server.stop()


# -- counting ----------------------------------------------------------------------------------------------------------


def test_public_records_are_counted_by_kind() -> None:
    counts = Counts()
    counts.told([Late(budget=1, seat=0, verdict="link"), Late(budget=1, seat=1, verdict="bot")])
    counts.told([Late(budget=1, seat=1, verdict="bot"), Forfeit(seat=1, why="left")])
    assert counts.records == {Late: 3, Forfeit: 1}
    assert counts.late == {"bot": 2, "host": 0, "referee": 0, "link": 1}
    assert counts.forfeits == {"faults": 0, "left": 1}


def test_how_late_the_loop_wakes() -> None:
    counts = Counts()
    for late in (0.0, -0.001, 0.0009, 0.001, 0.5):
        counts.woke(late, 7.0)
    assert (counts.stall[0], counts.stall[1], counts.stall[9]) == (3, 1, 1)
    assert counts.worst_stall_ms == 500
    assert counts.woken == 7.0


def test_the_bounds_of_a_histogram(tmp_path: Path) -> None:
    """What took less than so many seconds is in a bucket and in all above it; 1023 ms are less than 1.024 s."""
    hall = Hall(Store(tmp_path), lambda: 0)
    for milliseconds in (0, 1, 1023, 1024, 10**8):
        hall.counts.latency[milliseconds.bit_length()] += 1
        hall.counts.latency_ms += milliseconds
    registry = CollectorRegistry()
    registry.register(HallCollector(hall))
    now = values(generate_latest(registry).decode())
    bucket = "toep_ask_latency_seconds_bucket{le=%s}"
    assert [now[bucket % bound] for bound in ("0.001", "0.002", "0.512", "1.024", "2.048", "1048.576", "+Inf")] == [
        1, 2, 2, 3, 4, 4, 5,
    ]  # fmt: skip
    assert now["toep_ask_latency_seconds_sum"] == pytest.approx(100002.048)
