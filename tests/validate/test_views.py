"""Views: what they hide is written anew from the seed, once that is known, and checked."""

import random
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import zstandard

from referee.cards import NAMES
from referee.game.game import Game
from referee.game.records import Play, Stay
from referee.log.reader import decode_bytes
from referee.log.records import Conduct, Rounds
from referee.log.redact import Redactor, hidden
from referee.log.tree import leaf_hash
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import PRESETS, resolve
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player, run_to_end
from referee.table.messages import Ask
from referee.table.steps import Answer
from referee.table.table import Malformed, Table
from referee.validate.validator import validate_path
from tests.support import forge
from tests.support.forge import Line
from tests.validate.conftest import check, only_error


@cache
def log(preset: str, seats: int, seed: int = 1, *, declared: bool = False) -> bytes:
    """A match in which everybody tries what is not allowed now and then."""
    rules = resolve(preset)
    conduct = Conduct(faults=0, tries=3)
    bots = [f"bot {seat}" for seat in range(seats)]
    plan = MatchPlan(rules=rules, bots=bots, length=Rounds(rounds=6), conduct=conduct, clock="none")
    secret = seed.to_bytes(32, "big")
    head = make_head(plan, secret, declared=declared)
    sink = MemorySink()
    legal = random_player(head.match, 0.2)

    def player(game: Game, ask: Ask) -> Answer | Malformed:
        rng = random.Random(f"{ask.seat}/{ask.id}")
        if rng.random() < 0.1:
            card = Play(card=rng.choice(NAMES), seat=ask.seat)
            odd: list[Answer | Malformed] = [card, Stay(seat=ask.seat), Malformed("no act")]
            return rng.choice(odd)
        return legal(game, ask)

    run_to_end(Table(head, secret, LogWriter(sink, match=head.match)), player)
    return bytes(sink.data)


def view(data: bytes, seat: int | None = None) -> bytes:
    """A view for a seat, or for spectators."""
    redactor = Redactor(seat)
    lines = [out for line in data.splitlines() for out in redactor.feed(line, decode_bytes(line))]
    return b"".join(line + b"\n" for line in [*lines, *redactor.finish()])


@pytest.mark.parametrize("seat", [None, 1], ids=["spectator", "seat"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_is_as_good_as_its_log_once_the_seed_is_out(preset: str, seat: int | None) -> None:
    data = log(preset, 4)
    report = check(view(data, seat))
    assert report.verdict == "VALID", report
    assert report.hidden == report.opened > 0
    assert [(level.level, level.status) for level in report.levels] == [
        (level.level, level.status) for level in check(data).levels
    ]
    assert b'"_":"refused"' in data


def test_a_finale_is_opened_too() -> None:
    data = _finale()
    report = check(view(data))
    assert (report.verdict, report.hidden) == ("VALID", report.opened)


@cache
def _finale() -> bytes:
    rules = resolve({"preset": "club", "limit": 5})
    for seed in range(200):
        sink = MemorySink()
        plan = MatchPlan(rules=rules, bots=["a", "b", "c"], conduct=Conduct(faults=0), clock="none")
        secret = seed.to_bytes(32, "big")
        head = make_head(plan, secret, declared=False)
        run_to_end(Table(head, secret, LogWriter(sink, match=head.match)), random_player(head.match, 0.1))
        if b'"_":"discard"' in sink.data:
            return bytes(sink.data)
    raise AssertionError("no finale")


def test_a_declared_seed_opens_a_view_that_has_no_reveal_yet() -> None:
    data = view(log("cafe", 3, declared=True))
    unrevealed = b"".join(data.splitlines(keepends=True)[:-2])
    report = check(unrevealed)
    assert (report.verdict, report.missing) == ("INCOMPLETE", ["reveal"])
    assert report.hidden == report.opened > 0


def test_without_its_seed_a_view_stays_closed() -> None:
    data = view(log("cafe", 3))
    report = check(b"".join(data.splitlines(keepends=True)[:-2]))
    assert (report.verdict, report.opened) == ("INCOMPLETE", 0)
    assert next(finding.code for finding in report.warnings) in ("W004", "W005")


def forged(data: bytes, tag: str, change: Callable[[Line], object], number: int = 0) -> bytes:
    """A spectator's view of a log in which one private record was changed."""

    def edit(records: list[Line]) -> None:
        record = records[forge.find(records, tag, number)]
        change(record)
        line = forge.encode(record)
        record.clear()
        record.update({"_": "~", "hash": b64encode(leaf_hash(line)).decode()})

    return view(forge.rewrite(data, edit))


def test_other_cards_than_the_seeds_are_found_in_a_view() -> None:
    data = forged(log("cafe", 3), "cards", lambda record: record["cards"].reverse(), number=1)
    assert (only_error(data).code, only_error(data).line) == ("E415", 5)


def test_other_cards_than_the_seeds_are_found_in_a_line_that_is_shown() -> None:
    """Also when they are cards of a hand that is hidden: the shown line is the one to blame."""
    records = forge.lines(log("cafe", 3))
    first, second = forge.find(records, "cards"), forge.find(records, "cards", 1)
    records[first]["cards"] = records[second]["cards"]
    error = only_error(view(forge.seal(records), records[first]["seat"]))
    assert (error.code, error.line) == ("E410", first + 1)


def test_an_exchange_of_other_cards_is_found_in_a_view() -> None:
    base = log("cafe", 4)
    number = next(
        number for number, record in enumerate(r for r in forge.lines(base) if r["_"] == "cards")
        if record["why"] == "exchange"
    )  # fmt: skip
    data = forged(base, "cards", lambda record: record["cards"].reverse(), number)
    assert only_error(data).code == "E415"


def test_a_hidden_line_where_nothing_private_may_stand() -> None:
    records = forge.lines(log("cafe", 3))
    at = forge.find(records, "play")
    records.insert(at, {"_": "~", "hash": b64encode(b"\x01" * 32).decode()})
    assert only_error(view(forge.seal(records))).code == "E397"


def test_a_refusal_that_cannot_be_worked_out_leaves_the_view_unchecked() -> None:
    base = log("cafe", 3)
    report = check(forged(base, "refused", lambda record: record.update(salt="0" * 32)))
    assert report.verdict == "INCOMPLETE"
    assert report.missing == ["the hidden lines"]
    assert 0 < report.opened < report.hidden


def test_the_wrong_seed_is_found_in_a_view() -> None:
    base = view(log("cafe", 3))
    records = forge.lines(base)
    records[forge.find(records, "reveal")]["seed"] = "0" * 64
    error = only_error(forge.seal(records))
    assert (error.code, error.line) == ("E401", len(records) - 1)


def test_an_illegal_card_is_found_behind_hidden_lines() -> None:
    base = log("short", 3)
    records = forge.lines(base)
    hands = [set(record["cards"]) for record in records if record["_"] == "cards"][:3]
    at = forge.find(records, "play")
    records[at]["card"] = min(set(NAMES) - set.union(*hands))
    error = only_error(view(forge.seal(records)))
    assert (error.code, error.line) == ("E330", at + 1)


def test_a_compressed_view_is_read_twice(tmp_path: Path) -> None:
    data = view(log("cafe", 3))
    path = tmp_path / "view.toep.zst"
    path.write_bytes(zstandard.compress(data))
    assert validate_path(path).verdict == "VALID"


def test_a_hidden_line_is_the_leaf_of_what_it_hides() -> None:
    line = log("cafe", 3).splitlines()[3]
    assert hidden(line) == b'{"_":"~","hash":"%s"}' % b64encode(leaf_hash(line))
