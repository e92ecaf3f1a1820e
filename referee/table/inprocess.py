"""A whole match in one process, without sockets or waiting: for tests, fixtures, benchmarks and simulations."""

import random
from collections.abc import Callable

from referee.game.game import PASS_BIT, Game
from referee.game.records import AnyAct, Exchange, Fold, Play, Stay
from referee.log.records import Head
from referee.log.writer import LogWriter, Sink
from referee.table.head import MatchPlan, make_head
from referee.table.messages import Ask, Message, Over
from referee.table.steps import PASS, Answer
from referee.table.table import Malformed, Table

Player = Callable[[Game, Ask], Answer | Malformed]
"""Answers an ask. It is given the whole game, hidden cards included: only for players that are part of a test."""


def run_to_end(table: Table, player: Player) -> Over:
    """Play a match to its end with one player on every seat; every answer arrives at once, in seat order."""
    inbox: list[Message] = list(table.start(0))
    while table.over is None:
        asks = [message for message in inbox if type(message) is Ask]
        inbox = []
        for ask in asks:
            table.sent(ask, 0)
        for ask in asks:
            inbox.extend(table.on_act(ask.seat, ask.id, player(table.game, ask), 0))
    return table.over


def random_player(match: str, eagerness: float = 0.05) -> Player:
    """A player that draws at random, per ask, from a generator keyed by match, seat and ask id.

    ``eagerness``: how likely it uses a window. Because nothing else feeds the generator, a resumed or reordered match
    goes the same way.
    """

    def answer(game: Game, ask: Ask) -> Answer:
        rng = random.Random(f"{match}/{ask.seat}/{ask.id}")
        legal = _answers(game, ask)
        if ask.may & PASS_BIT:
            return rng.choice(legal) if legal and rng.random() < eagerness else PASS
        likely = [act for act in legal if isinstance(act, Play | Stay | Fold)]
        return rng.choice(legal if rng.random() < eagerness else likely)

    return answer


def _answers(game: Game, ask: Ask) -> list[AnyAct]:
    """The legal acts that this ask takes."""
    return [act for act in game.legal(ask.seat) if not isinstance(act, Exchange) or ask.kind.name == "EXCHANGE"]


def write_match(plan: MatchPlan, seed: bytes, sink: Sink, *, eagerness: float = 0.05) -> Head:
    """Play a match between random players under a declared seed, and write its whole log; returns the head."""
    head = make_head(plan, seed, declared=True)
    run_to_end(Table(head, seed, LogWriter(sink, match=head.match)), random_player(head.match, eagerness))
    return head
