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
from typing import Any, Final, Literal, NamedTuple

import zstandard
from msgspec import UNSET
from msgspec.structs import replace

from referee.cards import INDEX, NAMES, CardName, bits
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
NUMBERS: Final = {
    "cafe": 1131,
    "cafe5": 805,
    "cafegame": 278,
    "short3": 8,
    "short8": 834,
    "revokes": 58,
    "clubgame": 85,
    "armoede": 45,
    "classic": 13,
    "crosses": 623,
    "rubber": 820,
    "rubbergame": 698,
    "jack": 883,
    "overtoep": 18,
    "signs": 932,
}
"""Of matches by lot: found by trying, for the records in them and for being short."""

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
        conduct: Conduct | None = None, bots: list[HeadSeat] | None = None, **head: Any,
    ) -> None:  # fmt: skip
        super().__init__(rules, seats, length, name=name, clock=clock, declared=declared, conduct=conduct)
        self.head = replace(self.head, key=signer.vkey if signer else UNSET, seats=bots or self.head.seats, **head)
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
    def hands(self) -> list[list[CardName]]:
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

    def stood_in(self, verdict: Literal["bot", "host", "referee", "link"] = "bot") -> None:
        """The seat that must act is late, and the referee acts for it."""
        budget = self.head.conduct.act_ms
        elapsed = budget + 7 if self.head.clock == "ms" else UNSET
        self.log.append(Late(budget=budget, elapsed=elapsed, seat=self.on_turn, verdict=verdict))
        self.referee()

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
        if isinstance(record, dict) and record["_"] == "~":
            tree.append_leaf(b64decode(record["hash"]))
        else:
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
        '"_":"exchange"', '"_":"challenge"', '"_":"penalty"', '"_":"toep"')  # fmt: skip
    yield valid("cafe-5-signed-ms", "Two rounds of five seats, with a clock, signed, engine and event named.",
        played("cafe", 5, NUMBERS["cafe5"], Rounds(rounds=2), clock="ms", signer=KEY, engine="referee 1", event="cup"),
        '"ms":', '"engine"', '"event"')  # fmt: skip
    yield valid("cafe-3-game", "A whole game of three seats to the first one who has ten points.",
        played("cafe", 3, NUMBERS["cafegame"], "game", 30), '"_":"out"', '"why":"limit"')  # fmt: skip
    yield valid("short-2-plain", "The least that a round can be: two seats, eight cards.", plain())
    yield valid(
        "short-3-game-signed",
        "A game to three points, signed, with a clock.",
        played(rules("short", limit=3), 3, NUMBERS["short3"], "game", clock="ms", signer=KEY),
        '"_":"fold"',
        '"_":"out"',
    )
    yield valid("short-8-open-seed", "Eight seats; the seed is declared in the head.",
        played("short", 8, NUMBERS["short8"], declared=True, isolation="none"), '"open_seed"')  # fmt: skip
    yield valid("club-2-finale", "Two seats under a rule by which two play a finale: eleven cards, three laid away.",
        finale(), '"why":"finale"', '"_":"discard"')  # fmt: skip
    yield valid("club-3-revokes", "Revokes: one is taken back, one is paid for, one is proven and voids the round.",
        played("club", 3, NUMBERS["revokes"], Rounds(rounds=3), 40),
        '"confess","card"', '"confess","pay":2', '"void","why":"revoke"', '"try":2')  # fmt: skip
    yield valid("club-3-game", "Armoede in which the poor lead, and totals beyond the limit.",
        played(rules("club", limit=3), 3, NUMBERS["clubgame"], "game"), '"_":"open"', '"_":"out"')  # fmt: skip
    yield valid(
        "classic-4-armoede",
        "The poor open the stake; who has no points left goes along by himself.",
        played(rules("classic", limit=3), 4, NUMBERS["armoede"], "game"),
        '"_":"open"',
        '"_":"auto"',
        '"_":"stay"',
    )
    yield valid("classic-3-round", "One round of the classic rules, with a toep.",
        played("classic", 3, NUMBERS["classic"]), '"_":"toep"')  # fmt: skip
    yield valid("classic-all-5-blind", "Looking too early, a blind toep that is declined, and a look after that.",
        blind(), '"_":"peek"', '"_":"blind"', '"R-BLIND-04"')  # fmt: skip
    yield valid("classic-all-4-peek", "A look at one's cards too early, which costs a point.", peek(), '"R-DEAL-04"')
    yield valid("classic-all-4-chance-miss", "A card is drawn to three alike and does not fit.", chance(hit=False),
        '"_":"chance"')  # fmt: skip
    yield valid("classic-all-4-chance-hit", "A card is drawn to three alike, and four alike are shown.",
        chance(hit=True), '"_":"chance"', '"_":"show"')  # fmt: skip
    yield valid("classic-all-8-four-alike", "Four alike are dealt and shown when hands are picked up.", alike(),
        '"_":"show"')  # fmt: skip
    yield valid("classic-all-4-game", "A game with crosses: who has lost often enough is out.",
        played(rules("classic-all", limit=4, crosses=1), 4, NUMBERS["crosses"], "game"), '"why":"crosses"')  # fmt: skip
    yield valid("classic-all-3-old-hand", "A caught bluffer takes his old hand back.", old_hand(), '"genuine":false')
    yield valid("rubber-4-cut-draw", "The first dealer is drawn, the pack is cut, somebody whistles or stands up.",
        played("rubber", 4, NUMBERS["rubber"], declared=True), '"_":"draw"', '"_":"cut"', '"_":"signal"')  # fmt: skip
    yield valid(
        "rubber-5-game",
        "A game of the rubber preset down to the last one.",
        played(rules("rubber", limit=2), 5, NUMBERS["rubbergame"], "game"),
        '"_":"draw"',
        '"_":"cut"',
        '"_":"out"',
    )
    yield valid("sealed-answers", "Answers are given by all at once and listed by seat; one seat is stood in for after "
        "three refusals.", simultaneous())  # fmt: skip
    yield valid(
        "jack-bonus",
        "Who wins the last trick with a jack gets a point back.",
        played(rules("short", jack_bonus=True, deal_pattern="one_by_one"), 3, NUMBERS["jack"]),
        '"points":[-1,',
    )
    yield valid("over-toep", "A toep is answered by a toep.",
        played(rules("short", overtoep_as_answer=True), 3, NUMBERS["overtoep"]))  # fmt: skip
    yield valid(
        "signs-owed",
        "A sign was forgotten, which costs a point.",
        played(rules("short", signals="penalty", four_alike="stand"), 8, NUMBERS["signs"], eager=5),
        '"R-FLUIT-04"',
    )
    yield valid("refusals", "Refused acts of every kind, in the order of at, then seat.", refusals(), '"not_asked"',
        '"malformed"', '"too_large"', '"unknown"', '"R-CARD-01"')  # fmt: skip
    yield valid("late-ms", "A seat is late, with a clock, and the referee plays for it.", lateness("ms"), '"elapsed"')
    yield valid("late-none", "A seat is late, without a clock.", lateness("none"), '"_":"late"')
    yield valid("forfeit-faults", "A seat is forfeited after two acts of the referee in its place.",
        forfeited(), '"why":"faults"')  # fmt: skip
    yield valid("forfeit-left", "A bot hangs up, and its seat is forfeited.", left(), '"why":"left"')
    yield valid("forfeit-game", "A bot hangs up in a game of three, and the two others play on.", left_game(),
        '"out","seat":0,"why":"forfeit"')  # fmt: skip
    yield valid("late-kinds", "Four causes of a late answer; the referee lays cards away and folds.",
        late_kinds(), '"host"', '"referee"', '"link"', '"sandbox"')  # fmt: skip
    yield valid("out-by-penalty", "A look at one's cards too early costs the last point.", last_point(),
        '"why":"penalty"')  # fmt: skip
    house = rules("short", next_dealer="left", no_follower="suit_then_rank", toep_who="on_turn")
    yield valid("house-rules", "Options that no preset has: who deals next, who may toep, which card wins.",
        played(house, 4, 0, Rounds(rounds=2)))  # fmt: skip
    yield valid("house-blind", "A blind toep to two, by whoever likes.", house_blind(), '"blind","seat":3,"stake":2')
    yield valid("resign-game", "A player gives up, and the game goes on.", resigned(), '"_":"resign"')
    yield valid("void-crash", "The table crashed; the round is dealt again as try 2, and a later round counts.",
        crashed(), '"void","why":"crash"', '"try":2')  # fmt: skip
    yield valid("void-cancelled", "The only round is called off, and the match is abandoned.", quiet(),
        '"void","why":"cancelled"', '"abandoned"')  # fmt: skip
    yield valid("max-deals", "The match has used up its deals and is abandoned.",
        played("short", 2, 0, "game", 0, conduct=Conduct(max_deals=2)), '"abandoned"')  # fmt: skip
    yield valid("nothing-played", "A match that was over before its first round.", Table(name="nothing").close())
    yield valid("entropy", "Two of three players added to the shuffle.", contributed(), '"_":"entropy"', "null")
    yield valid("rulings", "Decisions of the organiser, which change nothing.", ruled(), '"_":"ruling"')
    yield valid("names", "Display names beyond ASCII, with quotation marks; a bot with a key.", named())
    yield valid("extensions", "Fields that begin with x_, and a line of exactly 16384 bytes.", extended(), '"x_note"')
    for seat, name in ((1, "seat1"), (None, "spectator")):
        yield valid(f"view-{name}", "A view of cafe-3-round.toep with its seed, from which every hidden line follows.",
            view(cafe(), seat), '"_":"~"')  # fmt: skip
    yield valid("view-blind", "A view of a seat that never looked at its hand, so that this is hidden from it too.",
        view(blind(), 4), '"_":"~"')  # fmt: skip
    yield valid("cafe-4-long", "Many rounds: seals over some hundred lines.",
        played("cafe", 4, 1, Rounds(rounds=20), 20, clock="ms", signer=KEY))  # fmt: skip
    yield valid("classic-all-8-long", "A whole game of eight seats under the richest preset.",
        played("classic-all", 8, 1, "game", 15))  # fmt: skip
    yield valid("club-5-long", "A whole game of five seats under the rules of a club, with a clock.",
        played("club", 5, 1, "game", 15, clock="ms"))  # fmt: skip
    yield valid("rubber-5-long", "A whole game of five seats for a rubber.", played("rubber", 5, 1, "game", 15))
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


def compressed(data: bytes) -> bytes:
    """Two frames of zstd, divided within a line."""
    half = len(data) // 2
    return b"".join(zstandard.ZstdCompressor(level=9).compress(part) for part in (data[:half], data[half:]))


def _at(records: list[Line | bytes], tag: str, number: int = 0) -> int:
    return find([record if isinstance(record, dict) else {"_": ""} for record in records], tag, number)


# -- logs that are not complete, not supported, not readable -----------------------------------------------------------


