"""What a bot knows when it is asked."""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.v1 import acts_pb2, play_pb2, table_pb2
from toep_client.acts import (
    SIGNS,
    Act,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Pass,
    Peek,
    Play,
    Signal,
    Stay,
    Toep,
    to_plain,
)
from toep_client.cards import NAMES, by_rank, names
from toep_client.news import enum_name

RuleValue = str | int | bool
_EMPTY: Final = table_pb2.TableState()


@dataclass(frozen=True)
class Match:
    """A seat of the bot in a match, and what is fixed for that match.

    ``names`` are the bots' names by seat; ``rules`` the value of every rule option by name; ``rounds`` the number of
    rounds, 0 for a game to the end.
    """

    table: int
    match_id: str
    seat: int
    names: tuple[str, ...]
    rules: Mapping[str, RuleValue]
    rounds: int


def match_of(seated: play_pb2.Seated) -> Match:
    """A protobuf seat as a plain one. Options whose kind of value is not known are left out."""
    rules: dict[str, RuleValue] = {}
    for option in seated.rules:
        kind = option.WhichOneof("value")
        if kind is not None:
            rules[option.name] = getattr(option, kind)
    return Match(seated.table, seated.match_id, seated.seat, tuple(seated.bots), rules, seated.rounds)


class View:
    """Everything a bot may know at one ask; made from that ask, the table's latest public state, and the seat alone.

    What costs time to work out is worked out when it is first read. Cards are names such as ``"Th"``, seats are numbers
    from 0, clockwise.
    """

    def __init__(self, match: Match, ask: play_pb2.Ask, state: table_pb2.TableState | None = None) -> None:
        self.match: Match = match
        self._ask: play_pb2.Ask = ask
        self._state: table_pb2.TableState = _EMPTY if state is None else state

    def __repr__(self) -> str:
        return f"View(table={self.table}, seat={self.seat}, ask={self.ask}, kind={self.kind!r}, hand={self.hand})"

    @property
    def table(self) -> int:
        """The number of the match on this referee."""
        return self.match.table

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.match.match_id

    @property
    def seat(self) -> int:
        """The seat that is asked: the bot's own."""
        return self.match.seat

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' names by seat."""
        return self.match.names

    @property
    def rules(self) -> Mapping[str, RuleValue]:
        """The value of every rule option by name."""
        return self.match.rules

    @property
    def ask(self) -> int:
        """The ask's id on this table."""
        return self._ask.ask

    @cached_property
    def kind(self) -> str:
        """What the ask is about.

        ``"card"``, ``"answer"`` (to a toep) and ``"discard"`` must be answered with an act; ``"window"``,
        ``"exchange"``, ``"check"``, ``"cut"``, ``"blind"`` and ``"chance"`` can be passed. A later version of the
        referee may have others: ``"unknown"``, and the legal acts are right all the same.
        """
        return enum_name(play_pb2.AskKind.DESCRIPTOR, self._ask.kind, "ASK_KIND_")

    @property
    def budget_ms(self) -> int:
        """The time to answer, in milliseconds, counted from when the ask was sent."""
        return self._ask.budget_ms

    @cached_property
    def hand(self) -> list[str]:
        """The bot's cards, in the order clubs, diamonds, spades, hearts; empty while they may not be seen."""
        return names(self._ask.hand)

    @cached_property
    def playable(self) -> list[str]:
        """The cards that may be played now. With ``revoke`` = ``penalise`` that is the whole hand."""
        return names(self._ask.legal)

    @cached_property
    def legal(self) -> list[Act]:
        """Every act that is legal now: first `Pass`, then cards, `Stay`, `Fold`, and the rest.

        Three acts stand for more: `Pass` may be given a reach (``until``); of `Discard` there is one, with the three
        lowest cards, though any three of the hand are legal; and `Resign`, always allowed, is never listed.
        """
        acts: list[Act] = [Pass()] if self.may(acts_pb2.ACT_KIND_PASS) else []
        acts += [Play(card) for card in self.playable]
        for kind, act in _PLAIN_ACTS:
            if self.may(kind):
                acts.append(act)
        if self.may(acts_pb2.ACT_KIND_DISCARD) and len(self.hand) >= 3:
            acts.append(Discard(tuple(sorted(self.hand, key=by_rank)[:3])))
        if self.may(acts_pb2.ACT_KIND_SIGNAL):
            acts += [Signal(sign) for sign in SIGNS]
        if self.may(acts_pb2.ACT_KIND_CUT):
            acts += [Cut(at) for at in range(1, 32)]
        return acts

    def may(self, kind: acts_pb2.ActKind) -> bool:
        """Whether an act of this kind, other than playing a card, is legal now; much cheaper than reading ``legal``."""
        return bool(self._ask.may >> kind & 1)

    @property
    def round(self) -> int:
        """The running round, from 1; 0 before the first deal."""
        return self._state.round

    @property
    def trick_number(self) -> int:
        """The running trick, from 1."""
        return self._state.trick

    @property
    def stake(self) -> int:
        """What a loser of the round pays now."""
        return self._state.stake

    @property
    def toeper(self) -> int | None:
        """The seat that raised the stake last; None before the first toep of the round."""
        return self._state.toeper if self._state.HasField("toeper") else None

    @cached_property
    def points(self) -> list[int]:
        """Penalty points by seat."""
        return list(self._state.points)

    @cached_property
    def accepted(self) -> list[int]:
        """The last stake that each seat accepted: what it pays if it folds now."""
        return list(self._state.accepted)

    @cached_property
    def in_round(self) -> list[int]:
        """The seats that are in the round."""
        return _seats(self._state.in_round)

    @cached_property
    def in_game(self) -> list[int]:
        """The seats that are in the game."""
        return _seats(self._state.in_game)

    @cached_property
    def answering(self) -> list[int]:
        """The seats whose answer to a toep is awaited."""
        return _seats(self._state.answering)

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self._state.dealer

    @property
    def lead(self) -> int:
        """The seat that leads, or led, the running trick."""
        return self._state.lead

    @property
    def turn(self) -> int | None:
        """The seat whose card is awaited; None before the first trick and after the last."""
        return self._state.turn if self._state.HasField("turn") else None

    @property
    def stock(self) -> int:
        """The number of cards left in the stock."""
        return self._state.stock

    @property
    def claimer(self) -> int | None:
        """The seat whose exchange may be challenged now."""
        return self._state.claimer if self._state.HasField("claimer") else None

    @cached_property
    def plays(self) -> list[tuple[int, int, str]]:
        """The cards of the round in the order in which they were played, as (trick, seat, card)."""
        return [(play >> 8, play >> 5 & 7, NAMES[play & 31]) for play in self._state.plays]

    @cached_property
    def trick(self) -> list[tuple[int, str]]:
        """The running trick so far, as (seat, card); the first card is the one to follow."""
        return [(seat, card) for number, seat, card in self.plays if number == self.trick_number]

    @cached_property
    def earlier(self) -> list[list[tuple[int, str]]]:
        """The tricks of the round before the running one, each as (seat, card) in order."""
        tricks: dict[int, list[tuple[int, str]]] = {}
        for number, seat, card in self.plays:
            if number != self.trick_number:
                tricks.setdefault(number, []).append((seat, card))
        return [tricks[number] for number in sorted(tricks)]

    def random(self) -> random.Random:
        """A generator that depends on the match, the seat and the ask alone.

        So a bot that draws from it answers the same ask the same way, whatever else it plays at the same time and
        however often it was restarted. Each call starts the same sequence again.
        """
        key = f"{self.match_id}\0{self.seat}\0{self.ask}".encode()
        return random.Random(int.from_bytes(hashlib.sha256(key).digest(), "big"))

    def plain(self) -> dict[str, object]:
        """The whole view as JSON values. Tricks are lists of ``[seat, card]``."""
        return {
            "table": self.table,
            "match_id": self.match_id,
            "seat": self.seat,
            "names": list(self.names),
            "rules": dict(self.rules),
            "rounds": self.match.rounds,
            "ask": self.ask,
            "kind": self.kind,
            "budget_ms": self.budget_ms,
            "hand": self.hand,
            "playable": self.playable,
            "legal": [to_plain(act) for act in self.legal],
            "round": self.round,
            "trick_number": self.trick_number,
            "stake": self.stake,
            "toeper": self.toeper,
            "points": self.points,
            "accepted": self.accepted,
            "in_round": self.in_round,
            "in_game": self.in_game,
            "answering": self.answering,
            "dealer": self.dealer,
            "lead": self.lead,
            "turn": self.turn,
            "stock": self.stock,
            "claimer": self.claimer,
            "trick": [list(play) for play in self.trick],
            "earlier": [[list(play) for play in trick] for trick in self.earlier],
        }


_PLAIN_ACTS: Final[tuple[tuple[acts_pb2.ActKind, Act], ...]] = (
    (acts_pb2.ACT_KIND_STAY, Stay()),
    (acts_pb2.ACT_KIND_FOLD, Fold()),
    (acts_pb2.ACT_KIND_TOEP, Toep()),
    (acts_pb2.ACT_KIND_EXCHANGE, Exchange()),
    (acts_pb2.ACT_KIND_CHALLENGE, Challenge()),
    (acts_pb2.ACT_KIND_CHANCE, Chance()),
    (acts_pb2.ACT_KIND_BLIND, Blind()),
    (acts_pb2.ACT_KIND_PEEK, Peek()),
    (acts_pb2.ACT_KIND_CONFESS, Confess()),
)


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]
