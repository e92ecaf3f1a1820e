"""Views: the lines that a seat may not see are hidden, and nothing else changes."""

import random
from base64 import b64decode

import pytest
from msgspec.structs import replace

from referee.game.records import NO_SALT, Blind, Cards, Discard, Fold, Peek, Play, Round, Score
from referee.game.state import Phase
from referee.log.canonical import encode
from referee.log.reader import decode_bytes
from referee.log.records import PRIVATE, AnyRecord, Head, Redacted, Refused, Seal
from referee.log.redact import Redactor, hidden
from referee.log.seal import base64_root
from referee.log.tree import Tree, leaf_hash
from referee.replay import Replay
from referee.ruleset import CAFE, resolve
from tests.support.match import Match

BLIND = resolve({"preset": "cafe", "blind": True, "blind_who": "anyone"})


def records_of(data: bytes) -> list[AnyRecord]:
    return [decode_bytes(line) for line in data.splitlines()]


def view(data: bytes, seat: int | None) -> bytes:
    redactor = Redactor(seat)
    lines = [out for line in data.splitlines() for out in redactor.feed(line, decode_bytes(line))]
    lines += redactor.finish()
    assert redactor.hidden == sum(line.startswith(b'{"_":"~"') for line in lines)
    assert redactor.private == sum(isinstance(decode_bytes(line), PRIVATE) for line in lines)
    return b"".join(line + b"\n" for line in lines)


def check_seals(data: bytes) -> int:
    """How many seals state the root over the lines before them."""
    tree = Tree()
    seals = 0
    for line in data.splitlines():
        record = decode_bytes(line)
        if isinstance(record, Seal):
            assert record.root == base64_root(tree.root())
            seals += 1
        if isinstance(record, Redacted):
            tree.append_leaf(b64decode(record.hash))
        else:
            tree.append(line)
    return seals


def may_see(data: bytes, seat: int | None) -> bytes:
    """The view, made slowly and with the whole game at hand."""
    lines = data.splitlines()
    records = records_of(data)
    replay, seen, number = Replay(), [], 0
    for record in records:
        replay.feed(record)
        if isinstance(record, Round):
            seen.append(0)
        elif seen and replay.game is not None and not isinstance(record, Score):
            seen[-1] |= replay.game.seen
    out = []
    for line, record in zip(lines, records, strict=True):
        number += isinstance(record, Round)
        mine = isinstance(record, Cards | Discard | Refused) and record.seat == seat
        looked = mine and seat is not None and seen[number - 1] >> seat & 1
        shown = not isinstance(record, PRIVATE) or (mine and (looked or not isinstance(record, Cards)))
        out.append((line if shown else hidden(line)) + b"\n")
    return b"".join(out)


@pytest.mark.parametrize("preset", ["cafe", "classic-all", "club", "blind"])
def test_a_view_shows_what_the_seat_has_seen(preset: str) -> None:
    rules = BLIND if preset == "blind" else resolve(preset)
    for number in range(4):
        match = Match(rules, 4, name=f"view-{preset}-{number}")
        data = match.play_on(eagerness=random.Random(number).choice((0.05, 0.3, 0.6)), resigns=True).close()
        for seat in (None, 0, 1, 2, 3):
            made = view(data, seat)
            assert made == may_see(data, seat)
            assert check_seals(made) == check_seals(data) > 2
            assert view(made, seat) == made


def test_a_hidden_line_is_its_leaf() -> None:
    line = encode(Cards(cards=["Th"], salt="0" * 32, seat=1, why="chance"))
    record = decode_bytes(hidden(line))
    assert isinstance(record, Redacted)
    assert b64decode(record.hash) == leaf_hash(line)


def blind_round(*, peek: bool) -> bytes:
    """Seat 1 toeps blind, 2 and 0 decline; 2 looks at its cards, if it does. Seat 3 goes along, and play begins."""
    match = Match(BLIND, 4, name="blind")
    match.deal()
    match.act(Blind(seat=1))
    for seat in (2, 3, 0):
        acts = match.game.legal(seat)
        kind = "Stay" if seat == 3 else "Fold"
        match.act(next(act for act in acts if type(act).__name__ == kind))
    if peek:
        match.act(Peek(seat=2))
    match.close_windows(Phase.BLIND)
    match.act(next(act for act in match.game.legal(1) if isinstance(act, Play)))
    return match.data()


@pytest.mark.parametrize("peek", [False, True])
def test_who_declines_blind_sees_nothing_unless_he_looks(peek: bool) -> None:
    data = blind_round(peek=peek)
    shown = {
        seat: [record.seat for record in records_of(view(data, seat)) if isinstance(record, Cards)] for seat in range(4)
    }
    assert shown == {0: [], 1: [1], 2: [2] if peek else [], 3: [3]}
    assert all(may_see(data, seat) == view(data, seat) for seat in range(4))


def test_an_unfinished_log_ends_with_unseen_hands() -> None:
    match = Match(BLIND, 3, name="unfinished")
    match.deal()
    made = records_of(view(match.data(), 0))
    assert not any(isinstance(record, Cards) for record in made)
    assert len(made) == len(match.data().splitlines())


def test_refused_acts_are_for_their_seat() -> None:
    match = Match(CAFE, 3, name="refused")
    match.deal()
    match.refuse(Fold(seat=1))
    data = match.play_on(stop_after_deals=1).data()
    for seat in range(3):
        found = [record for record in records_of(view(data, seat)) if isinstance(record, Refused)]
        assert len(found) == (seat == 1)


def test_views_of_views() -> None:
    data = Match(CAFE, 3, name="twice").play_on().close()
    assert view(view(data, 1), 2) == view(data, None) == view(view(data, None), 1)
    assert view(data, 0) != view(data, None)


def test_nothing_is_shown_before_it_is_known_that_the_seat_may_see_it() -> None:
    cards = Cards(cards=["Th"], salt=NO_SALT.rjust(32, "0"), seat=0, why="deal")
    redactor = Redactor(0)
    assert redactor.feed(encode(cards), cards) == []
    assert redactor.finish() == [hidden(encode(cards))]
    assert redactor.finish() == []
    head = replace(Match(CAFE, 3, name="head").head, rules=CAFE)
    assert isinstance(head, Head)
    assert redactor.feed(encode(head), head) == [encode(head)]
    assert redactor.feed(encode(cards), cards) == [encode(cards)]
