"""Deal sets: the same cards in several matches, and no seed before all of them are over."""

import asyncio
import stat
from pathlib import Path

import grpc
import pytest

from referee.cli.main import run
from referee.game.records import Cards
from referee.log.keyfile import write_key
from referee.log.note import Signer
from referee.log.records import Head, Reveal
from referee.log.reveal import RevealError, reveal, standing
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player, run_to_end
from referee.table.table import Table
from referee.v1 import referee_service_pb2 as pb
from referee.validate.validator import validate_path
from tests.support.tables import only, records_of, verified
from tests.support.wire import PATIENCE, SERVICE, House, eventually, house, refusal

SIGNER = Signer("club.example/referee", bytes(range(32)))
SEED = bytes(range(1, 33))


async def close_deals(home: House, deals: str, token: str = "") -> pb.CloseDealsResponse:
    call = home.channel.unary_unary(
        SERVICE + "CloseDeals",
        request_serializer=pb.CloseDealsRequest.SerializeToString,
        response_deserializer=pb.CloseDealsResponse.FromString,
    )
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    response = await call(pb.CloseDealsRequest(deals=deals), timeout=PATIENCE, metadata=metadata)
    assert isinstance(response, pb.CloseDealsResponse)
    return response


async def create(home: House, match: str, deals: str = "night") -> pb.MatchInfo:
    bots = ["ann", "bob", "cor", "dee"]
    turn = int(match[-1])
    return await home.create(match_id=match, deals=deals, open_seed=b"", bots=bots[turn:] + bots[:turn], rounds=3)


async def play_all(home: House, matches: int) -> None:
    lines = await home.lines()
    await asyncio.gather(*(line.play(matches) for line in lines))
    for line in lines:
        await line.leave()


@pytest.mark.asyncio
async def test_a_set_has_the_same_cards_and_is_revealed_when_it_is_closed(tmp_path: Path) -> None:
    async with house(tmp_path, signer=SIGNER) as home:
        infos = [await create(home, "m-0"), await create(home, "m-1")]
        assert infos[0].commit == infos[1].commit
        await play_all(home, 2)
        for match in ("m-0", "m-1"):
            assert not (await home.get(match)).revealed
            assert "deal set night" in (await refusal(home.download(match)))[1]
            assert stat.S_IMODE((tmp_path / f"{match}.toep").stat().st_mode) == 0o600
            assert stat.S_IMODE((tmp_path / f"{match}.toep.seed").stat().st_mode) == 0o600
            report = validate_path(tmp_path / f"{match}.toep")
            assert (report.verdict, report.missing) == ("INCOMPLETE", ["reveal"])
            assert "W004" in [finding.code for finding in report.warnings]
        closed = await close_deals(home, "night")
        assert (closed.playing, closed.final) == (0, 2)
        await eventually(lambda: not list(tmp_path.glob("*.seed")))
        logs = [verified(await home.download(match)) for match in ("m-0", "m-1")]
        assert (await home.get("m-1")).revealed
    assert [only(Head, log)[0].deals for log in logs] == ["night", "night"]
    hands = [[record.cards for record in only(Cards, log) if record.why == "deal"] for log in logs]
    assert sorted(map(sorted, hands[0][:4])) == sorted(map(sorted, hands[1][:4]))
    assert only(Reveal, logs[0]) == only(Reveal, logs[1])


