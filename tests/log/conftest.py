"""One good record of every kind, shared by the tests of the log."""

import pytest

from referee.game import records as game
from referee.game.records import Record
from referee.log import records as log
from referee.ruleset import CAFE

SALT = "0123456789abcdef" * 2
HASH = "0123456789abcdef" * 4
BASE64 = "A" * 43 + "="


def one_of_each() -> list[Record]:
    """Every kind of record at least once, complete as in a log."""
    play = game.Play(card="Th", seat=2)
    return [
        log.Head(
            clock="ms",
            commit=HASH,
            conduct=log.Conduct(),
            deals="block-1",
            edition=log.EDITION,
            engine="toep 0.1.0",
            event="club-night",
            fmt=log.FORMAT,
            isolation="uid",
            key="referee+00000000+AAAA",
            length=log.Rounds(rounds=20),
            match="m-1",
            open_seed=HASH,
            rules=CAFE,
            seats=[log.HeadSeat(bot="Jopie"), log.HeadSeat(bot='Zoë "de Slag" \\', key="zoe+1")],
            shuffle=log.SHUFFLE,
        ),
        log.Entropy(e=[HASH, None]),
        game.Draw(cards=[(0, "Js"), (1, "Th")]),
        game.Round(dealer=0, round=1, try_=1),
        game.Cut(at=7, seat=1),
        game.Cards(cards=["Th", "Js", "7d", "Qc"], salt=SALT, seat=0, why="deal"),
        game.Blind(seat=1, stake=3),
        game.Peek(seat=1),
        game.Chance(seat=0),
        game.Exchange(ms=12, seat=0),
        game.Challenge(genuine=False, seat=1, shown=["Qc", "7d", "Js", "Th"]),
        game.Signal(seat=1, sign="whistle"),
        game.Toep(by="ref", seat=0, stake=2),
        game.Stay(ms=2**53 - 1, seat=1),
        game.Fold(pay=1, seat=1),
        play,
        game.Discard(cards=["7d"], salt=SALT, seat=0),
        game.Confess(card="Th", seat=2),
        game.Resign(seat=1),
        game.Forfeit(seat=1, why="faults"),
        game.Void(why="crash"),
        game.Auto(seats=[0, 1]),
        game.Open(seats=[1], stake=2),
        game.Show(cards=["Jc", "Jd", "Js", "Jh"], seat=0),
        game.Penalty(points=1, seat=1, why="R-WAS-07"),
        game.Trick(lead=1, win=1),
        log.Refused(at=4, code="R-PLAY-02", got=play, salt=SALT, seat=2),
        log.Refused(at=4, code="malformed", salt=SALT, seat=2),
        game.Score(points=[0, -1], total=[3, 10]),
        game.Out(seat=1, why="limit"),
        log.Late(budget=2000, elapsed=2001, seat=1, verdict="host"),
        log.Ruling(seat=1, why="the bot crashed; played on"),
        log.End(n=31, rank=[1, 2], status="complete", total=[3, 10]),
        log.Reveal(seed=HASH),
        log.Seal(n=33, root=BASE64, sig=[("referee", "AAAA")]),
        log.Redacted(hash=BASE64),
    ]


@pytest.fixture(scope="session")
def records() -> list[Record]:
    return one_of_each()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for ``any_record`` runs once for every kind."""
    if "any_record" in metafunc.fixturenames:
        samples = one_of_each()
        metafunc.parametrize(
            "any_record", samples, ids=[f"{n}-{type(sample).__name__}" for n, sample in enumerate(samples)]
        )