def incomplete_logs() -> Iterator[Fixture]:
    """Logs in which nothing is wrong as far as they go."""

    def log(name: str, about: str, data: bytes, *warnings: str, key: str = "", level: str = "") -> Fixture:
        check = Check(INCOMPLETE, warnings=warnings, key=key, level=level)
        return Fixture(f"incomplete/{name}.toep", about, data, (check,))

    def cut(count: int) -> bytes:
        """The log without its last lines."""
        return b"".join(whole.splitlines(keepends=True)[:-count])

    whole = cafe()
    trusted = trust(whole)
    score = find(lines(whole), "score")
    for seat, name in ((1, "seat1"), (None, "spectator")):
        yield log(f"view-{name}", "A view of valid/cafe-3-round.toep before its seed is revealed.", view(cut(2), seat),
            "W004", "W005", *trusted)  # fmt: skip
    yield log("view-running", "A view of seat 0 in the middle of a round.",
        view(b"".join(whole.splitlines(keepends=True)[:score]), 0), "W002", "W003", "W005", *trusted)  # fmt: skip
    yield log("unrevealed", "The match is over, and its seed is not revealed.", cut(2), "W004", *trusted)
    yield log("unrevealed-open-seed", "Not revealed, but its seed is declared in the head, so the cards are checked.",
        b"".join(valid_open().splitlines(keepends=True)[:-2]), "W004", *trust(valid_open()))  # fmt: skip
    yield log("unsealed-reveal", "The last seal is missing.", cut(1), "W002", *trusted)
    yield log("unsealed-end", "The end is there, its seal is not.", cut(3), "W002", *trusted)
    yield log("no-end", "The log stops after the seal of a round.", cut(4), "W003", *trusted)
    yield log("unsealed-score", "The log stops before the seal of a round.", cut(5), "W002", "W003", *trusted)
    yield log("unsealed-round", "The log stops in the middle of a round.",
        b"".join(whole.splitlines(keepends=True)[:score]), "W002", "W003", *trusted)  # fmt: skip
    yield log("head-only", "A head and nothing else.", whole.splitlines(keepends=True)[0], "W002", "W003", *trusted)
    yield log("torn", "The last line is cut off in the middle of a round.",
        b"".join(whole.splitlines(keepends=True)[:score]) + whole.splitlines()[score][:9],
        "W001", "W002", "W003", *trusted)  # fmt: skip
    yield log("torn-last-seal", "Only the LF of the last line is missing.", whole[:-1], "W001", "W002", *trusted)
    yield log("torn-head", "A part of a head.", whole[:100], "W001", "W003")
    yield log("torn-nonsense", "What is cut off is not looked at, though it could not become a line.",
        cut(4) + b"\xff\r\n"[:1], "W001", "W003", *trusted)  # fmt: skip
    yield log("empty", "No bytes at all.", b"", "W003")
    signed = played("cafe", 5, NUMBERS["cafe5"], Rounds(rounds=2), clock="ms", signer=KEY, engine="referee 1",
        event="cup")  # fmt: skip
    yield log("signed-cut", "A signed log that stops after the seal of a round.",
        b"".join(signed.splitlines(keepends=True)[:-4]), "W003", *trust(signed, pinned=True), key=KEY.vkey)  # fmt: skip
    yield log("l5-no-key", "Signatures are asked for, and no key is given.", signed, *trust(signed), level="L5")
    yield log("l5-unsigned", "Signatures are asked for, and there are none.", plain(), *trust(plain()), level="L5")


@cache
def valid_open() -> bytes:
    """A round under a declared seed."""
    return Table(name="declared", declared=True).play(0).close()


def unsupported_logs() -> Iterator[Fixture]:
    """Logs of another version, which this one does not judge; every hash is right."""

    def log(name: str, about: str, line: int, data: bytes) -> Fixture:
        return Fixture(f"unsupported/{name}.toep", about, data, (Check(UNSUPPORTED, name[:4], line),))

    def head(**fields: object) -> bytes:
        records = lines(plain())
        return sealed([records[0] | fields, *records[1:]])

    def with_line(at: int, record: Line) -> bytes:
        records: list[Line | bytes] = [*lines(plain())]
        return sealed([*records[:at], record, *records[at:]])

    play = find(lines(plain()), "play")
    yield log("E101-dance", "A kind of record that is not known.", play + 1,
        with_line(play, {"_": "dance", "seat": 0}))  # fmt: skip
    yield log("E101-first-line", "A first line of a kind that is not known.", 1, with_line(0, {"_": "prelude"}))
    yield log("E101-refused", "A refused act of a kind that is not known.", score_line(plain()), with_line(
        find(lines(plain()), "score"),
        {"_": "refused", "at": 0, "code": "R-TURN-01", "got": {"_": "dance", "seat": 0}, "salt": "0" * 32, "seat": 0},
    ))  # fmt: skip
    yield log("E102-format", "Another format.", 1, head(fmt="toep/999"))
    yield log("E102-newer-head", "Another format, whose head has a field that this one does not know.", 1,
        head(fmt="toep/999", mood="good"))  # fmt: skip
    yield log("E103-edition", "Another edition of the rules.", 1, head(edition=999))
    yield log("E104-shuffle", "Another shuffle.", 1, head(shuffle="dice/1"))


def score_line(data: bytes) -> int:
    """The 1-based line of the first score."""
    return find(lines(data), "score") + 1


def unreadable_logs() -> Iterator[Fixture]:
    """Compressed files that cannot be decompressed."""
    data = compressed(plain())
    yield Fixture("unreadable/cut.toep.zst", "A compressed log that is cut off in the middle of a frame.", data[:-20],
        (Check(UNREADABLE),))  # fmt: skip
    yield Fixture("unreadable/not-zstd.toep.zst", "A log that is named as if it were compressed.", plain(),
        (Check(UNREADABLE),))  # fmt: skip


# -- changes that make a log invalid -----------------------------------------------------------------------------------

Records = list[Line | bytes]
Change = Callable[[Records], int]
"""Changes records in place; returns the 1-based line of the first error."""


def record(records: Records, tag: str, number: int = 0) -> Line:
    """The n-th record of a kind, to be changed."""
    found = records[_at(records, tag, number)]
    assert isinstance(found, dict)
    return found


def put(tag: str, number: int = 0, **fields: object) -> Change:
    """Fields get another value; None takes one away."""

    def change(records: Records) -> int:
        at = _at(records, tag, number)
        changed = {**record(records, tag, number), **{name.rstrip("_"): value for name, value in fields.items()}}
        records[at] = {name: value for name, value in changed.items() if value is not None}
        return at + 1

    return change


def within(tag: str, field: str, **fields: object) -> Change:
    """As `put`, in an object within a record."""

    def change(records: Records) -> int:
        at, found = _at(records, tag), record(records, tag)
        records[at] = {**found, field: {**found[field], **fields}}
        return at + 1

    return change


def drop(tag: str, number: int = 0, more: int = 1) -> Change:
    """A record is taken away (and the next ones); the line after it is wrong."""

    def change(records: Records) -> int:
        at = _at(records, tag, number)
        del records[at : at + more]
        return at + 1

    return change


def insert(tag: str, new: Line | bytes, number: int = 0, after: int = 0) -> Change:
    """A line is put before a record, or so many lines after that; it is wrong."""

    def change(records: Records) -> int:
        at = _at(records, tag, number) + after
        records.insert(at, new)
        return at + 1

    return change


def swap(tag: str, number: int = 0, other: int = 1) -> Change:
    """Two records of a kind change places; the first of them is wrong."""

    def change(records: Records) -> int:
        one, two = _at(records, tag, number), _at(records, tag, other)
        records[one], records[two] = records[two], records[one]
        return one + 1

    return change


def spelled(tag: str, old: bytes, new: bytes, number: int = 0) -> Change:
    """A record is spelled in another way."""

    def change(records: Records) -> int:
        at = _at(records, tag, number)
        line = spell(record(records, tag, number))
        assert line.count(old) >= 1, (tag, old)
        records[at] = line.replace(old, new, 1)
        return at + 1

    return change


def at_line(change: Change, tag: str, number: int = 0, shift: int = 0) -> Change:
    """The same change, but the error is in another line."""

    def changed(records: Records) -> int:
        change(records)
        return _at(records, tag, number) + 1 + shift

    return changed


def both(*changes: Change) -> Change:
    """Several changes; the first one's line is wrong."""

    def change(records: Records) -> int:
        first, *_ = [one(records) for one in changes]
        return first

    return change


def bad(
    name: str, about: str, base: bytes, change: Change, rule: str = "", *, signer: Signer | None = None,
    key: str = "", keep: tuple[int, ...] = (),
) -> Fixture:  # fmt: skip
    """A log with one change and every hash right again (but for the records ``keep``)."""
    records: Records = [*lines(base)]
    line = change(records)
    check = Check(INVALID, name[:4], line, rule, key=key)
    return Fixture(f"invalid/{name}.toep", about, sealed(records, signer, keep), (check,))


def raw(name: str, about: str, data: bytes, line: int) -> Fixture:
    """A log of these bytes."""
    return Fixture(f"invalid/{name}.toep", about, data, (Check(INVALID, name[:4], line),))


PLAY: Final[Line] = {"_": "play", "card": "Th", "seat": 0}
RULING: Final[Line] = {"_": "ruling", "why": "x"}
LATE: Final[Line] = {"_": "late", "budget": 10000, "seat": 0, "verdict": "bot"}
ROUND: Final[Line] = {"_": "round", "dealer": 0, "round": 1, "try": 1}
DRAW: Final[Line] = {"_": "draw", "cards": [[0, "Jc"], [1, "Qc"]]}
SEAL: Final[Line] = {"_": "seal", "n": 1, "root": WRONG_ROOT, "sig": []}
CARDS: Final[Line] = {"_": "cards", "cards": ["Th"], "salt": "0" * 32, "seat": 0, "why": "chance"}