@pytest.mark.asyncio
async def test_a_set_that_is_closed_early_is_revealed_with_its_last_match(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await create(home, "m-0")
        await create(home, "m-1")
        assert (await close_deals(home, "night")).playing == 2
        code, why = await refusal(create(home, "m-2"))
        assert (code, "night is closed" in why) == (grpc.StatusCode.FAILED_PRECONDITION, True)
        await play_all(home, 2)
        await eventually(lambda: not list(tmp_path.glob("*.seed")))
        for match in ("m-0", "m-1"):
            verified(home.log(match))


@pytest.mark.asyncio
async def test_closing_a_set_that_is_not_there(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        assert (await refusal(close_deals(home, "night")))[0] is grpc.StatusCode.NOT_FOUND
    async with house(tmp_path, organiser="boss") as home:
        assert (await refusal(close_deals(home, "night", "other")))[0] is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.asyncio
async def test_a_referee_that_is_started_again_goes_on_with_its_sets(tmp_path: Path) -> None:
    async with house(tmp_path, signer=SIGNER) as home:
        await create(home, "m-0")
        await play_all(home, 1)
    assert (tmp_path / "m-0.toep.seed").exists()
    async with house(tmp_path, signer=SIGNER) as home:
        home.hall.sets.take_up()
        info = await create(home, "m-1")
        assert info.commit == only(Head, records_of(home.log("m-0")))[0].commit
        await play_all(home, 1)
        assert (await close_deals(home, "night")).final == 2
        await home.hall.sets.wait()
    for match in ("m-0", "m-1"):
        verified((tmp_path / f"{match}.toep").read_bytes())
    assert home.files() == ["m-0.toep", "m-1.toep"]


@pytest.mark.asyncio
async def test_what_a_crash_left_between_end_and_reveal_is_finished(tmp_path: Path) -> None:
    path = held(tmp_path, deals="")
    async with house(tmp_path) as home:
        home.hall.sets.take_up()
        await home.hall.sets.wait()
    verified(path.read_bytes())
    assert not path.with_name(path.name + ".seed").exists()


@pytest.mark.asyncio
async def test_what_cannot_be_revealed_keeps_its_seed(tmp_path: Path) -> None:
    path = held(tmp_path, deals="", signer=SIGNER)
    before = path.read_bytes()
    async with house(tmp_path) as home:  # Without the key.
        home.hall.sets.take_up()
        await home.hall.sets.wait()
    assert path.read_bytes() == before
    assert path.with_name(path.name + ".seed").exists()


def held(folder: Path, deals: str = "night", signer: Signer | None = None) -> Path:
    """A log that is final and not revealed, with its seed beside it."""
    plan = MatchPlan(rules=resolve("short"), bots=["a", "b"], match="m-9", deals=deals)
    head = make_head(plan, SEED, declared=False, key=signer.vkey if signer else "")
    sink = MemorySink()
    log = LogWriter(sink, match=head.match, signer=signer)
    run_to_end(Table(head, SEED, log, hold=True), random_player("m-9"))
    path = folder / "m-9.toep"
    path.write_bytes(sink.data)
    seed = path.with_name(path.name + ".seed")
    seed.write_text(SEED.hex() + "\n")
    seed.chmod(0o600)
    return path


def test_a_log_is_revealed_once(tmp_path: Path) -> None:
    path = held(tmp_path)
    assert standing(path).stage == "final"
    assert reveal(path, SEED)
    assert standing(path).stage == "complete"
    data = path.read_bytes()
    assert not reveal(path, SEED)
    assert path.read_bytes() == data
    verified(data)


@pytest.mark.parametrize("cut", [1, 20, 100, 110, 200])
def test_a_reveal_that_a_crash_cut_off_is_finished(tmp_path: Path, cut: int) -> None:
    path = held(tmp_path)
    final = path.stat().st_size
    reveal(path, SEED)
    whole = path.read_bytes()
    path.write_bytes(whole[: final + min(cut, len(whole) - final - 1)])
    assert reveal(path, SEED)
    assert path.read_bytes() == whole


def test_what_is_not_revealed(tmp_path: Path) -> None:
    path = held(tmp_path)
    data = path.read_bytes()
    for seed, signer, code in ((bytes(32), None, "seed"), (SEED, SIGNER, "key")):
        with pytest.raises(RevealError) as caught:
            reveal(path, seed, signer)
        assert caught.value.code == code
        assert path.read_bytes() == data
    lines = data.splitlines(keepends=True)
    for wrong, code in (
        (b"".join(lines[:-2]), "stage"),
        (b"", "log"),
        (b"x\n", "log"),
        (data.replace(b"a", b"b"), "log"),
    ):
        path.write_bytes(wrong)
        with pytest.raises(RevealError) as caught:
            reveal(path, SEED)
        assert caught.value.code == code
        assert path.read_bytes() == wrong


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = held(tmp_path, signer=SIGNER)
    key = tmp_path / "referee.key"
    write_key(key, SIGNER)
    assert run(["reveal", str(path)]) == 2
    assert "signed by another key" in capsys.readouterr().err
    assert run(["reveal", "--key", str(key), str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: revealed\n"
    verified(path.read_bytes())
    assert run(["reveal", "--key", str(key), str(path)]) == 2
    err = capsys.readouterr().err
    assert "there is no seed beside it" in err
    assert SEED.hex() not in err
