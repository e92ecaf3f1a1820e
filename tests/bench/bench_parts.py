"""Parts of the referee alone, with pytest-benchmark: where the time of an ask goes."""

from collections.abc import Callable
from typing import Any

from referee.deal import Deals
from referee.game.game import Game
from referee.game.records import Play
from referee.log.canonical import encode
from referee.log.records import Rounds
from referee.log.tree import Tree
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import resolve
from referee.service import edge
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player, run_to_end
from referee.table.table import Table

Benchmark = Callable[..., Any]
SEED = b"\x2a" * 32


def test_deal(benchmark: Benchmark) -> None:
    deals = Deals(SEED, "bench")
    benchmark(lambda: deals.deal(1, 1))


def test_encode_and_hash_a_line(benchmark: Benchmark) -> None:
    tree, record = Tree(), Play(card="Th", seat=3)
    benchmark(lambda: tree.append(encode(record)))


def test_legal_acts_of_a_seat(benchmark: Benchmark) -> None:
    game = Game(resolve("cafe"), 4)
    game.deal(range(32))
    benchmark(lambda: (game.playable(1), game.may(1)))


def test_public_state_message(benchmark: Benchmark) -> None:
    game = Game(resolve("cafe"), 4)
    game.deal(range(32))
    news = edge.News(1, game)
    records = game.apply(game.legal(1)[-1])
    benchmark(lambda: news.message(records))


def test_a_round_in_process(benchmark: Benchmark) -> None:
    plan = MatchPlan(rules=resolve("cafe"), bots=["a", "b", "c", "d"], length=Rounds(rounds=1), clock="none")
    head = make_head(plan, SEED, declared=True)
    player = random_player(head.match)
    benchmark(lambda: run_to_end(Table(head, SEED, LogWriter(MemorySink(), match=head.match)), player))
