"""What the kit does to the stream of a bot: messages from the future, a refusal out of nowhere, a line that breaks."""

from typing import Final

from google.protobuf.message import Message

from referee.conformance.bot.tap import Broken, Key, Put, Tamper, Tap
from referee.game.game import PASS_BIT
from referee.v1 import acts_pb2, events_pb2, play_pb2

NEW_KIND: Final = 99
"""A kind of ask that there is not."""

NEW_FLAG: Final = 1 << 20
"""A flag of an act that there is not."""

NEW_STATUS: Final = 77


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))


NEW_FIELDS: Final = _varint(1999 << 3) + _varint(7) + _varint(2000 << 3 | 2) + b"\x05later"
"""A number and a text in fields that no message has."""

NEW_EVENT: Final = _varint(500 << 3 | 2) + b"\x00"
"""An event that there is not."""


class Curious(Tamper):
    """Takes every pass for one that reaches no further than its window, so that every ask comes."""

    def incoming(self, tap: Tap, request: play_pb2.PlayRequest) -> play_pb2.PlayResponse | None:
        for answer in request.answers:
            if answer.WhichOneof("act") == "decline":
                answer.decline.until = acts_pb2.PASS_UNTIL_UNSPECIFIED
        return None


class Future(Tamper):
    """Every message comes from a referee that is newer than the bot."""

    def __init__(self) -> None:
        self.kinds = 0
        """How many asks were of a new kind."""

    def outgoing(self, tap: Tap, response: play_pb2.PlayResponse) -> None:
        for seated in response.seated:
            seated.rules.add(name="from_the_future")
        for update in response.updates:
            event = events_pb2.Event(seat=0)
            event.MergeFromString(NEW_EVENT)
            update.events.insert(0, event)
        for ask in response.asks:
            if ask.may & PASS_BIT:
                ask.kind = NEW_KIND  # type: ignore[assignment]
                ask.may |= NEW_FLAG
                self.kinds += 1
        for over in response.over:
            over.status = NEW_STATUS  # type: ignore[assignment]
        parts: list[Message] = [response, *response.seated, *response.asks, *response.over, *response.updates]
        parts += [update.state for update in response.updates]
        parts += [event for update in response.updates for event in update.events]
        if response.HasField("welcome"):
            parts.append(response.welcome)
        for part in parts:
            part.MergeFromString(NEW_FIELDS)


class Refuser(Tamper):
    """Refuses the first card and the first answer to a toep, as a referee would that knows a rule more."""

    RULES: Final = {"card": "R-SUIT-01", "answer": "R-ANS-01"}

    def __init__(self) -> None:
        self.again: Final[dict[str, Key]] = {}
        """By kind, the ask that came after the refusal."""
        self._real: Final[dict[Key, int]] = {}
        """The ask that the referee waits for, by the one that the bot knows."""
        self._refused: Final[set[Key]] = set()

    def incoming(self, tap: Tap, request: play_pb2.PlayRequest) -> play_pb2.PlayResponse | None:
        response = play_pb2.PlayResponse()
        kept = []
        for answer in request.answers:
            key = (answer.table, answer.ask)
            put = tap.puts.get(key)
            if key in self._real:
                answer.ask = self._real[key]
            elif key in self._refused:
                stale = play_pb2.REFUSAL_CODE_STALE
                why = "this ask was refused; another one has come for it"
                response.refusals.add(table=answer.table, ask=answer.ask, code=stale, message=why)
                continue
            elif put is not None and put.kind in self.RULES and put.kind not in self.again and _fits(put, answer):
                self._refuse(tap, put, response)
                continue
            kept.append(answer)
        if not response.refusals:
            return None
        copies = [play_pb2.Answer.FromString(answer.SerializeToString()) for answer in kept]
        del request.answers[:]
        request.answers.extend(copies)
        return response

    def _refuse(self, tap: Tap, put: Put, response: play_pb2.PlayResponse) -> None:
        ask = play_pb2.Ask()
        ask.CopyFrom(put.ask)
        ask.ask += 1  # The low bits of an id count how often the seat was asked.
        ask.budget_ms = max(1, ask.budget_ms - round(put.ms or 0))
        refusal = play_pb2.Refusal(
            table=ask.table,
            ask=put.ask.ask,
            code=play_pb2.REFUSAL_CODE_ILLEGAL,
            rule=self.RULES[put.kind],
            message="the kit refuses this once, to see what comes then",
            tries_left=2,
        )
        put.refusal = refusal
        self._refused.add(put.key)
        self.again[put.kind] = (ask.table, ask.ask)
        self._real[ask.table, ask.ask] = put.ask.ask
        tap.put(ask)
        response.refusals.append(refusal)
        response.asks.append(ask)

    def outgoing(self, tap: Tap, response: play_pb2.PlayResponse) -> None:
        """The bot knows the second ask only."""
        known = {(table, real): fake for (table, fake), real in self._real.items()}
        for refusal in response.refusals:
            refusal.ask = known.get((refusal.table, refusal.ask), refusal.ask)
        for superseded in response.superseded:
            superseded.ask = known.get((superseded.table, superseded.ask), superseded.ask)


def _fits(put: Put, answer: play_pb2.Answer) -> bool:
    """Whether an answer is one that the ask allows."""
    name = answer.WhichOneof("act")
    if name == "play":
        return bool(answer.play.card and put.ask.legal >> (answer.play.card - 1) & 1)
    kind = acts_pb2.ActKind.DESCRIPTOR.values_by_name.get(f"ACT_KIND_{name}".upper())
    return kind is not None and bool(put.ask.may >> kind.number & 1)


class Breaker(Tamper):
    """Breaks the line once, when some asks have been answered and another is on its way."""

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self.done = False

    def outgoing(self, tap: Tap, response: play_pb2.PlayResponse) -> None:
        if not self.done and response.asks and sum(1 for _ in tap.answered()) >= self._answers:
            self.done = True
            raise Broken
