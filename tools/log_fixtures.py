"""Make the log fixtures of fixtures/log anew, to see how each of them came about.

    python -m tools.log_fixtures FOLDER

FOLDER is made, or is empty: nothing is ever overwritten, and the committed files least of all. Every run makes the same
bytes (of compressed logs: the same content). What is expected of each file is stated here, next to how it is made, and
never asked from the validator: `tests/validate/test_log_fixtures.py` compares the two.

Cards follow from a seed, so a log with certain cards is found by trying match ids one after the other.
"""

import argparse
import hashlib
import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import zstandard
from msgspec import UNSET
from msgspec.structs import replace

from referee.cards import INDEX, NAMES, bits
from referee.deal import Deals
from referee.game.chance import odd_card
from referee.game.records import (
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Discard,
    Exchange,
    Fold,
    Forfeit,
    Peek,
    Play,
    Resign,
    Signal,
    Stay,
    Toep,
    Void,
)
from referee.game.state import Phase
from referee.log.canonical import encode
from referee.log.note import Signer
from referee.log.reader import RawLine, decode
from referee.log.records import PRIVATE, Conduct, Entropy, HeadSeat, Late, Length, Rounds, Ruling
from referee.log.redact import Redactor
from referee.log.seal import base64_root, checkpoint
from referee.log.tree import Tree
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import PRESETS, Ruleset
from tests.support.forge import Line, find, lines
from tests.support.match import Match, seed_of

KEY: Final = Signer("test-key.example/not-secret", hashlib.sha256(b"test key of fixtures/log, not secret").digest())
"""A key for these files only. Everybody has its private half, so its signature on anything else means nothing."""

OTHER: Final = Signer(KEY.name, hashlib.sha256(b"another test key of fixtures/log, not secret").digest())
ONE: Final = Rounds(rounds=1)
SHORT: Final = PRESETS["short"]
ALL: Final = PRESETS["classic-all"]
CLUB: Final = PRESETS["club"]
VALID, INVALID, UNREADABLE, UNSUPPORTED, INCOMPLETE = "VALID", "INVALID", "UNREADABLE", "UNSUPPORTED", "INCOMPLETE"
EXIT: Final = {VALID: 0, INVALID: 1, UNREADABLE: 2, UNSUPPORTED: 3, INCOMPLETE: 4}
WRONG_ROOT: Final = b64encode(bytes(32)).decode()


# -- what there is to make ---------------------------------------------------------------------------------------------


class Check(NamedTuple):
    """What is expected of a file, checked with some options."""

    verdict: str
    code: str = ""
    """Of the first error."""

    line: int = 0
    rule: str = ""
    warnings: tuple[str, ...] = ()
    key: str = ""
    level: str = ""

    def fields(self, file: str, about: str) -> dict[str, Any]:
        """An entry of ``verify`` in the expectations."""
        fields: dict[str, Any] = {"about": about, "exit": EXIT[self.verdict], "file": file, "findings": []}
        if self.code:
            finding: dict[str, Any] = {"code": self.code, "level": f"L{self.code[1]}", "line": self.line}
            fields["findings"] = [finding | ({"rule": self.rule} if self.rule else {})]
        options = {name: value for name, value in (("key", self.key), ("level", self.level)) if value}
        return fields | ({"options": options} if options else {}) | {
            "verdict": self.verdict, "warnings": sorted(self.warnings),
        }  # fmt: skip


class Fixture(NamedTuple):
    """A file, and what is expected of it."""

    file: str
    about: str
    data: bytes
    checks: tuple[Check, ...]


class Pair(NamedTuple):
    """Two files for ``toep diff --fork``."""

    about: str
    a: str
    b: str
    result: str
    line: int = 0
    """The first one that differs."""

    n: tuple[int, int] | None = None
    """Of the seals that contradict each other."""

    key: str = ""

    def fields(self) -> dict[str, Any]:
        """An entry of ``fork`` in the expectations."""
        exits = {"FORK": 5, "NO FORK": 0, "NOTHING PROVEN": 4, "DIFFERENT MATCHES": 2}
        return {
            "a": self.a, "about": self.about, "b": self.b, "exit": exits[self.result],
            **({"line": self.line} if self.line else {}), **({"n": list(self.n)} if self.n else {}),
            **({"options": {"key": self.key}} if self.key else {}), "result": self.result,
        }  # fmt: skip


# -- playing -----------------------------------------------------------------------------------------------------------


