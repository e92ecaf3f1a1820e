"""Matches that other fixtures are made from."""

from functools import cache
from typing import Any

from referee.cards import bits
from referee.game.chance import odd_card
from referee.game.records import (
    Blind,
    Challenge,
    Chance,
    Exchange,
    Fold,
    Forfeit,
    Peek,
    Play,
    Resign,
    Stay,
    Toep,
    Void,
)
from referee.game.state import Phase
from referee.log.records import Conduct, HeadSeat, Length, Rounds, Ruling
from referee.ruleset import PRESETS, Ruleset
from tests.support.forge import Line, lines
from tests.support.match import seed_of
from tools.log_fixtures.base import ALL, CLUB, NUMBERS, ONE, SHORT
from tools.log_fixtures.changes import _at
from tools.log_fixtures.play import Table, dealt, rules, sealed, spell


def played(preset: str | Ruleset, seats: int, number: int, length: Length = ONE, eager: int = 30, **more: Any) -> bytes:
    """A match by lot; the number was found by trying."""
    chosen = PRESETS[preset] if isinstance(preset, str) else preset
    name = preset if isinstance(preset, str) else "options"
    return Table(chosen, seats, length, name=f"{name}-{seats}-{number}", **more).play(eager).close()


@cache
def cafe() -> bytes:
    """A small round with private lines of every seat, of which views are made too."""
    return played("cafe", 3, NUMBERS["cafe"], eager=40)


@cache
def plain() -> bytes:
    """Two seats, eight cards, nothing else."""
    return Table(name="plain").play(0).close()


@cache
def quiet() -> bytes:
    """A round in which nobody has done anything."""
    table = Table(name="quiet")
    table.deal()
    return table.cancel()


@cache
def finale() -> bytes:
    return Table(CLUB, 2, name="finale").play(0).close()


@cache
def blind() -> bytes:
    """A blind toep, of which one seat goes along, and of those who do not one looks."""
    table = Table(ALL, 5, name="blind")
    table.deal()
    for act in (Blind(seat=1), Stay(seat=2), Fold(seat=3), Fold(seat=4), Fold(seat=0), Peek(seat=3)):
        table.act(act)
    return table.cancel()


@cache
def peek() -> bytes:
    table = Table(ALL, 4, name="peek")
    table.deal()
    table.act(Peek(seat=2))
    return table.cancel()


def _draws(table: Table, hit: bool) -> int:
    """A seat with three alike whose chance draw hits, or does not; -1 if there is none."""
    for seat, hand in enumerate(table.game.hands):
        top = table.game.stock[0]
        if (odd := odd_card(hand)) >= 0 and top is not None:
            return seat if (top % 8 == next(bits(hand & ~(1 << odd))) % 8) is hit else -1
    return -1


def _four_alike(table: Table) -> bool:
    return any(hand and len({card % 8 for card in bits(hand)}) == 1 for hand in table.game.hands)


@cache
def chance(*, hit: bool, declared: bool = False) -> bytes:
    """A chance draw that hits, which ends the round, or does not."""
    table = dealt(lambda table: _draws(table, hit) >= 0 and not _four_alike(table), ALL, 4, "chance", declared=declared)
    table.act(Chance(seat=_draws(table, hit)))
    return table.close() if hit else table.cancel()


@cache
def alike() -> bytes:
    table = dealt(_four_alike, ALL, 8, "alike")
    table.close_windows(Phase.BLIND)
    return table.close()


def _bluff(table: Table, seat: int = 0) -> bool:
    """Whether a hand is no good reason to exchange."""
    return any(card[0] in "89T" for card in table.hands[seat])


@cache
def old_hand() -> bytes:
    table = dealt(lambda table: _bluff(table) and not _four_alike(table), ALL, 3, "old-hand")
    table.act(Exchange(seat=0))
    table.act(Challenge(seat=1))
    return table.cancel()


@cache
def simultaneous() -> bytes:
    """Sealed answers; the tries of seat 3 are used up."""
    table = Table(rules("short", answers="simultaneous"), 4, name="sealed")
    table.deal()
    table.act(Toep(seat=1))
    for _ in range(table.head.conduct.tries):
        table.refuse(Toep(seat=3))
    for act in (Stay(seat=0), Fold(seat=2), Stay(by="ref", seat=3)):
        table.act(act)
    return table.cancel()