def bytes_logs() -> Iterator[Fixture]:
    """E0xx: one line is not spelled as it must be. Seals are over the bytes as they stand."""
    log = quiet()
    bot = b'"bot":"bot 0"'
    for name, new in (
        ("byte", b"\xff"),
        ("overlong", b"\xc0\xaf"),
        ("surrogate", b"\xed\xa0\x80"),
        ("latin1", b"\xe9"),
    ):
        yield bad(f"E001-{name}", "A display name with bytes that are not UTF-8.", log,
            spelled("head", bot, b'"bot":"b' + new + b't"'))  # fmt: skip
    yield bad(
        "E002-first-line",
        "A byte order mark at the beginning of the file.",
        log,
        spelled("head", b"{", b"\xef\xbb\xbf{"),
    )
    yield bad(
        "E002-later-line", "A byte order mark before another line.", log, spelled("round", b"{", b"\xef\xbb\xbf{")
    )
    yield bad("E003-line", "A carriage return at the end of one line.", log, spelled("void", b"}", b"}\r"))
    yield raw("E003-file", "Every line ends in CR LF.", sealed([spell(one) + b"\r" for one in lines(log)]), 1)
    yield bad("E004-empty", "An empty line between two records.", log, insert("void", b""))
    yield bad("E004-space", "A line with two spaces and a tab.", log, insert("void", b"  \t"))
    yield raw("E004-end", "An empty line at the end of the file.", log + b"\n", log.count(b"\n") + 1)
    long = {**lines(log)[_at([*lines(log)], "round")], "x_note": ""}
    long["x_note"] = "a" * (16385 - len(spell(long)))
    yield bad("E005-one-byte", "A line of 16385 bytes.", log, put("round", **long))
    yield raw("E005-no-end", "A last line of 20000 bytes that is cut off is too long, and not only torn.",
        log + b'{"_":"play","x_note":"' + b"a" * 20000, log.count(b"\n") + 1)  # fmt: skip
    for name, old, new, about in (
        ("comma", b'"why":"cancelled"', b'"why":"cancelled",', "A comma before the closing brace."),
        ("cut", b'"}', b'"', "The closing brace is missing."),
        ("two", b"}", b"}{}", "A second object in the same line."),
        ("nan", b'"cancelled"', b"NaN", "NaN."),
        ("quotes", b'"cancelled"', b"'cancelled'", "Other quotation marks."),
    ):
        yield bad(f"E006-{name}", f"Not JSON: {about}", log, spelled("void", old, new))
    yield bad("E007-list", "A line that is a list.", log, insert("void", b"[]"))
    yield bad("E007-string", "A line that is a string.", log, insert("void", b'"void"'))
    yield bad("E008-colon", "A space after a colon.", log, spelled("void", b'"_":', b'"_": '))
    yield bad("E008-end", "A space at the end of a line.", log, spelled("void", b'"}', b'"} '))
    yield bad("E008-front", "A space before a record.", log, spelled("void", b"{", b" {"))
    yield bad("E009-kind", "The kind of record does not stand first.", log,
        spelled("void", b'"_":"void","why":"cancelled"', b'"why":"cancelled","_":"void"'))  # fmt: skip
    yield bad(
        "E009-inner",
        "Two options of the rules have changed places.",
        log,
        spelled("head", b'"armoede":false,"armoede_leads":false', b'"armoede_leads":false,"armoede":false'),
    )
    yield bad("E010-same", "A key twice, with the same value.", log,
        spelled("void", b'"why":"cancelled"', b'"why":"cancelled","why":"cancelled"'))  # fmt: skip
    yield bad("E010-other", "A key twice, with two values.", log,
        spelled("void", b'"why":"cancelled"', b'"why":"crash","why":"cancelled"'))  # fmt: skip
    yield bad("E011-capital", "A key with a capital letter.", log, spelled("void", b'"why"', b'"Why"'))
    yield bad("E011-empty", "A key without characters.", log, spelled("void", b'"}', b'","":1}'))
    yield bad("E011-dash", "A key with a hyphen.", log, spelled("void", b'"}', b'","x-y":1}'))
    yield bad(
        "E012-unicode", "A letter is written as an escape.", log, spelled("void", b"cancelled", b"c\\u0061ncelled")
    )
    yield bad("E012-slash", "A slash is escaped.", log, spelled("head", b"toep/0", b"toep\\/0"))
    yield bad("E012-newline", "A line feed is written as an escape, in an extension.", log,
        spelled("void", b'"}', b'","x_note":"a\\nb"}'))  # fmt: skip
    for name, text in (("zero", b"01"), ("plus", b"+1"), ("minus-zero", b"-0")):
        yield bad(f"E013-{name}", f"A number is written as {text.decode()}.", log,
            spelled("round", b'"dealer":0', b'"dealer":' + text))  # fmt: skip
    for name, text in (("point", b"1.0"), ("exponent", b"1e0")):
        yield bad(f"E014-{name}", f"A number is written as {text.decode()}.", log,
            spelled("round", b'"round":1', b'"round":' + text))  # fmt: skip
    for name, text in (("above", b"9007199254740992"), ("below", b"-9007199254740992"), ("long", b"9" * 400)):
        yield bad(f"E015-{name}", "An extension with an integer that is too large in size.", log,
            spelled("round", b'"try":1', b'"try":1,"x_n":' + text))  # fmt: skip
    yield bad(
        "E016-nine", "Nine levels of nesting.", log, spelled("void", b'"}', b'","x_n":' + b"[" * 8 + b"]" * 8 + b"}")
    )
    for name, char in (
        ("accent", "\N{LATIN SMALL LETTER E WITH ACUTE}"),
        ("delete", "\x7f"),
        ("tab", "\t"),
        ("nul", "\0"),
    ):
        yield bad(f"E017-{name}", "An extension with a character beyond printable ASCII.", log,
            spelled("void", b'"}', f'","x_note":"{char}"}}'.encode()))  # fmt: skip
    yield bad("E018-field", "A field with null for a value.", log, spelled("void", b'"cancelled"', b"null"))
    yield bad("E018-head", "An optional field with null for a value.", log,
        spelled("head", b'"fmt"', b'"event":null,"fmt"'))  # fmt: skip
    for name, char, what in (
        ("decomposed", "e\N{COMBINING ACUTE ACCENT}", "a letter and an accent that have one character together"),
        ("joiner", "a\N{ZERO WIDTH JOINER}b", "a zero width joiner"),
        ("override", "\N{RIGHT-TO-LEFT OVERRIDE}tob", "an override of the direction of writing"),
        ("private", "\ue000", "a character for private use"),
        ("escape", "\x1b[31m", "a control character"),
        ("separator", "a\N{LINE SEPARATOR}b", "a line separator"),
    ):
        yield bad(f"E019-{name}", f"A display name with {what}.", log, spelled("head", bot, f'"bot":"{char}"'.encode()))


def schema_logs() -> Iterator[Fixture]:
    """E1xx: one line is no record of this format."""
    log = quiet()
    toeped = toep()
    refused = refusals()
    yield bad("E105-none", "An object without a kind.", log, insert("void", b'{"seat":0}'))
    yield bad("E105-number", "A kind that is a number.", log, insert("void", b'{"_":1,"seat":0}'))
    yield bad("E105-empty", "An object without fields.", log, insert("void", b"{}"))
    yield bad("E106-card", "A card is played, and not said which.", toeped, put("play", card=None))
    yield bad("E106-stake", "A toep without the stake, which a player need not send but a log has.", toeped,
        put("toep", stake=None))  # fmt: skip
    yield bad("E106-pay", "A fold without its price.", fold(), put("fold", pay=None))
    yield bad("E106-salt", "A private record without a salt.", log, put("cards", salt=None))
    yield bad("E106-option", "A rule set without one of its options.", log, within_without("rules", "toep_who"))
    yield bad("E106-conduct", "A conduct without one of its values: there are no defaults in a log.", log,
        within_without("conduct", "tries"))  # fmt: skip
    yield bad("E107-field", "A field that the record does not have.", log, put("void", seat=0))
    yield bad("E107-option", "An option that the rules do not have.", log, within("head", "rules", jokers=True))
    yield bad("E107-inner-x", "An extension within an object in a record.", log, within("head", "conduct", x_note=1))
    yield bad("E107-cards-ms", "A time in a record that is no act.", log, put("cards", ms=1))
    for name, tag, fields, about in (
        ("seat", "late", {"seat": 8}, "A seat beyond the eighth."),
        ("negative-seat", "late", {"seat": -1}, "A seat below zero."),
        ("why", "late", {"verdict": "player"}, "A word that the field cannot have."),
    ):
        yield bad(f"E108-{name}", about, lateness("none"), put(tag, **fields))
    yield bad("E108-card", "A card that is not in the pack.", plain(), put("play", card="6h"))
    yield bad("E108-card-case", "A card in other letters.", plain(), put("play", card="TH"))
    yield bad("E108-string", "A number as a string.", log, put("round", dealer="0"))
    yield bad("E108-bool", "A number that is true.", log, put("round", round=True))
    yield bad("E108-stake", "A stake beyond 99.", toeped, put("toep", stake=100))
    yield bad("E108-salt", "A salt in capital letters.", log, put("cards", salt="AB" * 16))
    yield bad("E108-commit", "A commitment that is a digit short.", log, put("head", commit="0" * 63))
    yield bad("E108-match", "A match id with a space.", log, put("head", match="my match"))
    yield bad("E108-root", "A root whose last character has bits that do not count.", log,
        put("seal", root="A" * 42 + "B="), keep=(1,))  # fmt: skip
    yield bad("E108-limit", "A limit beyond 99.", log, within("head", "rules", limit=100))
    yield bad("E108-one-seat", "A match of one seat.", log, put("head", seats=[{"bot": "a"}]))
    yield bad(
        "E108-long-name", "A display name of 65 characters.", log, put("head", seats=[{"bot": "a" * 65}, {"bot": "b"}])
    )
    yield bad("E108-no-rounds", "A match of no rounds.", log, put("head", length={"rounds": 0}))
    yield bad(
        "E108-got-seat",
        "The refused act of another seat.",
        refused,
        lambda records: put(
            "refused", got={**record(records, "refused")["got"], "seat": 1 - record(records, "refused")["seat"]}
        )(records),
    )
    yield bad("E109-cards", "An extension in a private record.", log, put("cards", x_note=1))
    yield bad("E109-seal", "An extension in a seal.", log, put("seal", x_note=1))
    yield bad("E109-refused", "An extension in a refused act.", refused, put("refused", x_note=1))
    yield Fixture("invalid/E109-hidden.toep", "An extension in a hidden line.",
        view(log, None).replace(b'="}\n', b'=","x_note":1}\n', 1), (Check(INVALID, "E109", 4),))  # fmt: skip
    for name, text in (("bool", "true"), ("list", "[1]"), ("object", '{"x_a":1}')):
        yield bad(f"E110-{name}", "An extension that is neither an integer nor a string.", log,
            spelled("void", b'"}', f'","x_note":{text}}}'.encode()))  # fmt: skip
    yield bad("E111-act", "An act of the referee with a time of the player.", lateness("ms"), lambda records: put(
        "play", _number(records, "play", by="ref"), ms=3)(records))  # fmt: skip
    yield bad("E112-no-got", "A refusal by a rule that does not say what was refused.", refused,
        lambda records: put("refused", _number(records, "refused", code="R-CARD-01"), got=None)(records))  # fmt: skip
    yield bad(
        "E112-got",
        "A refusal by a code of the protocol that says what was refused.",
        refused,
        lambda records: (
            put("refused", _number(records, "refused", code="malformed"), got={"_": "toep", "seat": 0})(records)
            if record(records, "refused")["seat"] == 0
            else put("refused", _number(records, "refused", code="malformed"), got={"_": "toep", "seat": 1})(records)
        ),
    )
    sealed_log = simultaneous()
    yield bad("E113-stake", "A refused toep with the stake that it would have led to.", sealed_log,
        put("refused", got={"_": "toep", "seat": 3, "stake": 3}))  # fmt: skip
    yield bad("E113-by", "A refused act of the referee.", sealed_log,
        put("refused", got={"_": "toep", "by": "ref", "seat": 3}))  # fmt: skip
    yield bad(
        "E113-ms", "A refused act with a time.", sealed_log, put("refused", got={"_": "toep", "ms": 1, "seat": 3})
    )
    yield bad("E114-discard", "A time in a discard, which is private.", finale_ms(), put("discard", ms=1))
    yield bad("E115-engine", "The engine is named, though there is no clock.", log, put("head", engine="referee 1"))


def within_without(field: str, name: str) -> Change:
    """A part of the head lacks a field."""

    def change(records: Records) -> int:
        del record(records, "head")[field][name]
        return 1

    return change


def _number(records: Records, tag: str, **fields: object) -> int:
    """The number among its kind of the first record with such fields."""
    same = [one for one in records if isinstance(one, dict) and one["_"] == tag]
    return next(n for n, one in enumerate(same) if all(one.get(name) == value for name, value in fields.items()))


@cache
def toep() -> bytes:
    """Two seats: a toep of which both play the round."""
    table = Table(name="toep")
    table.deal()
    table.go(Toep)
    table.go(Stay)
    return table.play(0).close()


@cache
def fold(seats: int = 2) -> bytes:
    """A toep that everybody declines."""
    table = Table(SHORT, seats, name=f"fold-{seats}")
    table.deal()
    table.go(Toep)
    for _ in range(seats - 1):
        table.go(Fold)
    return table.close()


@cache
def finale_ms() -> bytes:
    table = Table(CLUB, 2, name="finale-ms", clock="ms")
    table.deal()
    for _ in range(2):
        table.go(Discard)
    return table.cancel()