class Dice:
    """Numbers that depend on a name only, under every version of Python."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rolls = 0

    def below(self, limit: int) -> int:
        self._rolls += 1
        digest = hashlib.sha256(f"{self._name}/{self._rolls}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def happens(self, percent: int) -> bool:
        return self.below(100) < percent


class Table(Match):
    """A match whose every step is decided here; what is written is what a referee would write."""

    def __init__(
        self, rules: Ruleset = SHORT, seats: int = 2, length: Length = ONE, *, name: str, signer: Signer | None = None,
        entropy: list[str | None] | None = None, clock: str = "none", declared: bool = False,
        conduct: Conduct | None = None, **head: Any,
    ) -> None:  # fmt: skip
        super().__init__(rules, seats, length, name=name, clock=clock, declared=declared, conduct=conduct)
        self.head = replace(self.head, key=signer.vkey if signer else UNSET, **head)
        self.sink = MemorySink()
        self.log = LogWriter(self.sink, match=name, signer=signer)
        self.log.append(self.head)
        self.log.seal()
        if entropy is not None:
            self.log.append(Entropy(e=entropy))
            self.deals = Deals(
                self.seed, self.head.deals, [None if one is None else bytes.fromhex(one) for one in entropy]
            )

    @property
    def on_turn(self) -> int:
        """Who must act, or acts first of several."""
        return self.game.asks()[0][0]

    @property
    def hands(self) -> list[list[str]]:
        """The cards held, by seat."""
        return [[NAMES[card] for card in bits(hand)] for hand in self.game.hands]

    def legal(self, seat: int, kind: type[AnyAct]) -> list[AnyAct]:
        """The legal acts of a kind, in an order that depends on nothing else."""
        return sorted((act for act in self.game.legal(seat) if isinstance(act, kind)), key=encode)

    def go(self, kind: type[AnyAct], seat: int = -1, number: int = 0) -> AnyAct:
        """Some legal act of a kind, of the seat that must act if none is given."""
        act = self.legal(self.on_turn if seat < 0 else seat, kind)[number]
        self.act(act)
        return act

    def cards(self, count: int) -> "Table":
        """So many cards are played, each the first legal one."""
        for _ in range(count):
            self.go(Play)
        return self

    def cancel(self) -> bytes:
        """The round that is running is called off, and the match is over."""
        self.act(Void(why="cancelled"))
        return self.close()

    def stood_in(self, *, late: bool = True) -> AnyAct:
        """The referee acts for the seat that must."""
        seat = self.on_turn
        if late:
            budget = self.head.conduct.act_ms
            elapsed = budget + 7 if self.head.clock == "ms" else UNSET
            self.log.append(Late(budget=budget, elapsed=elapsed, seat=seat, verdict="bot"))
        self.referee()
        return seat  # type: ignore[return-value]

    def play(self, eager: int = 10, deals: int = 0, resigns: int = 0) -> "Table":
        """Legal acts by lot to the end of the match, or until so many deals are done; ``eager``: how often, in percent,
        somebody does what he need not."""
        dice, game = Dice(self.head.match), self.game
        while not game.over:
            if game.needs_deal:
                if game.deals >= (deals or self.head.conduct.max_deals):
                    break
                self.deal(cut=1 + dice.below(31) if game.rules.cut and dice.happens(50) else 0)
                continue
            must, windows = game.asks()
            if windows and (not must or dice.happens(eager)):
                acts = sorted(game.legal(windows[dice.below(len(windows))]), key=encode)
            else:
                acts = sorted(game.legal(must[0]), key=encode)
                if not game.answer_queue and not dice.happens(eager):
                    acts = [act for act in acts if isinstance(act, Play | Discard)]
            act = acts[dice.below(len(acts))]
            if resigns and dice.happens(resigns):
                act = Resign(seat=act.seat)
            self.do(act, dice.below(1000))
        return self

    def do(self, act: AnyAct, ms: int = 0) -> None:
        """An act of a player, with the time that he took where there is a clock."""
        timed = self.head.clock == "ms" and not isinstance(act, PRIVATE)
        self.act(replace(act, ms=ms) if timed else act)


def dealt(
    condition: Callable[[Table], bool], rules: Ruleset = SHORT, seats: int = 2, name: str = "cards", **more: Any
) -> Table:
    """A match whose first round has just been dealt, with cards of a certain kind."""
    for number in count():
        table = Table(rules, seats, name=f"{name}-{number}", **more)
        table.deal()
        if condition(table):
            return table
    raise AssertionError


def rules(preset: str, **options: Any) -> Ruleset:
    """A preset with overrides."""
    return replace(PRESETS[preset], **options)


# -- sealing -----------------------------------------------------------------------------------------------------------


def spell(record: Line) -> bytes:
    """A record in its one spelling."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sealed(records: list[Line | bytes], signer: Signer | None = None, keep: tuple[int, ...] = ()) -> bytes:
    """A log of these records, and of lines as they are, with every count, root and signature right.

    The records ``keep`` (by index) stay as they are.
    """
    tree = Tree()
    out = bytearray()
    for index, record in enumerate(records):
        line = record if isinstance(record, bytes) else spell(_fixed(record, tree, records[0], signer, index in keep))
        tree.append(line)
        out += line + b"\n"
    return bytes(out)


