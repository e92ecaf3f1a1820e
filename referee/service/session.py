"""One bot's stream: what waits to be sent, how many asks are in flight, and the batches that leave.

A session gathers news, asks and refusals of all the bot's tables; whenever the stream can take a message, everything
that waits leaves as one batch. An ask's clock starts when it leaves, and it leaves only into a free slot.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from referee.service.counts import Counts
from referee.service.options import MAX_BACKLOG_BYTES
from referee.table.messages import Ask, Refused, Superseded
from referee.v1 import play_pb2

if TYPE_CHECKING:
    from referee.service.seating import Seating

REFUSAL_BYTES: Final = 100
"""What a refusal takes besides its message, more or less, in memory."""

Clock = Callable[[], int]
"""Milliseconds of a monotonic clock."""


class Session:
    """The sending half of one bot's stream."""

    def __init__(self, bot: str, parallel: int, clock: Clock, counts: Counts | None = None) -> None:
        """``counts`` are those of the referee, which all of its sessions share."""
        self.bot: Final = bot
        """The bot's name, or a guest's account (see `referee.service.guests`)."""
        self.name = bot
        """The bot's name."""
        self.parallel: Final = parallel
        self.wake: Final = asyncio.Event()
        """Set when something waits to be sent, or when the session is over."""
        self.over: Final = asyncio.Event()
        """Set when the referee ends the stream."""
        self.ended: str = ""
        """Why the referee ends the stream; empty while it goes on."""
        self.leaving = False
        """The bot has gone or said goodbye: what waits for it is the last."""
        self.left = False
        """The bot said goodbye."""
        self.in_flight: Final[dict[tuple[int, int], Ask]] = {}
        """Asks that were sent, by (table, seat)."""
        self.refused = 0
        """Refusals of this bot's answers that were written to the referee's own log."""
        self._counts = counts or Counts()
        self._clock = clock
        self._ready: list[bytes] = []
        self._backlog = 0
        """Bytes that wait, about."""
        self._asks: deque[tuple[Seating, Ask]] = deque()
        self._rest = play_pb2.PlayResponse()
        self._rest_used = False
        self._staged: list[bytes] | None = None
        self._staged_asks = 0

    def waiting(self) -> tuple[int, int]:
        """(bytes, asks) that wait to be sent, about."""
        return self._backlog, len(self._asks)

    # -- filling ---------------------------------------------------------------------------------------------------

    def push(self, message: bytes) -> None:
        """Queue a serialised PlayResponse; it becomes a part of the next batch."""
        if self._has_room(len(message)):
            self._ready.append(message)
            self.wake.set()

    def _has_room(self, size: int) -> bool:
        """Whether more may wait for the bot; with too much waiting its stream is ended, and nothing more is kept."""
        if self.ended:
            return False
        self._backlog += size
        if self._backlog > MAX_BACKLOG_BYTES:
            self.end("this bot does not read its stream")
        return True

    def push_ask(self, seating: "Seating", ask: Ask) -> None:
        """Queue an ask; not when the stream ends, since the news that it belongs to are not kept either."""
        if self.ended:
            return
        self._asks.append((seating, ask))
        self.wake.set()

    def push_refusal(self, table: int, refused: Refused) -> None:
        """Queue a refusal."""
        if not self._has_room(REFUSAL_BYTES + len(refused.message)):
            return
        self._rest.refusals.add(
            table=table,
            ask=refused.ask,
            code=refused.code,
            rule=refused.rule,
            message=refused.message,
            tries_left=refused.tries_left,
        )
        self._rest_used = True
        self.wake.set()

    def push_superseded(self, table: int, superseded: Superseded) -> None:
        """Queue the news that an answer came to nothing."""
        self._rest.superseded.add(table=table, ask=superseded.ask)
        self._rest_used = True
        self.wake.set()

    def answered(self, table: int, seat: int, ask: int) -> Ask | None:
        """The bot answered an ask, or it timed out: its slot is free. Returns the ask if it was in flight."""
        sent = self.in_flight.get((table, seat))
        if sent is None or sent.id != ask:
            return None
        del self.in_flight[table, seat]
        if self._asks:
            self.wake.set()
        return sent

    def end(self, why: str) -> None:
        """Tell the writer to end the stream."""
        self.ended = self.ended or why
        self.over.set()
        self.wake.set()

    # -- emptying --------------------------------------------------------------------------------------------------

    def stage(self) -> None:
        """The next batch has what waits now and nothing that comes later, which may rest on lines that are not on disk
        yet. The clocks of its asks start when it is taken, not now."""
        self.wake.clear()
        self._staged = self._take_news()
        self._staged_asks = len(self._asks)

    def take_batch(self) -> bytes:
        """Everything that may leave now, as one serialised PlayResponse; empty when there is nothing.

        Serialised messages can be joined: repeated fields of a protobuf message append.
        """
        if self._staged is None:
            self.wake.clear()
            parts, most = self._take_news(), len(self._asks)
        else:
            parts, most = self._staged, self._staged_asks
            self._staged = None
        if most:
            parts.append(self._take_asks(most).SerializeToString())
        return b"".join(parts)

    def _take_news(self) -> list[bytes]:
        """All that waits but the asks."""
        parts, self._ready, self._backlog = self._ready, [], 0
        if self._rest_used:
            parts.append(self._rest.SerializeToString())
            self._rest = play_pb2.PlayResponse()
            self._rest_used = False
        return parts

    def _take_asks(self, most: int) -> play_pb2.PlayResponse:
        now = self._clock()
        in_flight, asks = self.in_flight, self._asks
        batch = play_pb2.PlayResponse()
        add = batch.asks.add
        while most and len(in_flight) < self.parallel:
            most -= 1
            seating, ask = asks.popleft()
            # One that timed out or was replaced while it waited has nothing left.
            if left := seating.table.sent(ask, now):
                number = seating.number
                in_flight[number, ask.seat] = ask
                add(
                    table=number,
                    ask=ask.id,
                    seat=ask.seat,
                    kind=ask.kind,
                    hand=ask.hand,
                    legal=ask.legal,
                    may=ask.may,
                    budget_ms=left,
                )
        self._counts.asks += len(batch.asks)
        return batch