def order_logs() -> Iterator[Fixture]:
    """E2xx: records stand where they cannot."""
    log = quiet()
    yield bad("E201-no-head", "The head is missing.", log, both(drop("head"), drop("seal")))
    yield bad("E201-late-head", "Something stands before the head.", log, insert("head", RULING))
    yield bad("E202-again", "The head stands there twice.", log, insert("round", lines(log)[0]))
    yield raw(
        "E202-joined",
        "A log goes on with another one.",
        sealed([*lines(log)[:-4], *lines(plain())]),
        len(lines(log)) - 3,
    )
    yield bad("E203-no-seal", "The head is not sealed.", log, drop("seal"))
    yield bad("E203-round", "The first round begins before the seal.", log, swap2("seal", "round"))
    yield bad("E204-play", "A card before the first round.", log, insert("round", PLAY))
    yield bad("E204-entropy-twice", "Two lines of entropy.", contributed(),
        insert("entropy", {"_": "entropy", "e": [None, None, None]}, after=1))  # fmt: skip
    yield bad("E204-entropy-after-draw", "Entropy after the draw that it should have had a part in.", cut_log(),
        insert("draw", {"_": "entropy", "e": [None, None, None, None]}, after=1))  # fmt: skip
    yield bad("E204-draw-twice", "Two draws.", cut_log(), lambda records: insert(
        "draw", dict(record(records, "draw")), after=1)(records))  # fmt: skip
    yield bad("E205-play", "A card between two rounds.", crashed(), insert("round", PLAY, 1))
    yield bad("E205-reveal", "The seed is revealed before the end.", log,
        lambda records: insert("end", dict(record(records, "reveal")))(records))  # fmt: skip
    yield bad("E206-trick", "A trick before the cards.", plain(), insert("round", {"_": "trick", "win": 0}, after=1))
    yield bad("E206-no-cards", "A round without cards.", log, drop("cards", more=2))
    yield bad("E207-round", "A round begins within a round.", plain(), insert("play", ROUND))
    yield bad("E207-end", "The match ends within a round.", plain(),
        lambda records: insert("play", dict(record(records, "end")))(records))  # fmt: skip
    yield bad("E208-act", "An act after the refused acts of its round.", refusals(),
        lambda records: insert("score", dict(record(records, "play")))(records))  # fmt: skip
    yield bad("E208-late", "A late seat after the refused acts.", refusals(), insert("score", LATE))
    yield bad("E209-ruling", "Something stands between a score and its seal.", log, insert("score", RULING, after=1))
    yield bad("E209-end", "The round is not sealed.", log, drop("seal", 1))
    yield bad("E210-round", "A seal within a round.", plain(), insert("play", SEAL))
    yield bad("E210-again", "Two seals after the head.", log, insert("round", SEAL))
    yield bad("E210-first", "A seal before the head.", log, insert("head", SEAL), keep=(0,))
    yield bad("E211-no-seal", "The end is not sealed.", log, drop("seal", 2))
    yield bad("E212-ruling", "Something stands before the reveal.", log, insert("reveal", RULING))
    yield bad("E212-round", "A round after the sealed end.", log, insert("reveal", ROUND))
    yield bad(
        "E213-ruling", "Something stands between the reveal and its seal.", log, insert("reveal", RULING, after=1)
    )
    yield bad("E213-twice", "The seed is revealed twice.", log,
        lambda records: insert("reveal", dict(record(records, "reveal")), after=1)(records))  # fmt: skip
    yield bad("E214-seal", "A second seal at the end.", log, insert("reveal", SEAL, after=2))
    yield bad("E214-ruling", "Something stands after the last seal.", log, insert("reveal", RULING, after=2))
    yield bad("E215-play", "The pack is cut while cards are played.", cut_log(play=True),
        insert("play", {"_": "cut", "at": 3, "seat": 0}, after=1), "R-CUT-01")  # fmt: skip
    yield bad("E215-twice", "The pack is cut twice.", cut_log(),
        lambda records: insert("cut", dict(record(records, "cut")), after=1)(records), "R-CUT-01")  # fmt: skip


def swap2(one: str, other: str) -> Change:
    """Two records of different kinds change places; the earlier one's line is wrong."""

    def change(records: Records) -> int:
        a, b = _at(records, one), _at(records, other)
        records[a], records[b] = records[b], records[a]
        return a + 1

    return change


@cache
def cut_log(*, play: bool = False, declared: bool = False) -> bytes:
    """A match whose first dealer is drawn and whose pack is cut."""
    table = Table(PRESETS["rubber"], 4, name="cut", declared=declared)
    table.deal(cut=5)
    if play:
        table.go(Play)
    return table.cancel()


def head_logs() -> Iterator[Fixture]:
    """E30x: what the head says cannot be, or the draw for the first deal is not right."""
    log = quiet()
    for name, about, options in (
        ("armoede", "armoede_leads without armoede.", {"armoede_leads": True}),
        ("crosses", "Crosses in a game that ends with the first one out.", {"crosses": 3}),
        ("chance", "Chance draws where four alike do not win.", {"chance": True}),
        (
            "sealed",
            "A toep as an answer where answers are sealed.",
            {"answers": "simultaneous", "overtoep_as_answer": True},
        ),
    ):
        yield bad(f"E301-{name}", f"Rules that contradict themselves: {about}", log, within("head", "rules", **options))
    yield bad(
        "E302-two",
        "Two seats under rules for three and more.",
        log,
        within("head", "rules", min_players=3),
        "R-PLAY-01",
    )
    yield bad("E303-draw", "A draw under rules by which seat 0 deals first.", log, insert("round", DRAW), "R-SEAT-01")
    yield bad("E304-late", "A seat is late that does not exist.", lateness("none"), put("late", seat=7))
    yield bad("E304-ruling", "A ruling about a seat that does not exist.", log, insert("round", {**RULING, "seat": 2}))
    yield bad("E304-refused", "An act of a seat that does not exist was refused.", refusals(),
        put("refused", at=0, code="malformed", got=None, seat=5))  # fmt: skip
    yield bad("E308-two", "Two values of entropy for three seats.", contributed(), lambda records: put(
        "entropy", e=record(records, "entropy")["e"][:2])(records))  # fmt: skip
    yield bad("E308-four", "Four values of entropy for three seats.", contributed(), lambda records: put(
        "entropy", e=[*record(records, "entropy")["e"], None])(records))  # fmt: skip
    draw = cut_log()
    yield bad(
        "E306-seats",
        "Other seats draw.",
        draw,
        lambda records: put("draw", cards=[[(seat + 1) % 4, card] for seat, card in record(records, "draw")["cards"]])(
            records
        ),
        "R-SEAT-01",
    )
    yield bad("E306-short", "The draw stops too early.", draw,
        lambda records: put("draw", cards=record(records, "draw")["cards"][:-1])(records), "R-SEAT-01")  # fmt: skip
    yield bad("E306-long", "The draw goes on when one is the lowest.", draw, lambda records: put(
        "draw", cards=[*record(records, "draw")["cards"], [0, _unseen(record(records, "draw")["cards"])]])(records),
        "R-SEAT-01")  # fmt: skip
    yield bad("E307-short", "The first dealer is not drawn.", draw, drop("draw"), "R-SEAT-01")


def _unseen(drawn: list[list[Any]]) -> str:
    return next(card for card in reversed(NAMES) if card not in [name for _, name in drawn])


def deal_logs() -> Iterator[Fixture]:
    """E31x and E32x: rounds and cards."""
    log, game = quiet(), two_rounds()

    def over(records: Records) -> int:
        at, dealt_ = _at(records, "end"), records[_at(records, "round") : _at(records, "play")]
        records[at:at] = dealt_
        return at + 1

    yield bad("E310-rounds", "A second round in a match of one.", plain(), over)
    yield bad("E310-game", "A round when somebody has reached the limit.", limit_game(), over, "R-END-01")
    yield bad("E310-last", "A round when only one is left.", last_standing(), over, "R-END-02")
    yield bad("E311-first", "Another seat deals first.", log, put("round", dealer=1), "R-DEAL-05")
    yield bad("E311-next", "In a match of independent rounds the deal does not move on.", game,
        lambda records: put("round", 1, dealer=record(records, "round")["dealer"])(records), "R-DEAL-05")  # fmt: skip
    yield bad("E311-void", "Another seat deals a void round again.", crashed(), put("round", 1, dealer=1), "R-DEAL-05")
    yield bad("E312-first", "The first round has number 2.", log, put("round", round=2))
    yield bad("E312-gap", "Round 3 follows round 1.", game, put("round", 1, round=3))
    yield bad("E312-void", "A void round is not counted again.", crashed(), put("round", 1, round=2))
    yield bad("E313-first", "The first try of a round has number 2.", log, put("round", **{"try_": 2}))
    yield bad("E313-void", "A round that is dealt again is try 1 once more.", crashed(), put("round", 1, **{"try_": 1}))
    yield bad("E314-max", "A second round where the conduct allows one deal.", game,
        both(lambda records: _at(records, "round", 1) + 1, within("head", "conduct", max_deals=1)))  # fmt: skip
    yield bad("E320-hands", "A card is in two hands.", log, twice("cards", 1), "R-DECK-01")
    yield bad(
        "E320-hand",
        "A card is in a hand twice.",
        log,
        lambda records: put("cards", cards=[record(records, "cards")["cards"][at] for at in (0, 1, 2, 0)])(records),
        "R-DECK-01",
    )
    yield bad(
        "E320-draw",
        "A card is drawn twice.",
        cut_log(),
        lambda records: put(
            "draw",
            cards=[
                *record(records, "draw")["cards"][:-1],
                [record(records, "draw")["cards"][-1][0], record(records, "draw")["cards"][0][1]],
            ],
        )(records),
        "R-DECK-01",
    )
    yield bad("E320-exchange", "A card that is drawn is in a hand already.", exchange(), twice("cards", 3), "R-DECK-01")
    for name, cut in (("three", slice(3)), ("none", slice(0))):
        yield bad(f"E321-{name}", "A hand of another size.", log, lambda records, cut=cut: put(  # type: ignore[misc]
            "cards", 1, cards=record(records, "cards", 1)["cards"][cut])(records), "R-DEAL-01")  # fmt: skip
    yield bad("E321-exchange", "Three cards for four.", exchange(), lambda records: put(
        "cards", 3, cards=record(records, "cards", 3)["cards"][:3])(records), "R-WAS-04")  # fmt: skip
    yield bad("E321-finale", "Four cards for eleven.", finale(), lambda records: put(
        "cards", cards=record(records, "cards")["cards"][:4])(records), "R-DEAL-01")  # fmt: skip
    yield bad("E322-missing", "A hand is missing.", log, drop("cards", 1), "R-DEAL-01")
    yield bad("E322-order", "The hands do not stand in seat order.", log, swap("cards"), "R-DEAL-01")
    yield bad(
        "E323-why", "A hand that is said to be drawn in an exchange.", log, put("cards", why="exchange"), "R-DEAL-01"
    )
    yield bad(
        "E323-finale",
        "The hand of a finale is said to be an ordinary one.",
        finale(),
        put("cards", why="deal"),
        "R-DEAL-01",
    )
    yield bad("E324-exchange", "An exchange without new cards.", exchange(), drop("cards", 3), "R-WAS-04")
    yield bad("E324-chance", "A chance draw without its card.", chance(hit=False), lambda records: drop(
        "cards", _number(records, "cards", why="chance"))(records), "R-KANS-03")  # fmt: skip
    yield bad("E324-seat", "The new cards go to another seat.", exchange(), put("cards", 3, seat=1), "R-WAS-04")
    yield bad(
        "E325-order",
        "Cards that went back under the stock are drawn again in another order.",
        went_back(),
        lambda records: put("cards", 8, cards=record(records, "cards", 8)["cards"][::-1])(records),
        "R-WAS-08",
    )
    yield bad("E326-cards", "A seat receives a card that nothing gives it.", plain(), insert("play", CARDS))
    yield bad(
        "E328-chance",
        "Another card is laid away after a chance draw.",
        chance(hit=False),
        lambda records: put(
            "discard", cards=record(records, "cards", _number(records, "cards", why="chance"))["cards"]
        )(records),
        "R-KANS-04",
    )
    yield bad("E328-order", "Cards laid away are not listed by index.", finale(), lambda records: put(
        "discard", cards=record(records, "discard")["cards"][::-1])(records), "R-GRAF-01")  # fmt: skip


def twice(tag: str, number: int) -> Change:
    """A card of the first hand stands in another record as well."""
    return lambda records: put(
        tag, number, cards=[record(records, tag)["cards"][0], *record(records, tag, number)["cards"][1:]]
    )(records)


@cache
def two_rounds() -> bytes:
    """Two rounds, both called a fold by everybody else."""
    table = Table(length=Rounds(rounds=2), name="two-rounds")
    for _ in range(2):
        table.deal()
        table.go(Toep)
        table.go(Fold)
    return table.close()


