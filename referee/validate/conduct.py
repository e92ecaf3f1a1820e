"""Level L3: the referee's own conduct, as the head fixed it: clocks, acts in a player's place, forfeits."""

from typing import Final

import msgspec
from msgspec import UNSET

from referee.cards import NAMES, bits, by_rank_then_suit
from referee.game.game import Game
from referee.game.records import COMPLETE, Act, Fold, Forfeit, Play, Record, Stay, Void
from referee.log.records import Head, Late
from referee.validate.findings import Fault


def as_sent(act: Act) -> Act:
    """The act as a player sends it: what the game fills in is unset."""
    derived = COMPLETE.get(type(act))
    return msgspec.structs.replace(act, **dict.fromkeys(derived, UNSET)) if derived else act


def referee_act(game: Game) -> Act | None:
    """What the referee plays for the seat that must act now; None when nobody must.

    As an answer it folds, and stays where folding is not legal; else it plays the lowest legal card, by rank, then in
    the order clubs, diamonds, spades, hearts.
    """
    must, _ = game.asks()
    if not must:
        return None
    seat = must[0]
    if game.answer_queue:
        fold = Fold(seat=seat)
        return fold if game.check(fold) is None else Stay(seat=seat)
    card = min(bits(game.playable(seat)), key=by_rank_then_suit)
    return Play(card=NAMES[card], seat=seat)


class Watch:
    """Follows what the referee does about clocks and faults."""

    def __init__(self, head: Head) -> None:
        self._clock: Final = head.clock
        self._limit: Final = head.conduct.faults
        self._faults: Final = [0] * len(head.seats)
        self._late: int | None = None
        self._due: int | None = None
        """A seat that has used up its faults and is to be forfeited next."""

    def late(self, game: Game, record: Late) -> None:
        """A passed deadline; raises `Fault`."""
        self._expect_forfeit(game, record)
        if record.elapsed is not UNSET and self._clock == "none":
            raise Fault("E390", "there is no clock, and yet a time", pointer="/elapsed", expected="no elapsed")
        must, may = game.asks()
        if record.seat not in must and record.seat not in may:
            raise Fault(
                "E391",
                f"nothing is asked of seat {record.seat}",
                pointer="/seat",
                expected=" ".join(map(str, sorted((*must, *may)))),
                actual=record.seat,
            )
        self._late = record.seat

    def act(self, game: Game, record: Act) -> bool:
        """A legal act about to take effect. Returns whether refusals must account for it, since the referee acted for
        a seat that was not late; raises `Fault`."""
        self._expect_forfeit(game, record)
        late, self._late = self._late, None
        if record.by is UNSET:
            if record.ms is not UNSET and self._clock == "none":
                raise Fault("E388", "there is no clock, and yet a time", pointer="/ms", expected="no ms")
            if record.ms is UNSET and self._clock == "ms":
                raise Fault("E389", "the time is missing", pointer="/ms", expected="milliseconds")
            return False
        wanted = referee_act(game)
        if msgspec.structs.replace(as_sent(record), by=UNSET) != wanted:
            raise Fault(
                "E382",
                "not what the referee plays in a player's place",
                expected=msgspec.json.encode(wanted).decode(),
                actual=msgspec.json.encode(record).decode(),
            )
        self._faults[record.seat] += 1
        if self._faults[record.seat] == self._limit:
            self._due = record.seat
        return late != record.seat

    def decision(self, game: Game, record: Forfeit | Void) -> None:
        """A decision of the referee about to take effect; raises `Fault`."""
        self._late = None
        if isinstance(record, Void):
            # A crash or a cancelled match may come between a fault and its consequence.
            return
        if record.why == "faults":
            if record.seat != self._due:
                raise Fault(
                    "E387",
                    f"seat {record.seat} has {self._faults[record.seat]} faults",
                    pointer="/seat",
                    expected=f"{self._limit} faults" if self._limit else "no forfeit for faults",
                    actual=f"{self._faults[record.seat]} faults",
                )
            self._due = None
        else:
            self._expect_forfeit(game, record)

    def _expect_forfeit(self, game: Game, record: Record) -> None:
        if self._due is None:
            return
        if not game.in_game >> self._due & 1:
            self._due = None
            return
        raise Fault(
            "E386",
            f"seat {self._due} has {self._limit} faults and is not forfeited",
            expected=f"forfeit of seat {self._due}",
            actual=str(record.__struct_config__.tag),
        )
