"""A whole match in one process, without sockets or waiting: for tests, fixtures, benchmarks and simulations."""

import random
from collections.abc import Callable

from referee.game.game import PASS_BIT, Game
from referee.game.records import Discard, Fold, Play, Stay
from referee.log.note import Signer
from referee.log.records import Head
from referee.log.writer import LogWriter, Sink
from referee.table.head import MatchPlan, make_head
from referee.table.messages import Ask, Message, Over
from referee.table.steps import PASS, STEP_ACTS, Answer
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
        legal = [act for act in game.legal(ask.seat) if type(act) in STEP_ACTS[ask.kind]]
        eager = rng.random() < eagerness
        if ask.may & PASS_BIT:
            return rng.choice(legal) if legal and eager else PASS
        owed = [act for act in legal if isinstance(act, Play | Stay | Fold | Discard)]
        return rng.choice(legal if eager else owed)

    return answer


def write_match(
    plan: MatchPlan, seed: bytes, sink: Sink, *, eagerness: float = 0.05, signer: Signer | None = None
) -> Head:
    """Play a match between random players under a declared seed, and write its whole log; returns the head."""
    head = make_head(plan, seed, declared=True, key=signer.vkey if signer else "")
    log = LogWriter(sink, match=head.match, signer=signer)
    run_to_end(Table(head, seed, log), random_player(head.match, eagerness))
    return head