@cache
def limit_game() -> bytes:
    """A game to one point."""
    return Table(rules("short", limit=1), 2, "game", name="limit").play(0).close()


@cache
def last_standing() -> bytes:
    return Table(rules("short", limit=1, game_end="last_standing"), 2, "game", name="last").play(0).close()


@cache
def exchange() -> bytes:
    """Three seats; seat 0 exchanges a hand that is no good reason to, and is caught."""
    table = dealt(_bluff, PRESETS["cafe"], 3, "exchange")
    table.act(Exchange(seat=0))
    table.act(Challenge(seat=1))
    return table.cancel()


@cache
def genuine() -> bytes:
    table = dealt(lambda table: not any(card[0] in "789T" for card in table.hands[0]), PRESETS["cafe"], 3, "genuine")
    table.act(Exchange(seat=0))
    table.act(Challenge(seat=1))
    return table.cancel()


@cache
def went_back() -> bytes:
    """Seven seats leave a stock of four cards: those that a caught bluffer gave back are drawn again."""
    table = dealt(_bluff, rules("cafe", exchange_caught="old_hand"), 7, "back")
    for act in (Exchange(seat=0), Challenge(seat=1), Exchange(seat=2)):
        table.act(act)
    return table.cancel()


def illegal_logs() -> Iterator[Fixture]:
    """E330: acts that the rules forbid, each by another rule."""
    log, toeped = plain(), toep()
    other = next(one["card"] for one in lines(log) if one["_"] == "play" and one["seat"] == 0)
    yield bad("E330-R-CARD-01", "A card of somebody else is played.", log, put("play", card=other), "R-CARD-01")
    must = must_follow()
    card = _off_suit(must)
    yield bad(
        "E330-R-SUIT-01",
        "A card off the suit led by somebody who could follow.",
        must,
        put("play", 1, card=card),
        "R-SUIT-01",
    )
    yield bad(
        "E330-R-TURN-01-card",
        "A card out of turn.",
        log,
        insert("play", {**PLAY, "card": other}),
        "R-TURN-01",
    )
    yield bad(
        "E330-R-TURN-01-stay",
        "Somebody goes along with no toep.",
        log,
        insert("play", {"_": "stay", "seat": 0}),
        "R-TURN-01",
    )
    yield bad(
        "E330-R-FOLD-06",
        "Somebody folds, and there is no toep.",
        log,
        insert("play", {"_": "fold", "pay": 1, "seat": 0}),
        "R-FOLD-06",
    )
    yield bad("E330-R-TOEP-04", "Somebody toeps over himself.", toeped, lambda records: insert(
        "play", {**record(records, "toep"), "stake": 3})(records), "R-TOEP-04")  # fmt: skip
    yield bad("E330-R-TOEP-07", "A card while a toep is being answered.", toeped, lambda records: insert(
        "stay", dict(record(records, "play")))(records), "R-TOEP-07")  # fmt: skip
    yield bad("E330-R-TOEP-08", "A toep beyond the points that the player has left.", limit_game(),
        insert("play", {"_": "toep", "seat": 0, "stake": 2}), "R-TOEP-08")  # fmt: skip
    yield bad(
        "E330-R-TOEP-02",
        "A toep out of turn where only who is on turn may.",
        toeped,
        both(put("toep", seat=0), within("head", "rules", toep_who="on_turn")),
        "R-TOEP-02",
    )
    yield bad(
        "E330-H-02",
        "A toep while a toep is being answered.",
        toeped,
        lambda records: insert("stay", {"_": "toep", "seat": 1 - record(records, "toep")["seat"], "stake": 3})(records),
        "H-02",
    )
    yield bad("E330-R-ANS-01", "An answer before its turn.", fold(3), swap("fold"), "R-ANS-01")
    yield bad("E330-R-FOLD-05", "Somebody folds on his own toep.", toeped, lambda records: insert(
        "stay", {"_": "fold", "pay": 1, "seat": record(records, "toep")["seat"]})(records), "R-FOLD-05")  # fmt: skip
    yield bad(
        "E330-R-OUT-01",
        "An act of somebody who has folded.",
        folded(),
        lambda records: insert("fold", {"_": "toep", "seat": record(records, "fold")["seat"], "stake": 3}, after=2)(
            records
        ),
        "R-OUT-01",
    )
    yield bad(
        "E330-R-OUT-01-seat",
        "An act of a seat that does not exist.",
        log,
        insert("play", {"_": "toep", "seat": 7, "stake": 2}),
        "R-OUT-01",
    )
    yield bad(
        "E330-R-WAS-01",
        "An exchange where the rules have none.",
        log,
        insert("play", {"_": "exchange", "seat": 0}),
        "R-WAS-01",
    )
    yield bad("E330-R-WAS-06", "Somebody checks his own exchange.", exchange(), put("challenge", seat=0), "R-WAS-06")
    yield bad("E330-R-WAS-10", "An exchange after the first card.", played("cafe", 3, NUMBERS["cafe"], eager=0),
        insert("play", {"_": "exchange", "seat": 0}, after=1), "R-WAS-10")  # fmt: skip
    yield bad(
        "E330-R-WAS-11",
        "A second exchange of one seat where one is allowed.",
        once(),
        put("exchange", 1, seat=0),
        "R-WAS-11",
    )
    yield bad(
        "E330-R-WAS-12",
        "An exchange from a stock of three cards.",
        eight(),
        insert("void", {"_": "exchange", "seat": 0}),
        "R-WAS-12",
    )
    yield bad("E330-H-22", "An exchange is checked twice.", exchange(), lambda records: insert(
        "void", {**record(records, "challenge"), "seat": 2})(records), "H-22")  # fmt: skip
    yield bad("E330-R-KANS-05", "A chance draw without three alike.", chance(hit=False), lambda records: put(
        "chance", seat=(record(records, "chance")["seat"] + 1) % 4)(records), "R-KANS-05")  # fmt: skip
    yield bad(
        "E330-R-BLIND-01",
        "A blind toep after another one.",
        blind(),
        insert("peek", {"_": "blind", "seat": 1, "stake": 3}),
        "R-BLIND-01",
    )
    yield bad(
        "E330-R-BLIND-06",
        "A blind toep after somebody looked.",
        peek(),
        insert("void", {"_": "blind", "seat": 1, "stake": 3}),
        "R-BLIND-06",
    )
    yield bad(
        "E330-R-DEAL-04",
        "Somebody looks where cards are seen from the deal on.",
        log,
        insert("play", {"_": "peek", "seat": 0}),
        "R-DEAL-04",
    )
    yield bad("E330-R-GRAF-01", "Two cards are laid away in a finale.", finale(), lambda records: put(
        "discard", cards=record(records, "discard")["cards"][:2])(records), "R-GRAF-01")  # fmt: skip
    yield bad("E330-R-CARD-01-discard", "Cards of somebody else are laid away.", finale(), lambda records: put(
        "discard", cards=record(records, "discard", 1)["cards"])(records), "R-CARD-01")  # fmt: skip
    yield bad("E330-R-CUT-01", "Another seat cuts.", cut_log(), lambda records: put(
        "cut", seat=(record(records, "cut")["seat"] + 1) % 4)(records), "R-CUT-01")  # fmt: skip
    yield bad(
        "E330-R-CUT-01-none",
        "A cut where the rules have none.",
        log,
        insert("cards", {"_": "cut", "at": 3, "seat": 1}),
        "R-CUT-01",
    )
    yield bad(
        "E330-R-VERZ-01",
        "Somebody owns up to a revoke where none is possible.",
        log,
        insert("play", {"_": "confess", "pay": 2, "seat": 0}),
        "R-VERZ-01",
    )
    yield bad(
        "E330-R-VERZ-02",
        "Somebody owns up to a revoke that he did not make.",
        revoke("play"),
        lambda records: insert("play", {"_": "confess", "pay": 2, "seat": record(records, "play")["seat"]}, after=1)(
            records
        ),
        "R-VERZ-02",
    )
    yield bad(
        "E330-R-FLUIT-01",
        "A sign where the rules have none.",
        log,
        insert("play", {"_": "signal", "seat": 0, "sign": "sing"}),
        "R-FLUIT-01",
    )
    yield bad(
        "E330-forfeit",
        "A seat is forfeited that is out already.",
        resigned(),
        lambda records: insert("out", {"_": "forfeit", "seat": record(records, "out")["seat"], "why": "left"}, after=1)(
            records
        ),
        "R-OUT-01",
    )


@cache
def must_follow() -> bytes:
    """Two seats; the second has cards of the suit led, and others."""

    def mixed(table: Table) -> bool:
        led = table.hands[table.on_turn][0][1]
        return len({card[1] == led for card in table.hands[1 - table.on_turn]}) == 2

    return dealt(mixed, name="follow").cards(2).play(0).close()


def _off_suit(data: bytes) -> str:
    """A card of the second player that does not follow suit."""
    plays = [one for one in lines(data) if one["_"] == "play"]
    hand = next(one for one in lines(data) if one["_"] == "cards" and one["seat"] == plays[1]["seat"])["cards"]
    return next(str(card) for card in hand if card[1] != plays[0]["card"][1])


@cache
def folded() -> bytes:
    """Three seats; one folds, two play on."""
    table = Table(SHORT, 3, name="folded")
    table.deal()
    table.go(Toep)
    table.go(Fold)
    table.go(Stay)
    return table.play(0).close()


@cache
def once() -> bytes:
    """Two seats exchange where each may do so once."""
    table = Table(rules("cafe", exchange="once"), 3, name="once")
    table.deal()
    table.act(Exchange(seat=0))
    table.act(Exchange(seat=1))
    return table.cancel()


@cache
def eight() -> bytes:
    """Eight seats leave no stock."""
    table = Table(PRESETS["cafe"], 8, name="eight")
    table.deal()
    return table.cancel()


def _revokes(table: Table) -> bool:
    """Whether the second player can revoke at once, and has two cards of the suit led and two others."""
    led = table.hands[table.on_turn][0][1]
    return sum(card[1] == led for card in table.hands[(table.on_turn + 1) % 3]) == 2


@cache
def revoke(what: str) -> bytes:
    """Three seats; the second one revokes. ``what``: nothing more, or owns up in time, one card later, two cards later,
    or proves it by a card."""
    table = dealt(_revokes, rules("club", armoede=False, armoede_leads=False), 3, "revoke")
    led = table.hands[table.on_turn][0]
    table.act(Play(card=led, seat=table.on_turn))
    seat = table.on_turn
    table.act(Play(card=next(card for card in table.hands[seat] if card[1] != led[1]), seat=seat))
    for _ in range({"play": 0, "in-time": 0, "one-later": 1, "two-later": 2, "proven": 1}[what]):
        table.go(Play)
    if what == "proven":
        while not table.game.needs_deal and not table.game.over:
            cards = [card for card in table.hands[table.on_turn] if card[1] == led[1]] if table.on_turn == seat else []
            if cards and table.game.check(Play(card=cards[0], seat=seat)) is None:
                table.act(Play(card=cards[0], seat=seat))
            else:
                table.go(Play)
        return _stopped(table)
    if what != "play":
        table.act(Confess(seat=seat))
    return _stopped(table)


def _stopped(table: Table) -> bytes:
    """The log, and if a deal is due again, of a second try that is called off."""
    if not table.game.over and table.game.needs_deal:
        table.deal()
    return table.close() if table.game.over else table.cancel()


@cache
def poor() -> bytes:
    """A game to two points, in whose second round all but one are poor, and the one goes along."""
    table = Table(rules("classic", limit=2), 4, "game", name="poor").play(0, deals=1)
    table.deal()
    table.close_windows(Phase.EXCHANGE)
    table.go(Stay)
    return table.cancel()


@cache
def automatic() -> bytes:
    """A game in which seats go along by themselves, up to there."""
    return played(rules("classic", limit=3), 4, NUMBERS["armoede"], "game")


