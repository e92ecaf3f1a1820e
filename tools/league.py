"""Matches between sample bots in one process, for the tools that need many: no sockets, no clocks, real rules and logs.

The bots are those of `toep_client.samples`, and mixtures of them, so that there are as many different strengths as
are wanted. They see what they would see over the wire, through the same views.
"""

import json
import random
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from toep_client import Bot, View
from toep_client.acts import Act, to_answer
from toep_client.samples.caller import Caller
from toep_client.samples.careful import Careful
from toep_client.samples.random import Random
from toep_client.view import Match

from referee.cards import INDEX, mask_of
from referee.game.game import Game
from referee.log.records import Rounds
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import PRESETS, Ruleset
from referee.service import edge
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import run_to_end
from referee.table.messages import Ask
from referee.table.steps import Answer
from referee.table.table import Malformed, Table
from referee.v1 import play_pb2


class Mixture(Bot):
    """Plays like one bot, and now and then like another."""

    def __init__(self, usual: Bot, other: Bot, share: float) -> None:
        """``share``: how often it plays like the other one, from 0 to 1."""
        self._usual = usual
        self._other = other
        self._share = share

    def act(self, view: View) -> Act:
        draw = random.Random(f"mixture/{view.match_id}/{view.seat}/{view.ask}")
        chosen = self._other if draw.random() < self._share else self._usual
        act = chosen.act(view)
        assert isinstance(act, Act)
        return act


BOTS: Final[dict[str, Bot]] = {
    "careful": Careful(),
    "careful-caller": Mixture(Careful(), Caller(), 0.5),
    "caller": Caller(),
    "careful-random": Mixture(Careful(), Random(), 0.25),
    "caller-random": Mixture(Caller(), Random(), 0.25),
    "random": Random(),
}
"""From good to bad, more or less."""


class Played(NamedTuple):
    """A match: by scored round, what each seat was dealt (a mask of cards; every deal, void ones too) and won."""

    hands: list[list[list[int]]]
    """Round, then seat, then the hands of its deals."""

    points: list[list[int]]
    """Round, then seat."""

    rank: list[int]


class Player:
    """Answers for every seat of a table, as the bots named by seat would."""

    def __init__(self, names: Sequence[str], match: str, rules: Ruleset, rounds: int) -> None:
        options = {option: getattr(rules, option) for option in Ruleset.__struct_fields__}
        self._bots = [BOTS[name] for name in names]
        self._matches = [Match(1, match, seat, tuple(names), options, rounds) for seat in range(len(names))]
        self._news: edge.News | None = None

    def __call__(self, game: Game, ask: Ask) -> Answer | Malformed:
        self._news = self._news or edge.News(1, game)
        told = play_pb2.PlayResponse.FromString(self._news.message([]))
        asked = play_pb2.Ask(
            table=1, ask=ask.id, seat=ask.seat, kind=int(ask.kind), hand=ask.hand, legal=ask.legal, may=ask.may
        )
        view = View(self._matches[ask.seat], asked, told.updates[0].state)
        act = self._bots[ask.seat].act(view)
        return edge.read_answer(to_answer(act, 1, ask.id), ask.seat)


def play(names: Sequence[str], preset: str, rounds: int, match: str, deals: str = "") -> Played:
    """One match of so many rounds between bots named by seat; everything follows from the names of match and deals."""
    rules = PRESETS[preset]
    seed = sha256(f"league/{deals or match}".encode()).digest()
    plan = MatchPlan(
        rules=rules, bots=names, length=Rounds(rounds=rounds), clock="none", match=match, deals=deals or match
    )
    sink = MemorySink()
    head = make_head(plan, seed, declared=True)
    over = run_to_end(Table(head, seed, LogWriter(sink, match=match)), Player(names, match, rules, rounds))
    hands: list[list[list[int]]] = []
    points: list[list[int]] = []
    for line in bytes(sink.data).splitlines():
        record = json.loads(line) if line.startswith(b"{") else {}
        kind = record.get("_")
        if kind == "round" and record["try"] == 1:
            hands.append([[] for _ in names])
        elif kind == "cards" and record["why"] == "deal":
            hands[-1][record["seat"]].append(mask_of(INDEX[card] for card in record["cards"]))
        elif kind == "score":
            points.append(record["points"])
    assert len(hands) == len(points) == rounds
    return Played(hands, points, over.rank)
