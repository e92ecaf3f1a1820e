"""Views: a log as one seat, or a spectator, may see it while its seed is secret.

A view has a line for every line of the log. A private line that is not for whoever reads the view is replaced by its
leaf (``~``), all others stay byte for byte. So the view has the roots of the log, and its seals hold.

With blind toeps a hand can stay unseen by its own player for a whole round. Then it is hidden from him too.
"""

from typing import Final

from referee.game.records import (
    Cards,
    Challenge,
    Chance,
    Discard,
    Exchange,
    Fold,
    Forfeit,
    Open,
    Out,
    Peek,
    Play,
    Resign,
    Round,
    Score,
    Show,
    Signal,
    Toep,
)
from referee.log.canonical import encode
from referee.log.records import AnyRecord, Head, Redacted, Refused
from referee.log.seal import base64_root
from referee.log.tree import leaf_hash

_PICKED_UP: Final = (Challenge, Chance, Discard, Exchange, Open, Play, Show, Signal, Toep)
"""What cannot happen before hands are picked up: by then every seat in the round has seen its own."""

_LEAVING: Final = (Fold, Forfeit, Out, Resign)


def hidden(line: bytes) -> bytes:
    """What a view has in place of a line; both without LF."""
    return encode(Redacted(hash=base64_root(leaf_hash(line))))


class Redactor:
    """Makes a view of a log, line by line.

    Lines come out in order, but not always at once: in a match with blind toeps a seat's own hand, and what follows it,
    waits until the seat has looked at it, or the round is over without that. What the log does not show counts as not
    seen: closing a window leaves no line of its own.
    """

    def __init__(self, seat: int | None) -> None:
        """``seat``: whose view; None: that of a spectator, who sees nothing private."""
        self.hidden = 0
        """Lines that came out hidden, those that were hidden already included."""

        self.private = 0
        """Private lines that came out as they were."""

        self._seat: Final = seat
        self._blind = True
        self._looked = False
        self._in_round = True
        self._waiting: list[tuple[bytes, bool]] = []
        """Lines that follow an unseen hand, and whether they are such a hand."""

    def feed(self, line: bytes, record: AnyRecord) -> list[bytes]:
        """Take the next line, without its LF, and its record; returns the lines of the view that are ready."""
        ready: list[bytes] = []
        if isinstance(record, Head):
            self._blind = record.rules.blind
            self._looked = not self._blind
        elif isinstance(record, Round | Score):
            ready = self.finish()
            self._looked = not self._blind
            self._in_round = True
        elif not self._looked and self._looks(record):
            self._looked = True
            ready = self._release(seen=True)
        unseen = False
        if isinstance(record, Redacted):
            self.hidden += 1
        elif isinstance(record, Cards | Discard | Refused):
            if record.seat != self._seat:
                line = hidden(line)
                self.hidden += 1
            elif isinstance(record, Cards) and not self._looked:
                unseen = True
            else:
                self.private += 1
        if unseen or self._waiting:
            self._waiting.append((line, unseen))
        else:
            ready.append(line)
        return ready

    def finish(self) -> list[bytes]:
        """The lines that still wait, when the log or the round ends: nobody looked at their cards."""
        return self._release(seen=False)

    def _looks(self, record: AnyRecord) -> bool:
        """Whether the seat has seen its hand by this record; takes note of its leaving the round."""
        if isinstance(record, _PICKED_UP):
            return self._in_round
        if isinstance(record, _LEAVING) and record.seat == self._seat:
            self._in_round = False
        return isinstance(record, Peek) and record.seat == self._seat

    def _release(self, *, seen: bool) -> list[bytes]:
        lines = [hidden(line) if unseen and not seen else line for line, unseen in self._waiting]
        hands = sum(unseen for _, unseen in self._waiting)
        self._waiting.clear()
        if seen:
            self.private += hands
        else:
            self.hidden += hands
        return lines