@cache
def crosses() -> bytes:
    return played(rules("classic-all", limit=4, crosses=1), 4, NUMBERS["crosses"], "game")


@cache
def sign_owed() -> bytes:
    """Somebody with three tens plays a card and has given no sign."""

    def owes(table: Table) -> bool:
        hand = table.hands[table.on_turn]
        return sum(card[0] == "T" for card in hand) == 3

    table = dealt(owes, rules("short", signals="penalty"), 4, "sign")
    table.go(Play)
    return table.cancel()


@cache
def folded_card(number: int = 0) -> bytes:
    """Three seats; the card of the first one would win the first trick, but he folds before it is closed."""

    def wanted(table: Table) -> bool:
        lead = table.on_turn
        hands = table.hands
        first = hands[lead][-1]
        second = [card for card in hands[(lead + 1) % 3] if card[1] == first[1]]
        third = [card for card in hands[(lead + 2) % 3] if card[1] == first[1]]
        ranks = [INDEX[card] % 8 for card in (*second, *third)]
        return bool(second) is (number == 0) and bool(third) is (number == 0) and all(
            rank < INDEX[first] % 8 for rank in ranks)  # fmt: skip

    table = dealt(wanted, SHORT, 3, f"folded-card-{number}")
    lead = table.on_turn
    table.act(Play(card=table.hands[lead][-1], seat=lead))
    table.act(Toep(seat=(lead + 1) % 3))
    table.go(Stay)
    table.go(Fold)
    return table.play(0).close()


@cache
def jack() -> bytes:
    return played(rules("short", jack_bonus=True, deal_pattern="one_by_one"), 3, NUMBERS["jack"])


def derived_logs() -> Iterator[Fixture]:
    """E331 to E366 and E393 to E396: what follows from the acts is wrong, missing or one too many."""
    toeped, declined = toep(), fold()
    yield bad("E331-toep", "A toep that raises the stake by two.", toeped, put("toep", stake=3), "R-SCORE-02")
    yield bad(
        "E331-blind",
        "A blind toep to another stake than that of the rules.",
        blind(),
        put("blind", stake=4),
        "R-BLIND-02",
    )
    yield bad("E331-open", "The poor open at three.", poor(), put("open", stake=3), "R-ARM-03")
    yield bad("E332-fold", "Who folds is charged the raised stake.", declined, put("fold", pay=2), "R-SCORE-03")
    yield bad(
        "E333-bluff", "A bluff is taken for a good exchange.", exchange(), put("challenge", genuine=True), "R-WAS-02"
    )
    yield bad(
        "E333-genuine", "A good exchange is taken for a bluff.", genuine(), put("challenge", genuine=False), "R-WAS-02"
    )
    yield bad(
        "E334-new",
        "The new hand is turned up in place of the old one.",
        exchange(),
        lambda records: put(
            "challenge", shown=sorted(record(records, "cards", 3)["cards"], key=lambda card: INDEX[card])
        )(records),
        "R-WAS-06",
    )
    yield bad("E334-order", "The cards turned up are not listed by index.", exchange(), lambda records: put(
        "challenge", shown=record(records, "challenge")["shown"][::-1])(records), "R-WAS-06")  # fmt: skip
    in_time = revoke("in-time")
    yield bad("E335-card", "Another card is taken back.", in_time, lambda records: put(
        "confess", card=record(records, "play")["card"])(records), "R-VERZ-02")  # fmt: skip
    yield bad(
        "E335-price",
        "A revoke that is owned up to in time is charged.",
        in_time,
        put("confess", card=None, pay=2),
        "R-VERZ-02",
    )
    yield bad(
        "E336-one-later",
        "Another price one card after a revoke.",
        revoke("one-later"),
        put("confess", pay=3),
        "R-VERZ-03",
    )
    yield bad(
        "E336-two-later",
        "Another price two cards after a revoke.",
        revoke("two-later"),
        put("confess", pay=2),
        "R-VERZ-04",
    )
    yield bad(
        "E337-answers", "Sealed answers in another order than that of the seats.", simultaneous(), swap2("stay", "fold")
    )
    yield bad("E337-discards", "Cards laid away in another order than that of the seats.", finale(), swap("discard"))
    yield bad(
        "E340-plain",
        "The lower card wins a trick.",
        plain(),
        lambda records: put("trick", lead=1 - record(records, "trick")["win"], win=1 - record(records, "trick")["win"])(
            records
        ),
        "R-TRICK-01",
    )
    yield bad(
        "E340-folded",
        "A trick is won by the card of a seat that has folded.",
        folded_card(),
        lambda records: put("trick", win=record(records, "fold")["seat"])(records),
        "R-FOLD-02",
    )
    yield bad(
        "E340-no-follower",
        "Nobody left has followed suit, and the wrong one of the others wins.",
        folded_card(1),
        lambda records: put(
            "trick", win=({0, 1, 2} - {record(records, "fold")["seat"], record(records, "trick")["win"]}).pop()
        )(records),
        "R-TIE-02",
    )
    yield bad("E341-winner", "Not who won the trick leads to the next.", plain(), lambda records: put(
        "trick", lead=1 - record(records, "trick")["win"])(records), "R-TRICK-02")  # fmt: skip
    yield bad("E341-last", "Somebody leads after the last trick.", plain(), put("trick", 3, lead=0), "R-TRICK-02")
    yield bad("E341-none", "Nobody leads after the first trick.", plain(), put("trick", lead=None), "R-TRICK-02")
    yield bad("E342-loser", "The loser does not pay.", plain(), put("score", points=[0, 0], total=[0, 0]), "R-SCORE-01")
    yield bad(
        "E342-folder", "Who folded does not pay.", declined, put("score", points=[0, 0], total=[0, 0]), "R-SCORE-01"
    )
    yield bad("E342-void", "A void round is charged.", quiet(), put("score", points=[0, 1]), "R-SCORE-01")
    yield bad("E342-jack", "No point back for the jack.", jack(), lambda records: put(
        "score", points=[max(0, one) for one in record(records, "score")["points"]])(records), "R-BOER-01")  # fmt: skip
    yield bad(
        "E343-total", "The totals do not follow from the points.", plain(), put("score", total=[5, 5]), "R-SCORE-06"
    )
    yield bad("E343-clamp", "A total beyond the limit where it is clamped.", limit_log(), lambda records: put(
        "score", total=[2 * one for one in record(records, "score")["total"]])(records), "R-SCORE-06")  # fmt: skip
    caught = exchange()
    yield bad(
        "E344-challenger", "The one who checked is charged for a bluff.", caught, put("penalty", seat=1), "R-WAS-08"
    )
    yield bad("E347-why", "A penalty for another reason.", caught, put("penalty", why="R-WAS-07"), "R-WAS-08")
    yield bad("E348-two", "A penalty of two points.", caught, put("penalty", points=2), "R-WAS-08")
    auto = automatic()
    yield bad("E345-seats", "Another seat goes along by itself.", auto, put("auto", seats=[7]), "R-DOOD-03")
    yield bad("E346-seat", "Another seat is out.", limit_game(), lambda records: put(
        "out", seat=1 - record(records, "out")["seat"])(records), "R-END-01")  # fmt: skip
    yield bad(
        "E346-crosses",
        "Another seat is out by crosses.",
        crosses(),
        lambda records: put(
            "out",
            _number(records, "out", why="crosses"),
            seat=(record(records, "out", _number(records, "out", why="crosses"))["seat"] + 1) % 4,
        )(records),
        "R-KRUIS-01",
    )
    yield bad("E349-why", "Out for another reason.", limit_game(), put("out", why="penalty"), "R-END-01")
    yield bad(
        "E349-resign", "Who gave up is said to have reached the limit.", resigned(), put("out", why="limit"), "R-END-02"
    )
    yield bad("E350-trick", "A trick is not closed.", plain(), drop("trick"), "R-TRICK-01")
    yield bad("E351-score", "The round is decided, and somebody plays on.", declined, lambda records: insert(
        "score", {**PLAY, "seat": record(records, "toep")["seat"]})(records), "R-SCORE-01")  # fmt: skip
    yield bad("E352-bluff", "A caught bluff is not charged.", caught, drop("penalty"), "R-WAS-08")
    yield bad("E352-peek", "An early look is not charged.", peek(), drop("penalty"), "R-DEAL-04")
    yield bad(
        "E352-blind", "A look after a declined blind toep is not charged.", blind(), drop("penalty"), "R-BLIND-04"
    )
    yield bad("E352-sign", "A forgotten sign is not charged.", sign_owed(), drop("penalty"), "R-FLUIT-04")
    yield bad("E353-auto", "It is not said that seats go along by themselves.", auto, drop("auto"), "R-DOOD-03")
    yield bad("E354-out", "Somebody at the limit is not said to be out.", limit_game(), drop("out"), "R-END-01")
    yield bad("E354-resign", "Who gave up is not said to be out.", resigned(), drop("out"), "R-END-02")
    yield bad("E355-answer", "The poor are answered, and their opening is missing.", poor(), drop("open"), "R-ARM-03")
    shown, hit = alike(), chance(hit=True)
    yield bad("E356-card", "A card is played when four alike must be shown.", shown, lambda records: insert("show", {
        **PLAY, "card": _hand(records, 1)[0], "seat": 1})(records), "R-KANS-01")  # fmt: skip
    yield bad("E356-hit", "A chance draw hits, and four alike are not shown.", hit, drop("show"), "R-KANS-01")
    for what, name in (("proven", "proven"), ("two-later", "confessed")):
        yield bad(
            f"E357-{name}", "A revoke has come out, and the round is not void.", revoke(what), drop("void"), "R-VERZ-04"
        )
        yield bad(f"E396-{name}", "A revoke has come out, and the round is void for another reason.", revoke(what),
            put("void", why="crash"), "R-VERZ-04")  # fmt: skip
    yield bad(
        "E358-discard", "No card is laid away after a chance draw.", chance(hit=False), drop("discard"), "R-KANS-04"
    )
    yield bad(
        "E360-trick",
        "A trick is closed after one card.",
        plain(),
        insert("play", {"_": "trick", "lead": 0, "win": 0}, after=1),
        "R-TRICK-01",
    )
    yield bad(
        "E361-score",
        "A round is scored after one card.",
        plain(),
        insert("play", {"_": "score", "points": [0, 1], "total": [0, 1]}, after=1),
        "R-SCORE-01",
    )
    yield bad(
        "E362-penalty",
        "A penalty for nothing.",
        plain(),
        insert("play", {"_": "penalty", "points": 1, "seat": 0, "why": "R-DEAL-04"}),
    )
    yield bad(
        "E363-auto",
        "Somebody goes along with nothing.",
        plain(),
        insert("play", {"_": "auto", "seats": [0]}),
        "R-DOOD-03",
    )
    yield bad(
        "E364-out",
        "Somebody is out within a round.",
        plain(),
        insert("play", {"_": "out", "seat": 0, "why": "limit"}),
        "R-END-01",
    )
    yield bad(
        "E364-after",
        "Somebody is out who has not reached the limit.",
        plain(),
        insert("score", {"_": "out", "seat": 0, "why": "limit"}, after=1),
        "R-END-01",
    )
    yield bad(
        "E365-open",
        "Somebody opens where the rules have no armoede.",
        plain(),
        insert("play", {"_": "open", "seats": [0], "stake": 2}),
        "R-ARM-02",
    )
    yield bad(
        "E366-show",
        "Somebody shows where the rules have nothing to show.",
        plain(),
        insert("play", {"_": "show", "cards": ["Jc", "Jd", "Js", "Jh"], "seat": 0}),
        "R-KANS-01",
    )
    yield bad("E393-seats", "Somebody else opens.", poor(), lambda records: put(
        "open", seats=[(seat + 1) % 4 for seat in record(records, "open")["seats"]])(records), "R-ARM-02")  # fmt: skip
    yield bad("E394-seat", "Another seat shows four alike.", shown, lambda records: put(
        "show", seat=(record(records, "show")["seat"] + 1) % 8)(records), "R-KANS-02")  # fmt: skip
    yield bad("E395-cards", "The four alike are not listed by index.", shown, lambda records: put(
        "show", cards=record(records, "show")["cards"][::-1])(records), "R-KANS-01")  # fmt: skip


