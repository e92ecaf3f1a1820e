"""Matches played in this process, without a table: the game, its deals and its log, and nothing else."""

import random
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from referee.deal import Deals, commit
from referee.game import dealing
from referee.game.game import Game
from referee.game.records import AnyAct, Cut, Forfeit, Out, Record, Resign, Score, Void
from referee.game.stand_in import stand_in
from referee.game.state import Phase
from referee.log.records import (
    EDITION,
    FORMAT,
    PRIVATE,
    SHUFFLE,
    Conduct,
    Head,
    HeadSeat,
    Late,
    Length,
    Refused,
    Reveal,
)
from referee.log.records import End as EndRecord
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import CAFE, OPTIONS, PRESETS, Ruleset, RulesetError, allowed, resolve

RULES: dict[str, Ruleset] = {
    "cafe": CAFE,
    "short": PRESETS["short"],
    "last_standing": replace(
        CAFE, game_end="last_standing", dood="auto", folded_cards="excluded", exchange_caught="old_hand", min_players=2
    ),
}


def _values(option: str) -> list[Any]:
    """What an option may be; limits only as far as games stay short."""
    text = allowed(option)
    if text == "false, true":
        return [False, True]
    if ".." not in text:
        return text.split(", ")
    low, high = map(int, text.split(".."))
    return list(range(max(low, 2), 7)) if option == "limit" else list(range(low, high + 1))


VALUES = {option: _values(option) for option in OPTIONS}
HARMLESS: dict[str, Any] = {
    "armoede_leads": False,
    "chance": False,
    "crosses": 0,
    "finale": "off",
    "grey_grave": False,
    "no_follower": "rank_then_suit",
    "overtoep_as_answer": False,
}
"""What options that need others may be whatever those are."""


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any rules that make sense: a preset with any overrides, made harmless where they contradict each other."""
    spec: dict[str, Any] = {"preset": draw(st.sampled_from(sorted(PRESETS)))}
    for option in draw(st.lists(st.sampled_from(OPTIONS), unique=True)):
        spec[option] = draw(st.sampled_from(VALUES[option]))
    while True:
        try:
            return resolve(spec)
        except RulesetError as error:
            spec[error.option] = HARMLESS[error.option]


def seed_of(name: str) -> bytes:
    """32 bytes that depend on the name only."""
    return sha256(name.encode()).digest()


class Match:
    """A match whose every step the test decides; the log is written as a referee would."""

    def __init__(
        self,
        rules: Ruleset = CAFE,
        seats: int = 4,
        length: Length = "game",
        *,
        name: str = "test",
        clock: str = "none",
        declared: bool = False,
        conduct: Conduct | None = None,
    ) -> None:
        self.seed = seed_of(name)
        self.head = Head(
            clock="ms" if clock == "ms" else "none",
            commit=commit(self.seed),
            conduct=conduct or Conduct(),
            deals=name,
            edition=EDITION,
            fmt=FORMAT,
            isolation="uid",
            length=length,
            match=name,
            open_seed=self.seed.hex() if declared else UNSET,
            rules=rules,
            seats=[HeadSeat(bot=f"bot {seat}") for seat in range(seats)],
            shuffle=SHUFFLE,
        )
        self.game = Game(rules, seats, 0 if length == "game" else length.rounds)
        self.deals = Deals(self.seed, name)
        self.sink = MemorySink()
        self.log = LogWriter(self.sink, match=name)
        self.refusals: list[Refused] = []
        self.at = 0
        self.log.append(self.head)
        self.log.seal()

    def deal(self, cut: int = 0) -> None:
        """The next round, after the draw where one is due; ``cut``: how many cards are put under the rest."""
        game = self.game
        if game.needs_draw:
            self.write(game.draw(self.deals.deal(0, 1).pack))
        deal = self.deals.deal(*game.next_deal())
        self.log.salt_for = lambda index: deal.salt(self.head.match, index)
        if game.rules.cut:
            self.write(game.open_deal())
        if cut:
            self.act(Cut(at=cut, seat=dealing.cutter(game)))
        self.write(game.deal(deal.pack))

    def close_windows(self, phase: Phase) -> None:
        """Nobody uses the windows of a phase any more."""
        self.write(self.game.close(phase))

    def write(self, records: Iterable[Record]) -> None:
        """Append records; refusals go before a score, a seal behind it and its outs."""
        scored = False
        for record in records:
            if isinstance(record, Score):
                for refused in sorted(self.refusals, key=lambda one: (one.at, one.seat)):
                    self.log.append(refused)
                self.refusals.clear()
                scored = True
            elif scored:
                assert isinstance(record, Out)
            self.log.append(record)
        if scored:
            self.log.seal()

    def act(self, act: AnyAct | Forfeit | Void) -> None:
        """An effective act, after what it closes."""
        self.write(self.game.apply(act))
        self.at += 1

    def refuse(self, act: AnyAct, code: str = "", seat: int | None = None) -> None:
        """An act that the rules refuse (or, with ``code``, are said to refuse) in this state."""
        refusal = self.game.check(act)
        code = code or (refusal.rule if refusal else "R-TURN-01")
        got = act if "-" in code else UNSET
        self.refusals.append(Refused(at=self.at, code=code, got=got, salt="", seat=act.seat if seat is None else seat))

    def late(self, seat: int) -> None:
        """A deadline passes."""
        self.log.append(Late(budget=self.head.conduct.act_ms, seat=seat, verdict="bot"))

    def referee(self) -> None:
        """The referee acts for the seat that must."""
        self.act(stand_in(self.game, self.game.asks()[0][0]))

    def play_on(
        self, name: str = "", eagerness: float = 0.1, *, stop_after_deals: int = 0, resigns: bool = False
    ) -> "Match":
        """Random legal acts to the end of the match, or of the round when so many deals are done."""
        rng = random.Random(f"{self.head.match}/{name}")
        game = self.game
        while not game.over:
            if game.needs_deal:
                limit = stop_after_deals or self.head.conduct.max_deals
                if game.deals >= limit:
                    break
                self.deal(cut=rng.choice((0, rng.randrange(1, 32))) if game.rules.cut else 0)
                continue
            must, windows = game.asks()
            if windows and (not must or rng.random() < eagerness):
                acts = game.legal(rng.choice(windows))
            else:
                acts = game.legal(must[0])
                if not game.answer_queue and rng.random() >= eagerness:
                    acts = [act for act in acts if type(act).__name__ in ("Play", "Discard")]
            act: AnyAct = rng.choice(acts)
            if resigns and rng.random() < eagerness / 50:
                act = Resign(seat=act.seat)
            if self.head.clock == "ms" and not isinstance(act, PRIVATE):
                act = replace(act, ms=rng.randrange(1000))
            self.act(act)
        return self

    def close(self) -> bytes:
        """End, seal, reveal, seal; returns the file."""
        game = self.game
        self.log.append(
            EndRecord(
                n=self.log.lines,
                rank=game.ranks(),
                status=game.status if game.over else "abandoned",  # type: ignore[arg-type]
                total=game.totals(),
            )
        )
        self.log.seal()
        self.log.append(Reveal(seed=self.seed.hex()))
        self.log.seal()
        return self.data()

    def data(self) -> bytes:
        """The file so far."""
        self.log.flush()
        return bytes(self.sink.data)