def _fixed(record: Line, tree: Tree, head: Line | bytes, signer: Signer | None, keep: bool) -> Line:
    fixed = dict(record)
    if keep or not tree.size:
        return fixed
    if fixed["_"] in ("seal", "end") and "n" in fixed:
        fixed["n"] = tree.size
    if fixed["_"] == "seal":
        fixed["root"] = base64_root(tree.root())
        if signer and isinstance(head, dict):
            fixed["sig"] = [list(signer.sign(checkpoint(head["match"], tree.size, tree.root())))]
    return fixed


def view(data: bytes, seat: int | None) -> bytes:
    """What a seat, or a spectator, may see of a log."""
    redactor, out = Redactor(seat), []
    for index, line in enumerate(data.splitlines()):
        out += redactor.feed(line, decode(RawLine(index, 0, line, True)))
    return b"".join(line + b"\n" for line in [*out, *redactor.finish()])


# -- valid logs --------------------------------------------------------------------------------------------------------


def trust(data: bytes, *, pinned: bool = False) -> tuple[str, ...]:
    """The warnings about a log that is right as far as it goes."""
    records = lines(data)
    head = records[0]
    found = {
        "W011": "open_seed" in head,
        "W010": "open_seed" not in head and all(record["_"] != "entropy" for record in records),
        "W012": head["isolation"] == "none",
        "W013": "key" not in head,
        "W014": "key" in head and not pinned,
    }
    return tuple(code for code, there in found.items() if there)


def valid(name: str, about: str, data: bytes, *parts: str) -> Fixture:
    """A log in which nothing is wrong, and in which these texts occur."""
    missing = [part for part in parts if part.encode() not in data]
    assert not missing, (name, missing)
    checks = [Check(VALID, warnings=trust(data))]
    if "key" in lines(data)[0]:
        checks.append(Check(VALID, warnings=trust(data, pinned=True), key=KEY.vkey))
        checks.append(Check(VALID, warnings=trust(data, pinned=True), key=KEY.vkey, level="L5"))
    return Fixture(f"valid/{name}.toep", about, data, tuple(checks))


def played(preset: str | Ruleset, seats: int, number: int, length: Length = ONE, eager: int = 30, **more: Any) -> bytes:
    """A match by lot; the number was found by trying."""
    chosen = PRESETS[preset] if isinstance(preset, str) else preset
    name = preset if isinstance(preset, str) else "options"
    return Table(chosen, seats, length, name=f"{name}-{seats}-{number}", **more).play(eager).close()


@cache
def cafe() -> bytes:
    """A small round with private lines of every seat, of which views are made too."""
    return played("cafe", 3, NUMBERS["cafe"], eager=40)