@cache
def refusals() -> bytes:
    """Refused acts of both seats, by rules and by codes of the protocol."""
    table = Table(name="refusals", conduct=Conduct(tries=5))
    table.deal()
    first = table.on_turn
    other = 1 - first
    table.refuse(Play(card=table.hands[other][0], seat=first))
    for code in ("malformed", "too_large", "unknown"):
        table.refuse(Fold(seat=first), code=code)
    table.refuse(Fold(seat=other))
    table.go(Play)
    table.refuse(Fold(seat=other), code="not_asked")
    table.refuse(Play(card=table.hands[first][0], seat=other))
    return table.play(0).close()


@cache
def lateness(clock: str) -> bytes:
    """A seat is late with its first card."""
    table = Table(name=f"late-{clock}", clock=clock)
    table.deal()
    table.stood_in()
    return table.play(0).close()


@cache
def forfeited(faults: int = 2) -> bytes:
    """Seat 1 is late twice, and out."""
    table = Table(SHORT, 3, name="faults", conduct=Conduct(faults=faults))
    table.deal()
    for _ in range(faults):
        while table.on_turn != 1:
            table.go(Play)
        table.stood_in()
    table.act(Forfeit(seat=1, why="faults"))
    return table.close()


@cache
def left() -> bytes:
    table = Table(name="left")
    table.deal()
    table.go(Play)
    table.act(Forfeit(seat=1, why="left"))
    return table.close()


@cache
def left_game() -> bytes:
    table = Table(rules("short", game_end="last_standing", limit=2), 3, "game", name="left-game")
    table.deal()
    table.go(Play)
    table.act(Forfeit(seat=0, why="left"))
    return table.play(0).close()


@cache
def late_kinds() -> bytes:
    """A finale in which the referee does much of the playing."""
    table = Table(CLUB, 2, name="late-kinds", clock="ms", isolation="sandbox")
    table.deal()
    table.stood_in("host")
    table.stood_in("referee")
    table.stood_in("link")
    table.do(Toep(seat=table.on_turn), 12)
    table.stood_in("bot")
    return table.close()


@cache
def last_point() -> bytes:
    table = Table(rules("classic-all", limit=1), 3, "game", name="last-point")
    table.deal()
    table.act(Peek(seat=2))
    return table.play(0).close()


@cache
def house_blind() -> bytes:
    table = Table(rules("classic-all", blind_who="anyone", blind_stake=2), 4, name="house-blind")
    table.deal()
    table.act(Blind(seat=3))
    table.go(Stay)
    return table.cancel()


@cache
def resigned() -> bytes:
    """A game of three to the last one standing, in which seat 0 gives up in the first round."""
    table = Table(rules("short", game_end="last_standing", limit=1), 3, "game", name="resigned")
    table.deal()
    table.go(Play)
    table.act(Resign(seat=0))
    return table.play(0).close()


@cache
def crashed() -> bytes:
    table = Table(length=Rounds(rounds=2), name="crashed")
    table.deal()
    table.go(Play)
    table.act(Void(why="crash"))
    return table.play(0).close()


@cache
def contributed() -> bytes:
    entropy = [seed_of("one").hex(), None, seed_of("three").hex()]
    table = Table(SHORT, 3, name="entropy", entropy=entropy)
    table.deal()
    return table.cancel()


@cache
def ruled() -> bytes:
    table = Table(name="rulings")
    table.log.append(Ruling(why="seat 1 may take its time"))
    table.deal()
    table.log.append(Ruling(seat=1, why="warned for talking"))
    table.act(Void(why="cancelled"))
    table.log.append(Ruling(why=""))
    return table.close()


@cache
def named() -> bytes:
    names = ('Zo\N{LATIN SMALL LETTER E WITH DIAERESIS} "de knal" \\o/', "\U0001f0cf")
    table = Table(name="names-~!", bots=[HeadSeat(bot=names[0]), HeadSeat(bot=names[1], key="k")])
    table.deal()
    return table.cancel()


@cache
def extended() -> bytes:
    """Extensions in the head, an act and a round; the act's line is as long as a line may be."""
    records: list[Line | bytes] = [*lines(plain())]
    at = _at(records, "play")
    for index, more in ((0, {"x_url": 'https://example.org/\\"'}), (2, {"x_n": -(2**53) + 1}), (at, {"x_note": ""})):
        records[index] = {**records[index], **more}  # type: ignore[dict-item]
    play = records[at]
    assert isinstance(play, dict)
    play["x_note"] = "a" * (16384 - len(spell(play)))
    return sealed(records)


@cache
def valid_open() -> bytes:
    """A round under a declared seed."""
    return Table(name="declared", declared=True).play(0).close()