def _hand(records: Records, seat: int) -> list[str]:
    return list(
        next(one for one in records if isinstance(one, dict) and one["_"] == "cards" and one["seat"] == seat)["cards"]
    )


@cache
def limit_log() -> bytes:
    """A game to one point that a toep takes beyond."""
    table = Table(rules("short", limit=2), 2, "game", name="clamp")
    table.deal()
    table.go(Toep)
    table.go(Stay)
    return table.play(0).close()


def end_logs() -> Iterator[Fixture]:
    """E370 to E374: the end of the match."""
    log = plain()
    yield bad("E370-deals", "The match is abandoned, though it may have more deals.", played("short", 2, 0, "game", 0,
        conduct=Conduct(max_deals=2)), at_line(within("head", "conduct", max_deals=3), "end"), "R-END-01")  # fmt: skip
    yield bad("E370-rounds", "One round of two.", log, at_line(put("head", length={"rounds": 2}), "end"))
    yield bad("E370-crash", "The match ends after a crash.", quiet(), at_line(put("void", why="crash"), "end"))
    records = lines(log)
    at = find(records, "end")
    yield bad("E371-more", "`n` in the end is one too many.", log, put("end", n=at + 1), keep=(at,))
    yield bad("E372-ties", "All are said to be first.", log, put("end", rank=[1, 1]), "R-END-03")
    yield bad("E372-swapped", "First and second have changed places.", log, lambda records: put(
        "end", rank=record(records, "end")["rank"][::-1])(records), "R-END-03")  # fmt: skip
    yield bad("E372-skipped", "No place is skipped after a tie.", fold_ties(), put("end", rank=[1, 2, 3]), "R-END-03")
    yield bad("E373-complete", "An abandoned match is said to be complete.", quiet(), put("end", status="complete"))
    yield bad("E373-forfeited", "A match is said to be forfeited.", log, put("end", status="forfeited"))
    yield bad(
        "E373-left", "A match that ended by a forfeit is said to be complete.", left(), put("end", status="complete")
    )
    yield bad("E374-total", "Other totals in the end.", log, put("end", total=[0, 0]), "R-SCORE-06")


@cache
def fold_ties() -> bytes:
    """Three seats, of which two fold."""
    return fold(3)


def conduct_logs() -> Iterator[Fixture]:
    """E375 to E392: what the referee did."""
    refused, sealed_log, late = refusals(), simultaneous(), lateness("none")

    def early(records: Records) -> int:
        records.insert(at := _at(records, "play", 1), records.pop(_at(records, "refused")))
        return at + 1

    yield bad("E375-early", "A refused act stands where it happened.", refused, early)
    acts = [one for one in lines(refused) if one["_"] == "refused"]
    later = next(number for number, one in enumerate(acts) if one["at"] > acts[0]["at"])
    yield bad("E376-at", "Refused acts are not in the order of at.", refused,
        at_line(swap("refused", later - 1, later), "refused", later))  # fmt: skip
    seat = next(number for number, one in enumerate(acts) if one["seat"] != acts[0]["seat"])
    yield bad("E376-seat", "Refused acts of one moment are not in the order of the seats.", refused,
        at_line(swap("refused", seat - 1, seat), "refused", seat))  # fmt: skip
    yield bad("E377-beyond", "A refusal after more acts than there were.", refused, lambda records: put(
        "refused", _last(records, "refused"), at=500)(records))  # fmt: skip
    yield bad("E377-before", "A refusal of the round before.", refused_later(), put("refused", at=0))
    yield bad("E377-sealed", "A refusal in the middle of a step in which all act at once.", sealed_log, at_line(
        put("refused", 2, at=2), "refused", 2))  # fmt: skip
    yield bad("E378-legal", "A refused act that was legal: a player was wronged.", refused, lambda records: put(
        "refused", _number(records, "refused", code="R-CARD-01"), got={
            "_": "toep", "seat": record(records, "refused", _number(records, "refused", code="R-CARD-01"))["seat"]
        })(records), "R-CARD-01")  # fmt: skip
    yield bad("E379-rule", "A refused act was illegal by another rule.", refused, lambda records: put(
        "refused", _number(records, "refused", code="R-CARD-01"), code="R-TOEP-08")(records), "R-CARD-01")  # fmt: skip
    yield bad(
        "E380-tries",
        "More refused acts of one moment than the conduct has tries.",
        sealed_log,
        lambda records: insert("refused", dict(record(records, "refused")), after=3)(records),
    )
    yield bad("E381-unasked", "Something is refused of a seat that was not asked.", answered(), lambda records: put(
        "refused", seat=record(records, "toep")["seat"])(records))  # fmt: skip
    yield bad("E382-card", "In a player's place the referee plays another card.", late, _other_card)
    yield bad(
        "E382-toep",
        "In a player's place the referee toeps.",
        late,
        lambda records: insert(
            "late", {"_": "toep", "by": "ref", "seat": record(records, "late")["seat"], "stake": 2}, after=1
        )(records),
    )
    yield bad("E382-window", "The referee acts for a seat that need not act.", toep(), put("toep", by="ref"))
    yield bad("E383-no-late", "The referee acts for a seat that was not late.", late, at_line(drop("late"), "play"))
    yield bad("E383-tries", "The referee acts for a seat that has a try left.", sealed_log, at_line(
        drop("refused"), "stay", 1))  # fmt: skip
    yield bad("E385-act", "A player acts after his last try.", sealed_log, put("stay", 1, by=None))
    yield bad(
        "E386-none",
        "A seat is not forfeited, though the referee has acted for it often enough.",
        forfeited(),
        both(
            lambda records: _at(records, "play", _number(records, "play", by="ref")) + 2,
            within("head", "conduct", faults=1),
        ),
    )
    yield bad("E387-early", "A seat is forfeited for too few faults.", forfeited(), at_line(
        within("head", "conduct", faults=3), "forfeit"))  # fmt: skip
    yield bad("E387-never", "A seat is forfeited for faults where nobody is.", forfeited(), at_line(
        within("head", "conduct", faults=0), "forfeit"))  # fmt: skip
    yield bad("E387-seat", "Another seat is forfeited.", forfeited(), put("forfeit", seat=2))
    yield bad("E388-ms", "A time where there is no clock.", plain(), put("play", ms=5))
    yield bad("E389-ms", "No time where there is a clock.", lateness("ms"), put("play", 1, ms=None))
    yield bad("E390-elapsed", "A late seat with a time where there is no clock.", late, put("late", elapsed=5))
    yield bad(
        "E391-answer",
        "Late is a seat that is not asked, while another must answer.",
        toep(),
        lambda records: insert("stay", {**LATE, "seat": record(records, "toep")["seat"]})(records),
    )
    yield bad(
        "E392-revoke",
        "A round is void because of a revoke, where none is possible.",
        quiet(),
        put("void", why="revoke"),
        "R-VERZ-04",
    )
    for name, tag, about in (
        ("act", "play", "A hidden line among the acts of a round, where no private line can stand."),
        ("round", "round", "A hidden line before the first round."),
    ):
        yield bad(f"E397-{name}", about, view_of_plain(), insert(tag, {"_": "~", "hash": WRONG_ROOT}))
    yield bad(
        "E392-unproven",
        "A round is void because of a revoke that has not come out.",
        revoke("play"),
        put("void", why="revoke"),
        "R-VERZ-04",
    )


@cache
def view_of_plain() -> bytes:
    """What everybody may see of the least round, with its seed."""
    return view(plain(), None)


def _last(records: Records, tag: str) -> int:
    return len([one for one in records if isinstance(one, dict) and one["_"] == tag]) - 1


def _other_card(records: Records) -> int:
    """The first card is another one of the same hand, that is, a higher one."""
    played_ = record(records, "play")
    return put("play", card=next(card for card in _hand(records, played_["seat"]) if card != played_["card"]))(records)


@cache
def refused_later() -> bytes:
    """Two rounds, in the second of which something is refused."""
    table = Table(length=Rounds(rounds=2), name="refused-later")
    table.deal()
    table.go(Toep)
    table.go(Fold)
    table.deal()
    table.refuse(Play(card=table.hands[1 - table.on_turn][0], seat=table.on_turn))
    return table.cancel()


@cache
def answered() -> bytes:
    """A malformed answer to a toep."""
    table = Table(name="answered")
    table.deal()
    table.go(Toep)
    table.refuse(Fold(seat=table.on_turn), code="malformed")
    table.go(Stay)
    return table.cancel()


def shuffle_logs() -> Iterator[Fixture]:
    """E4xx: what is in the log does not follow from the seed. Rules and seals have nothing to object."""
    log, declared = quiet(), declared_quiet()
    yield bad("E401-commit", "Another commitment.", log, at_line(put("head", commit="0" * 64), "reveal"))
    yield bad("E401-seed", "Another seed is revealed.", log, put("reveal", seed="1" * 64))
    yield bad("E402-seed", "Another seed is revealed than was declared.", declared, put("reveal", seed="1" * 64))
    yield bad(
        "E403-declared", "The declared seed does not open the commitment.", declared, put("head", open_seed="1" * 64)
    )
    for name, base in (("committed", log), ("declared", declared)):
        yield bad(f"E410-{name}", "Two seats have changed hands.", base, _swap_cards("cards", 0, 1), "R-DEAL-02")
    yield bad(
        "E410-cut",
        "Another cut than the one that was made.",
        cut_log(),
        at_line(put("cut", at=6), "cards"),
        "R-DEAL-02",
    )
    yield bad("E410-no-cut", "The cut is left out.", cut_log(), at_line(drop("cut"), "cards"), "R-DEAL-02")
    yield bad("E410-pattern", "The cards were dealt in packets of another size.", log, at_line(
        within("head", "rules", deal_pattern="two_two"), "cards"), "R-DEAL-02")  # fmt: skip
    yield bad(
        "E410-deals",
        "The cards are those of another deal set.",
        log,
        at_line(put("head", deals="other"), "cards"),
        "R-DEAL-02",
    )
    yield bad("E410-entropy", "Somebody added something else to the shuffle.", contributed(), at_line(
        put("entropy", e=[None, None, None]), "cards"), "R-DEAL-02")  # fmt: skip
    yield bad(
        "E411-exchange",
        "The cards of two exchanges have changed places.",
        once(),
        _swap_cards("cards", 3, 4),
        "R-WAS-04",
    )
    yield bad("E412-cards", "A salt that does not follow from the seed.", log, put("cards", salt="ab" * 16))
    yield bad("E412-declared", "The same under a declared seed.", declared, put("cards", salt="ab" * 16))
    yield bad("E412-discard", "The salt of a discard.", finale(), put("discard", salt="ab" * 16))
    yield bad("E412-refused", "The salt of a refused act.", refusals(), put("refused", salt="ab" * 16))
    yield bad("E412-moved", "A line more before the cards: their salts are those of other lines.", log, at_line(
        insert("round", RULING), "cards"))  # fmt: skip
    yield bad(
        "E412-match", "The salts are those of another match id.", log, at_line(put("head", match="other"), "cards")
    )
    yield bad("E415-hand", "A view with its seed: the hidden hand is not the one that the seed deals.", view_of_plain(),
        put("~", hash=WRONG_ROOT), "R-DEAL-02")  # fmt: skip
    yield bad("E415-exchange", "A view with its seed: the hidden cards of an exchange are not those that were drawn.",
        view(exchange(), None), put("~", 3, hash=WRONG_ROOT), "R-WAS-04")  # fmt: skip
    for name, base in (("committed", cut_log()), ("declared", cut_log(declared=True))):
        yield bad(f"E413-{name}", "Two seats have changed the cards that they drew, of which neither was the lowest.",
            base, _swap_drawn, "R-SEAT-01")  # fmt: skip
        yield bad(f"E414-{name}", "Another card than the top of the stock is drawn.",
            chance(hit=False, declared=name == "declared"), _other_chance, "R-KANS-03")  # fmt: skip


