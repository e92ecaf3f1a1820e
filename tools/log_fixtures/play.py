"""Matches whose every step is chosen here, and their lines made right again."""

import hashlib
import json
from base64 import b64decode
from collections.abc import Callable
from itertools import count
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from referee.cards import NAMES, CardName, bits
from referee.deal import Deals
from referee.game.records import (
    AnyAct,
    Discard,
    Play,
    Resign,
    Void,
)
from referee.log.canonical import encode
from referee.log.note import Signer
from referee.log.reader import RawLine, decode
from referee.log.records import PRIVATE, Conduct, Entropy, HeadSeat, Late, Length
from referee.log.redact import Redactor
from referee.log.seal import base64_root, checkpoint
from referee.log.tree import Tree
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import PRESETS, Ruleset
from tests.support.forge import Line
from tests.support.match import Match
from tools.log_fixtures.base import ONE, SHORT


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