def valid_logs() -> Iterator[Fixture]:
    """Every preset and every kind of record, in few lines."""
    yield valid("cafe-3-round", "One round of three seats with an exchange, a challenge and a toep.", cafe(),
        '"exchange"', '"challenge"', '"penalty"', '"toep"')  # fmt: skip
    yield valid("cafe-5-signed-ms", "Two rounds of five seats, with a clock, signed, engine and event named.",
        played("cafe", 5, NUMBERS["cafe5"], Rounds(rounds=2), clock="ms", signer=KEY, engine="referee 1", event="cup"),
        '"ms":', '"engine"', '"event"')  # fmt: skip
    yield valid("cafe-3-game", "A whole game of three seats to the first one who has ten points.",
        played("cafe", 3, NUMBERS["cafegame"], "game", 30), '"out"', '"why":"limit"')  # fmt: skip
    yield valid("short-2-plain", "The least that a round can be: two seats, eight cards.", plain())
    yield valid("short-3-game-signed", "A game to three points, signed, with a clock.",
        played(rules("short", limit=3), 3, NUMBERS["short3"], "game", clock="ms", signer=KEY), '"fold"', '"out"')  # fmt: skip
    yield valid("short-8-open-seed", "Eight seats; the seed is declared in the head.",
        played("short", 8, NUMBERS["short8"], declared=True, isolation="none"), '"open_seed"')  # fmt: skip
    yield valid("club-2-finale", "Two seats under a rule by which two play a finale: eleven cards, three laid away.",
        finale(), '"why":"finale"', '"discard"')  # fmt: skip
    yield valid("club-3-revokes", "Revokes: one is taken back, one is paid for, one is proven and voids the round.",
        played("club", 3, NUMBERS["revokes"], Rounds(rounds=3), 40),
        '"confess","card"', '"confess","pay":2', '"void","why":"revoke"', '"try":2')  # fmt: skip
    yield valid("club-3-game", "Armoede in which the poor lead, and totals beyond the limit.",
        played(rules("club", limit=3), 3, NUMBERS["clubgame"], "game"), '"open"', '"out"')  # fmt: skip
    yield valid("classic-4-armoede", "The poor open the stake; who has no points left goes along by himself.",
        played(rules("classic", limit=3), 4, NUMBERS["armoede"], "game"), '"open"', '"auto"', '"stay"')  # fmt: skip
    yield valid("classic-3-round", "One round of the classic rules, with a toep.",
        played("classic", 3, NUMBERS["classic"]), '"toep"')  # fmt: skip
    yield valid("classic-all-5-blind", "Looking too early, a blind toep that is declined, and a look after that.",
        blind(), '"peek"', '"blind"', '"R-BLIND-04"')  # fmt: skip
    yield valid("classic-all-4-peek", "A look at one's cards too early, which costs a point.", peek(), '"R-DEAL-04"')
    yield valid("classic-all-4-chance-miss", "A card is drawn to three alike and does not fit.", chance(hit=False),
        '"chance"')  # fmt: skip
    yield valid("classic-all-4-chance-hit", "A card is drawn to three alike, and four alike are shown.",
        chance(hit=True), '"chance"', '"show"')  # fmt: skip
    yield valid("classic-all-8-four-alike", "Four alike are dealt and shown when hands are picked up.", alike(),
        '"show"')  # fmt: skip
    yield valid("classic-all-4-game", "A game with crosses: who has lost often enough is out.",
        played(rules("classic-all", limit=4, crosses=1), 4, NUMBERS["crosses"], "game"), '"why":"crosses"')  # fmt: skip
    yield valid("classic-all-3-old-hand", "A caught bluffer takes his old hand back.", old_hand(), '"genuine":false')
    yield valid("rubber-4-cut-draw", "The first dealer is drawn, the pack is cut, somebody whistles or stands up.",
        played("rubber", 4, NUMBERS["rubber"], declared=True), '"draw"', '"cut"', '"signal"')  # fmt: skip
    yield valid("rubber-5-game", "A game of the rubber preset down to the last one.",
        played(rules("rubber", limit=2), 5, NUMBERS["rubbergame"], "game"), '"draw"', '"cut"', '"out"')  # fmt: skip
    yield valid("sealed-answers", "Answers are given by all at once and listed by seat; one seat is stood in for after "
        "three refusals.", simultaneous())  # fmt: skip
    yield valid("jack-bonus", "Who wins the last trick with a jack gets a point back.",
        played(rules("short", jack_bonus=True, deal_pattern="one_by_one"), 3, NUMBERS["jack"]), '"points":[-1,')  # fmt: skip
    yield valid("over-toep", "A toep is answered by a toep.",
        played(rules("short", overtoep_as_answer=True), 3, NUMBERS["overtoep"]))  # fmt: skip
    yield valid("signs-owed", "A sign was forgotten, which costs a point.",
        played(rules("short", signals="penalty", four_alike="stand"), 8, NUMBERS["signs"], eager=5), '"R-FLUIT-04"')  # fmt: skip
    yield valid("refusals", "Refused acts of every kind, in the order of at, then seat.", refusals(), '"not_asked"',
        '"malformed"', '"too_large"', '"unknown"', '"R-CARD-01"')  # fmt: skip
    yield valid("late-ms", "A seat is late, with a clock, and the referee plays for it.", lateness("ms"), '"elapsed"')
    yield valid("late-none", "A seat is late, without a clock.", lateness("none"), '"late"')
    yield valid("forfeit-faults", "A seat is forfeited after two acts of the referee in its place.",
        forfeited(), '"why":"faults"')  # fmt: skip
    yield valid("forfeit-left", "A bot hangs up, and its seat is forfeited.", left(), '"why":"left"')
    yield valid("resign-game", "A player gives up, and the game goes on.", resigned(), '"resign"')
    yield valid("void-crash", "The table crashed; the round is dealt again as try 2, and a later round counts.",
        crashed(), '"void","why":"crash"', '"try":2')  # fmt: skip
    yield valid("void-cancelled", "The only round is called off, and the match is abandoned.", quiet(),
        '"void","why":"cancelled"', '"abandoned"')  # fmt: skip
    yield valid("max-deals", "The match has used up its deals and is abandoned.",
        played("short", 2, 0, "game", 0, conduct=Conduct(max_deals=2)), '"abandoned"')  # fmt: skip
    yield valid("nothing-played", "A match that was over before its first round.", Table(name="nothing").close())
    yield valid("entropy", "Two of three players added to the shuffle.", contributed(), '"entropy"', "null")
    yield valid("rulings", "Decisions of the organiser, which change nothing.", ruled(), '"ruling"')
    yield valid("names", "Display names beyond ASCII, with quotation marks; a bot with a key.", named())
    yield valid("extensions", "Fields that begin with x_, and a line of exactly 16384 bytes.", extended(), '"x_note"')
    yield Fixture("valid/cafe-3-round.toep.zst", "The same as cafe-3-round.toep, compressed with zstd in two frames.",
        compressed(cafe()), (Check(VALID, warnings=trust(cafe())),))  # fmt: skip


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
    table = dealt(
        lambda table: _draws(table, hit) >= 0 and not _four_alike(table), ALL, 4, "chance", declared=declared
    )
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
    seats = [HeadSeat(bot='Zo\N{LATIN SMALL LETTER E WITH DIAERESIS} "de knal" \\o/'), HeadSeat(bot="\U0001f0cf", key="k")]
    table = Table(name="!#$%&'()*+,-./:;<=>?@[]^_`{|}~", seats_=seats) if False else Table(name="names")
    table = Table(name="names-~!", seats=2)
    table.head = replace(table.head, seats=seats)
    return _again(table)


