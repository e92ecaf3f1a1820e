"""The tables a bot plays at: what is kept between messages. No I/O."""

from typing import Final

from referee.v1 import play_pb2, table_pb2
from toep_client.acts import Act
from toep_client.errors import LOST, Trouble
from toep_client.news import Over, Refusal, over_of, refusal_of
from toep_client.view import Match, View, match_of

REMEMBERED: Final = 32
"""Answers remembered for each table: the referee does not say that an answer was accepted, only that it was not."""


class Desk:
    """The bot's seats, the latest public state of each of its tables, and its latest answers."""

    def __init__(self) -> None:
        self.finished: int = 0
        self._seats: dict[int, dict[int, Match]] = {}
        self._states: dict[int, table_pb2.TableState] = {}
        self._answers: dict[int, dict[int, tuple[View, Act]]] = {}

    @property
    def running(self) -> int:
        """The number of matches that are being played."""
        return len(self._seats)

    def seat(self, seated: play_pb2.Seated) -> Match:
        """Takes a seat."""
        match = match_of(seated)
        self._seats.setdefault(match.table, {})[match.seat] = match
        return match

    def resume(self, matches: set[str]) -> None:
        """The bot is back on a new stream, and sits in these matches. The others that it played are over."""
        for seats in self._seats.values():
            self.finished += next(iter(seats.values())).match_id not in matches
        self._seats.clear()
        self._states.clear()
        self._answers.clear()

    def update(self, update: table_pb2.TableUpdate) -> None:
        """Takes in how things stand at a table."""
        if update.HasField("state"):
            self._states[update.table] = update.state

    def view(self, ask: play_pb2.Ask) -> View:
        """What the bot knows at an ask. Raises `Trouble` when it has no such seat."""
        match = self._seats.get(ask.table, {}).get(ask.seat)
        if match is None:
            raise Trouble(LOST, f"the referee asks seat {ask.seat} of table {ask.table}, where this bot does not sit")
        return View(match, ask, self._states.get(ask.table))

    def answered(self, view: View, act: Act) -> None:
        """Remembers an answer, for the case that it is refused."""
        answers = self._answers.setdefault(view.table, {})
        answers[view.ask] = (view, act)
        if len(answers) > REMEMBERED:
            del answers[next(iter(answers))]

    def refused(self, refusal: play_pb2.Refusal) -> tuple[View | None, Refusal]:
        """What a refusal is about, as far as it is remembered."""
        view, act = self._answers.get(refusal.table, {}).get(refusal.ask, (None, None))
        return view, refusal_of(refusal, act)

    def superseded(self, superseded: play_pb2.Superseded) -> View | None:
        """Forgets an answer that came to nothing; returns what it answered, as far as it is remembered."""
        view, _ = self._answers.get(superseded.table, {}).pop(superseded.ask, (None, None))
        return view

    def over(self, over: play_pb2.MatchOver) -> Over:
        """Leaves a table whose match is over."""
        seats = self._seats.pop(over.table, {})
        self._states.pop(over.table, None)
        self._answers.pop(over.table, None)
        self.finished += 1
        return over_of(over, tuple(sorted(seats)))