@cache
def declared_quiet() -> bytes:
    table = Table(name="declared-quiet", declared=True)
    table.deal()
    return table.cancel()


def _swap_cards(tag: str, one: int, other: int) -> Change:
    def change(records: Records) -> int:
        a, b = record(records, tag, one), record(records, tag, other)
        a["cards"], b["cards"] = b["cards"], a["cards"]
        return _at(records, tag, one) + 1

    return change


def _swap_drawn(records: Records) -> int:
    cards = record(records, "draw")["cards"]
    low = min(range(4), key=lambda seat: INDEX[cards[seat][1]] % 8)
    one, other = [seat for seat in range(4) if seat != low][:2]
    cards[one][1], cards[other][1] = cards[other][1], cards[one][1]
    return _at(records, "draw") + 1


def _other_chance(records: Records) -> int:
    """A card that nobody has, and that does not hit either."""
    number = _number(records, "cards", why="chance")
    seen = {card for one in records if isinstance(one, dict) and one["_"] == "cards" for card in one["cards"]}
    ranks = {card[0] for card in _hand(records, record(records, "chance")["seat"])}
    return put("cards", number, cards=[next(card for card in NAMES if card not in seen and card[0] not in ranks)])(
        records
    )


@cache
def signed_quiet() -> bytes:
    table = Table(name="signed-quiet", signer=KEY)
    table.deal()
    return table.cancel()


BASE_POINT_ORDER: Final = 2**252 + 27742317777372353535851937790883648493


def seal_logs() -> Iterator[Fixture]:
    """E5xx: seals and signatures."""
    log, signed = quiet(), signed_quiet()
    yield bad(
        "E501-more",
        "`n` in the first seal is one too many.",
        log,
        put("seal", n=2, root=lines(log)[1]["root"]),
        keep=(1,),
    )
    yield bad("E501-dropped", "A ruling was taken out, and the seals were left as they were.", ruled_sealed(),
        at_line(drop("ruling"), "seal", 1), keep=tuple(range(1000)))  # fmt: skip
    yield bad("E502-name", "A display name was changed afterwards.", log,
        at_line(put("head", seats=[{"bot": "bot X"}, {"bot": "bot 1"}]), "seal"), keep=tuple(range(1000)))  # fmt: skip
    yield bad(
        "E502-last",
        "The last seal has another root.",
        log,
        put("seal", 3, root=WRONG_ROOT),
        keep=(len(lines(log)) - 1,),
    )
    yield bad(
        "E502-shape",
        "A root of a tree that is put together in another way.",
        log,
        _flat_root,
        keep=(_at([*lines(log)], "seal", 1),),
    )
    yield bad("E503-first", "The first seal is not signed.", signed, put("seal", sig=[]))
    yield bad("E503-last", "The last seal is not signed.", signed, put("seal", 3, sig=[]))
    yield bad("E504-two", "Two signatures.", signed, lambda records: put(
        "seal", sig=record(records, "seal")["sig"] * 2)(records))  # fmt: skip
    key_name, key_id, key_text = KEY.vkey.split("+", 2)
    for name, key, about in (
        ("id", f"{key_name}+00000000+{key_text}", "a key whose id belongs to another one"),
        ("form", "some-key", "not a key at all"),
        ("short", f"{key_name}+{key_id}+AAAA", "a key that is too short"),
        ("type", _vkey(b"\x02" + bytes(31) + b"\x01"), "a key of another type"),
        ("small-order", _vkey(b"\x01" + b"\x01" + bytes(31)), "a public key of small order"),
        (
            "not-canonical",
            _vkey(b"\x01" + b"\xee" + b"\xff" * 30 + b"\x7f"),
            "a public key that is not spelled canonically",
        ),
    ):
        yield bad(f"E505-{name}", f"The head names {about}.", signed, put("head", key=key))
    yield bad("E506-other", "The log is signed throughout, but by another key than the one that is given.", signed,
        put("head", key=OTHER.vkey), signer=OTHER, key=KEY.vkey)  # fmt: skip
    yield bad("E506-none", "The log is not signed, and a key is given.", log, lambda records: 1, key=KEY.vkey)
    yield bad(
        "E507-id",
        "Every seal is signed by another key of the same name.",
        signed,
        at_line(put("head"), "seal"),
        signer=OTHER,
    )
    yield bad("E507-name", "The name in a signature is another one.", signed, lambda records: put(
        "seal", sig=[["someone-else", record(records, "seal")["sig"][0][1]]])(records))  # fmt: skip
    yield bad(
        "E508-bit",
        "One bit of a signature is another.",
        signed,
        _signature(lambda data: data[:9] + bytes([data[9] ^ 1]) + data[10:]),
    )
    yield bad("E508-other-seal", "The signature of another seal.", signed, lambda records: put(
        "seal", 1, sig=record(records, "seal")["sig"])(records))  # fmt: skip
    yield bad("E508-changed", "A ruling was added and every root made right, without the key.", signed, at_line(
        insert("round", RULING), "seal", 1))  # fmt: skip
    yield bad(
        "E508-match", "The same seals under another match id.", signed, at_line(put("head", match="other"), "seal")
    )
    for name, text in (("base64", "not base64"), ("short", "AAAA"), ("spaces", "")):
        yield bad(f"E509-{name}", "What stands there is no signature.", signed, put("seal", sig=[[key_name, text]]))
    yield bad("E509-length", "A signature of 63 bytes.", signed, _signature(lambda data: data[:-1]))
    yield bad(
        "E509-s",
        "The s of a signature is not below the order of the base point, which some programs let pass.",
        signed,
        _signature(
            lambda data: data[:36] + (int.from_bytes(data[36:], "little") + BASE_POINT_ORDER).to_bytes(32, "little")
        ),
    )
    yield bad("E509-unpadded", "A signature whose base64 has no padding.", signed, lambda records: put(
        "seal", sig=[[key_name, record(records, "seal")["sig"][0][1].rstrip("=")]])(records))  # fmt: skip
    yield bad("E510-no-key", "A signature, and the head names no key.", signed, both(
        lambda records: 2, put("head", key=None)), signer=KEY)  # fmt: skip


def _flat_root(records: Records) -> int:
    """The root that one gets who carries an odd node up as it would be doubled: as in the trees of Bitcoin."""
    at = _at(records, "seal", 1)
    level = [hashlib.sha256(b"\0" + spell(one)).digest() for one in records[:at] if isinstance(one, dict)]
    while len(level) > 1:
        level += level[-1:] * (len(level) % 2)
        level = [hashlib.sha256(b"\1" + level[i] + level[i + 1]).digest() for i in range(0, len(level), 2)]
    return put("seal", 1, root=b64encode(level[0]).decode(), n=at)(records)


def _vkey(data: bytes) -> str:
    """A key text with the right id, of bytes that are no good key."""
    ident = hashlib.sha256(KEY.name.encode() + b"\n" + data).digest()[:4].hex()
    return f"{KEY.name}+{ident}+{b64encode(data).decode()}"


def _signature(edit: Callable[[bytes], bytes]) -> Change:
    """The first signature is changed."""
    return lambda records: put("seal", sig=[[KEY.name, b64encode(
        edit(b64decode(record(records, "seal")["sig"][0][1]))).decode()]])(records)  # fmt: skip


@cache
def ruled_sealed() -> bytes:
    """A ruling before the first round."""
    table = Table(name="ruled")
    table.log.append(Ruling(why="x"))
    table.deal()
    return table.cancel()


def invalid_logs() -> Iterator[Fixture]:
    """At least one for every code."""
    for group in (
        bytes_logs, schema_logs, order_logs, head_logs, deal_logs, illegal_logs, derived_logs, end_logs, conduct_logs,
        shuffle_logs, seal_logs,
    ):  # fmt: skip
        yield from group()


# -- two logs of one match ---------------------------------------------------------------------------------------------


def forks() -> Iterator[tuple[str, bytes]]:
    """Files for `fork_pairs`."""
    for name, signer in (("signed", KEY), ("other-key", OTHER), ("unsigned", None)):
        for half in ("a", "b"):
            yield f"fork/{name}-{half}.toep", _history(signer, half)
    whole = _history(KEY, "b")
    yield "fork/signed-c.toep", _history(KEY, "c")
    yield "fork/signed-a-begun.toep", b"".join(_history(KEY, "a").splitlines(keepends=True)[:8])
    yield "fork/signed-a-view.toep", view(_history(KEY, "a"), None)
    yield "fork/signed-b-cut.toep", b"".join(whole.splitlines(keepends=True)[:8])
    yield "fork/another-match.toep", signed_quiet()


@cache
def _history(signer: Signer | None, half: str) -> bytes:
    """One of three histories of a match: in ``a`` a card is played, in ``b`` another one, in ``c`` two more."""
    table = Table(name="forked", signer=signer)
    table.deal()
    table.go(Play, number=half != "a")
    if half == "c":
        table.cards(2)
    return table.cancel()


def fork_pairs() -> Iterator[Pair]:
    """What `toep diff --fork` says of two files."""
    a, b, c = (f"fork/signed-{name}.toep" for name in "abc")
    differs = 6
    sealed_at = lines(_history(KEY, "a")), lines(_history(KEY, "b")), lines(_history(KEY, "c"))
    na, nb, nc = (records[find(records, "seal", 1)]["n"] for records in sealed_at)
    assert na == nb != nc
    for key in ("", KEY.vkey):
        yield Pair("Another card, equally many lines: two seals with the same n.", a, b, "FORK", differs, (na, nb), key)
        yield Pair("Another number of lines: each log has a seal over the first line that differs.", b, c, "FORK",
            differs + 1, (nb, nc), key)  # fmt: skip
    yield Pair("A view against the other history.", "fork/signed-a-view.toep", b, "FORK", differs, (na, nb))
    yield Pair("The same file twice.", a, a, "NO FORK")
    yield Pair("A log and its view.", a, "fork/signed-a-view.toep", "NO FORK")
    yield Pair("A log goes on where its beginning stops.", "fork/signed-a-begun.toep", a, "NO FORK")
    yield Pair(
        "One of them has no seal over the line that differs.", a, "fork/signed-b-cut.toep", "NOTHING PROVEN", differs
    )
    yield Pair("They are not signed.", "fork/unsigned-a.toep", "fork/unsigned-b.toep", "NOTHING PROVEN", differs)
    yield Pair("They are signed by different keys.", a, "fork/other-key-b.toep", "NOTHING PROVEN", 1)
    yield Pair("They are signed by another key than the one that is given.", "fork/other-key-a.toep",
        "fork/other-key-b.toep", "NOTHING PROVEN", key=KEY.vkey)  # fmt: skip
    yield Pair("Two matches.", a, "fork/another-match.toep", "DIFFERENT MATCHES")


def make() -> tuple[list[Fixture], list[Pair]]:
    """Everything there is to make."""
    groups = (valid_logs, incomplete_logs, unsupported_logs, unreadable_logs, invalid_logs)
    return [fixture for group in groups for fixture in group()], [*fork_pairs()]


def write(folder: Path) -> int:
    """Make every file in a folder that is empty or does not exist; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty, and nothing is overwritten")
    fixtures, pairs = make()
    files = {fixture.file: fixture.data for fixture in fixtures} | dict(forks())
    verify = [check.fields(fixture.file, fixture.about) for fixture in fixtures for check in fixture.checks]
    verify.sort(key=lambda entry: (entry["file"], *sorted(entry.get("options", {}))))
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
