"""Views: what is derived from an ask and a state."""

import json

import pytest
from toep_client import Act, Cut, Discard, Event, Fold, Match, Pass, Play, Signal, Stay, Toep, View
from toep_client.acts import BY_NAME, SIGNS
from toep_client.cards import INDEX, NAMES, mask_of, names
from toep_client.news import event_of
from toep_client.view import match_of

from referee.v1 import acts_pb2, events_pb2, play_pb2, table_pb2
from referee.v1.acts_pb2 import ActKind

from .conftest import Maker


def test_card_names_are_those_of_the_wire() -> None:
    from referee.v1 import cards_pb2

    by_number = {value: name.removeprefix("CARD_") for name, value in cards_pb2.Card.items() if value}
    assert [by_number[index + 1] for index in range(32)] == [name.upper() for name in NAMES]
    assert names(mask_of(["Th", "Jc"])) == ["Jc", "Th"]


def test_match_of_seated(make: Maker) -> None:
    match = match_of(make.seated())
    assert match == make.match()
    assert "from_the_future" not in match.rules


def test_cards_first_then_toep(make: Maker) -> None:
    view = make.view(make.ask("Jc Qd 9h Th", "9h Th", (acts_pb2.ACT_KIND_TOEP,)))
    assert view.kind == "card"
    assert view.hand == ["Jc", "Qd", "9h", "Th"]
    assert view.legal == [Play("9h"), Play("Th"), Toep()]


def test_answers_to_a_toep(make: Maker) -> None:
    may = (acts_pb2.ACT_KIND_FOLD, acts_pb2.ACT_KIND_STAY, acts_pb2.ACT_KIND_TOEP)
    view = make.view(make.ask("Jc", "", may, play_pb2.ASK_KIND_ANSWER))
    assert view.kind == "answer"
    assert view.legal == [Stay(), Fold(), Toep()]


def test_a_window_starts_with_a_pass(make: Maker) -> None:
    may = (acts_pb2.ACT_KIND_SIGNAL, acts_pb2.ACT_KIND_PASS)
    view = make.view(make.ask("Jc", "", may, play_pb2.ASK_KIND_WINDOW))
    assert view.legal == [Pass(), *(Signal(sign) for sign in SIGNS)]


def test_cuts_and_discards(make: Maker) -> None:
    cut = make.view(make.ask(may=(acts_pb2.ACT_KIND_CUT,), kind=play_pb2.ASK_KIND_CUT))
    assert cut.legal == [Cut(at) for at in range(1, 32)]
    discard = make.view(make.ask("Tc Jh Qd 7s", "", (acts_pb2.ACT_KIND_DISCARD,), play_pb2.ASK_KIND_DISCARD))
    assert discard.legal == [Discard(("Jh", "Qd", "7s"))]


@pytest.mark.parametrize("kind", [kind for kind in ActKind.values() if kind])
def test_every_kind_of_act_is_listed(make: Maker, kind: int) -> None:
    """All but playing, which has its own mask, and resigning, which is never flagged."""
    view = make.view(make.ask("Tc Jh Qd 7s", "", (kind,)))
    name = ActKind.Name(kind).removeprefix("ACT_KIND_").lower()
    expected: set[type[Act]] = set() if name in ("play", "resign") else {BY_NAME[name]}
    assert {type(act) for act in view.legal} == expected


def test_unknown_kinds_and_flags_do_not_hurt(make: Maker) -> None:
    view = make.view(make.ask("Th", "Th", (30, acts_pb2.ACT_KIND_TOEP), kind=99))
    assert view.kind == "unknown"
    assert view.legal == [Play("Th"), Toep()]


@pytest.mark.parametrize("number", [value for value in play_pb2.AskKind.values() if value])
def test_kinds_have_names(make: Maker, number: int) -> None:
    assert make.view(make.ask(kind=number)).kind in play_pb2.AskKind.Name(number).lower()


def test_the_public_state(make: Maker) -> None:
    state = make.state(
        (1, 0, "7h"),
        (1, 1, "9h"),
        (2, 1, "Td"),
        (2, 2, "Jd"),
        trick=2,
        lead=1,
        turn=3,
        in_round=0b1110,
        answering=0b100,
    )
    state.toeper = 0
    view = make.view(make.ask("Th", "Th"), state)
    assert view.trick == [(1, "Td"), (2, "Jd")]
    assert view.earlier == [[(0, "7h"), (1, "9h")]]
    assert (view.round, view.trick_number, view.dealer, view.lead, view.turn) == (3, 2, 3, 1, 3)
    assert (view.stake, view.stock, view.toeper, view.claimer) == (2, 16, 0, None)
    assert (view.points, view.accepted) == ([1, 2, 3, 4], [1, 1, 1, 1])
    assert (view.in_round, view.in_game, view.answering) == ([1, 2, 3], [0, 1, 2, 3], [2])


def test_a_view_without_a_state(make: Maker) -> None:
    view = View(make.match(), make.ask())
    assert (view.turn, view.toeper, view.trick, view.earlier, view.in_round) == (None, None, [], [], [])


def test_a_view_is_json(make: Maker) -> None:
    view = make.view(make.ask("9h Th", "9h", (acts_pb2.ACT_KIND_TOEP,)), make.state((1, 0, "7h")))
    plain = view.plain()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["legal"] == [{"_": "play", "card": "9h"}, {"_": "toep"}]
    assert plain["trick"] == [[0, "7h"]]


def test_random_depends_on_match_seat_and_ask(make: Maker) -> None:
    first = make.view(make.ask(ask=1))
    assert first.random().random() == make.view(make.ask("Th", ask=1), table_pb2.TableState()).random().random()
    other_match = View(Match(7, "match-8", 1, (), {}, 0), make.ask(ask=1))
    other_seat = View(Match(7, "match-7", 2, (), {}, 0), make.ask(ask=1))
    draws = {view.random().random() for view in (first, make.view(make.ask(ask=2)), other_match, other_seat)}
    assert len(draws) == 4
    assert first.random().getrandbits(32) == 909325706


def test_events() -> None:
    shown = events_pb2.Event(challenge=events_pb2.ChallengeEvent(genuine=True, shown=1 << INDEX["Th"]))
    shown.seat = 0
    assert event_of(7, shown) == Event(7, "challenge", 0, False, {"genuine": True, "shown": ["Th"]})
    out = events_pb2.Event(out=events_pb2.OutEvent(reason=events_pb2.OUT_REASON_LIMIT), by_referee=True)
    assert event_of(7, out) == Event(7, "out", None, True, {"reason": "limit"})
    trick = events_pb2.Event(trick=events_pb2.TrickEvent())
    assert event_of(7, trick).data == {}
    assert event_of(7, events_pb2.Event()) == Event(7, "unknown", None, False)
    assert event_of(7, events_pb2.Event(play=events_pb2.PlayEvent(card=32))).data == {"card": "Th"}  # type: ignore[arg-type]
    assert event_of(7, events_pb2.Event(signal=events_pb2.SignalEvent(sign=9))).data == {"sign": "unknown"}  # type: ignore[arg-type]