def _again(table: Table) -> bytes:
    """The log of a round that is called off, under a head that was changed."""
    sink = MemorySink()
    table.sink, table.log = sink, LogWriter(sink, match=table.head.match)
    table.log.append(table.head)
    table.log.seal()
    table.deal()
    return table.cancel()


@cache
def extended() -> bytes:
    """Extensions in the head, an act and a round; the act's line is as long as a line may be."""
    records: list[Line | bytes] = [*lines(plain())]
    at = _at(records, "play")
    for index, more in ((0, {"x_url": "https://example.org/\\\""}), (2, {"x_n": -(2**53) + 1}), (at, {"x_note": ""})):
        records[index] = {**records[index], **more}  # type: ignore[dict-item]
    play = records[at]
    assert isinstance(play, dict)
    play["x_note"] = "a" * (16384 - len(spell(play)))
    return sealed(records)


def compressed(data: bytes) -> bytes:
    """Two frames of zstd, divided within a line."""
    half = len(data) // 2
    return b"".join(zstandard.ZstdCompressor(level=9).compress(part) for part in (data[:half], data[half:]))


def _at(records: list[Line | bytes], tag: str, number: int = 0) -> int:
    return find([record if isinstance(record, dict) else {"_": ""} for record in records], tag, number)


# PART 2

def make() -> tuple[list[Fixture], list[Pair]]:
    """Everything there is to make."""
    return [*valid_logs()], []


def write(folder: Path) -> int:
    """Make every file in a folder that is empty or does not exist; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty, and nothing is overwritten")
    fixtures, pairs = make()
    files = {fixture.file: fixture.data for fixture in fixtures}
    verify = [check.fields(fixture.file, fixture.about) for fixture in fixtures for check in fixture.checks]
    verify.sort(key=lambda entry: entry["file"])
    expected = {"fork": [pair.fields() for pair in pairs], "verify": verify}
    files["expectations.json"] = json.dumps(expected, indent=1, ensure_ascii=True).encode() + b"\n"
    files["test-key.pub"] = KEY.vkey.encode() + b"\n"
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return len(files)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a new or empty folder")
    args = parser.parse_args(argv)
    try:
        made = write(args.folder)
    except OSError as error:
        print(f"log_fixtures: {error}", file=sys.stderr)
        return 2
    print(f"log_fixtures: {made} files in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
