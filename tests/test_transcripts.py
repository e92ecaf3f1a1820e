"""Golden transcripts: everything that each seat of a match gets to see, message by message, as it leaves on the wire.

A hidden card that leaks into a seat's view is a changed line in fixtures/transcripts. The files change only on purpose:
TOEP_UPDATE_GOLDEN=1.
"""

import json
import os
import random
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict

from referee.cards import PACK_SIZE, bits
from referee.game.game import BIT
from referee.game.records import (
    Act,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Peek,
    Signal,
    Stay,
    Toep,
)
from referee.log.records import Rounds
from referee.ruleset import PRESETS
from referee.service.hall import Hall
from referee.service.session import Session
from referee.service.store import Store
from referee.table.head import MatchPlan
from referee.v1 import play_pb2

FOLDER = Path(__file__).parents[1] / "fixtures" / "transcripts"
SEATS = 3
SIMPLE: dict[type[Act], str] = {
    Blind: "blind", Peek: "peek", Chance: "chance", Exchange: "exchange", Challenge: "challenge", Toep: "toep",
    Stay: "stay", Fold: "fold", Confess: "confess",
}  # fmt: skip


def answer(ask: play_pb2.Ask, request: play_pb2.PlayRequest) -> None:
    """Any legal act, and now and then the ten of hearts, legal or not; drawn per ask."""
    rng = random.Random(f"{ask.seat}/{ask.ask}")
    reply = request.answers.add(table=ask.table, ask=ask.ask)
    cards = list(bits(ask.legal))
    if rng.random() < 0.08:
        reply.play.card = PACK_SIZE  # type: ignore[assignment]
    elif cards and rng.random() < 0.8:
        reply.play.card = rng.choice(cards) + 1  # type: ignore[assignment]
    else:
        kinds = [kind for kind, bit in BIT.items() if ask.may & bit]
        passing = bool(ask.may & 2)
        if passing and (not kinds or rng.random() < 0.75):
            reply.decline.SetInParent()
        elif not kinds:
            reply.play.card = cards[0] + 1  # type: ignore[assignment]
        else:
            do(reply, rng.choice(kinds), ask, rng)


def do(reply: play_pb2.Answer, kind: type[Act], ask: play_pb2.Ask, rng: random.Random) -> None:
    if kind is Cut:
        reply.cut.at = rng.randint(1, 31)
    elif kind is Signal:
        reply.signal.sign = rng.randint(1, 3)  # type: ignore[assignment]
    elif kind is Discard:
        reply.discard.cards.extend(card + 1 for card in rng.sample(list(bits(ask.hand)), 3))  # type: ignore[misc]
    else:
        getattr(reply, SIMPLE[kind]).SetInParent()


def transcripts(preset: str, folder: Path) -> dict[str, str]:
    """What each seat of a match gets, as JSON lines, by file name."""
    hall = Hall(Store(folder), clock=lambda: 0)
    rules = PRESETS[preset]
    bots = [f"bot{seat}" for seat in range(SEATS)]
    plan = MatchPlan(rules=rules, bots=bots, length=Rounds(rounds=2), clock="none", match=preset)
    hall.create(plan, bytes(range(32)), declared=True)
    sessions: list[Session] = [hall.connect(bot, 8) for bot in bots]
    heard: list[list[str]] = [[] for _ in bots]
    while True:
        requests = []
        for session, lines in zip(sessions, heard, strict=True):
            response = play_pb2.PlayResponse.FromString(session.take_batch())
            if response.ByteSize():
                shown = MessageToDict(response, preserving_proto_field_name=True, use_integers_for_enums=True)
                shown.get("seated", [{}])[0].pop("rules", None)
                lines.append(json.dumps(shown, separators=(",", ":")))
            request = play_pb2.PlayRequest()
            for ask in response.asks:
                answer(ask, request)
            requests.append(request)
        if not any(request.answers for request in requests):
            break
        for session, request in zip(sessions, requests, strict=True):
            hall.receive(session, request.answers)
    return {f"{preset}-seat{seat}.jsonl": "\n".join(lines) + "\n" for seat, lines in enumerate(heard)}


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_seat_sees_what_it_saw_before(preset: str, tmp_path: Path) -> None:
    for name, text in transcripts(preset, tmp_path).items():
        path = FOLDER / name
        if os.environ.get("TOEP_UPDATE_GOLDEN") == "1":
            path.write_text(text)
        assert text == path.read_text(), f"{name} differs; if that is meant, run with TOEP_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_match_came_to_its_end_and_every_seat_heard_of_it(preset: str) -> None:
    for seat in range(SEATS):
        last = json.loads((FOLDER / f"{preset}-seat{seat}.jsonl").read_text().splitlines()[-1])
        assert last["over"][0]["status"] in (3, 4)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_no_seat_is_shown_a_card_of_another_before_it_is_played(preset: str) -> None:
    """In the first round, before anything is turned up: the hands that seats are shown have no card in common."""
    hands: dict[int, int] = {}
    for seat in range(SEATS):
        for line in (FOLDER / f"{preset}-seat{seat}.jsonl").read_text().splitlines():
            message = json.loads(line)
            for ask in message.get("asks", []):
                assert ask.get("seat", 0) == seat
                hands.setdefault(seat, ask.get("hand", 0))
                hands[seat] = hands[seat] or ask.get("hand", 0)
    assert len(hands) == SEATS
    assert sum(hand.bit_count() for hand in hands.values()) == (hands[0] | hands[1] | hands[2]).bit_count()
