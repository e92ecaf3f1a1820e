"""A short hand for games: ``table("short", ["Jh Qh", "Th 9h"], "A:Jh B! A+")``."""

from collections.abc import Callable
from typing import Any

import pytest

from referee.cards import INDEX, NAMES
from referee.game.game import Game
from referee.game.records import AnyAct, Challenge, Exchange, Fold, Play, Record, Resign, Stay, Toep
from referee.game.setup import Start, start_round
from referee.ruleset import resolve

SIGNS: dict[str, Callable[..., AnyAct]] = {
    "!": Toep,
    "+": Stay,
    "-": Fold,
    "~": Exchange,
    "?": Challenge,
    "#": Resign,
}
Table = Callable[..., Game]
Do = Callable[[Game, str], list[Record]]


def acts(text: str) -> list[AnyAct]:
    """Acts from words: a seat's letter, then ``:Th`` for a card or a sign."""
    found: list[AnyAct] = []
    for word in text.split():
        seat = "ABCDEFGH".index(word[0])
        found.append(Play(card=NAMES[INDEX[word[2:]]], seat=seat) if word[1] == ":" else SIGNS[word[1:]](seat=seat))
    return found


@pytest.fixture
def do() -> Do:
    """Apply some acts and return all their records."""

    def apply(game: Game, text: str) -> list[Record]:
        return [record for act in acts(text) for record in game.apply(act)]

    return apply


@pytest.fixture
def refusal() -> Callable[[Game, str], str]:
    """The rule by which an act is refused; empty when it is legal."""

    def refused(game: Game, word: str) -> str:
        (act,) = acts(word)
        answer = game.check(act)
        return answer.rule if answer else ""

    return refused


@pytest.fixture
def table(do: Do) -> Table:
    """A round with these hands (words of cards), after some acts."""

    def begin(rules: str | dict[str, Any], hands: list[str], text: str = "", **start: Any) -> Game:
        given = [[NAMES[INDEX[card]] for card in hand.split()] for hand in hands]
        if "stock" in start:
            start["stock"] = start["stock"].split()
        game = start_round(resolve(rules), len(hands), Start(hands=given, **start))
        do(game, text)
        return game

    return begin
