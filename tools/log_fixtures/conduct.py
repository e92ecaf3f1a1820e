"""L3: the conduct of the referee."""

from collections.abc import Iterator

from tests.support.forge import lines
from tools.log_fixtures.base import WRONG_ROOT, Fixture
from tools.log_fixtures.changes import (
    LATE,
    Records,
    _at,
    _number,
    at_line,
    bad,
    both,
    drop,
    insert,
    put,
    record,
    swap,
    within,
)
from tools.log_fixtures.derived import _hand
from tools.log_fixtures.logs import forfeited, lateness, plain, quiet, refusals, simultaneous
from tools.log_fixtures.more_logs import answered, refused_later, revoke, toep, view_of_plain


def conduct_logs() -> Iterator[Fixture]:
    """E375 to E392: what the referee did."""
    refused, sealed_log, late = refusals(), simultaneous(), lateness("none")

    def early(records: Records) -> int:
        records.insert(at := _at(records, "play", 1), records.pop(_at(records, "refused")))
        return at + 1

    yield bad("E375-early", "A refused act stands where it happened.", refused, early)
    acts = [one for one in lines(refused) if one["_"] == "refused"]
    later = next(number for number, one in enumerate(acts) if one["at"] > acts[0]["at"])
    yield bad("E376-at", "Refused acts are not in the order of at.", refused,
        at_line(swap("refused", later - 1, later), "refused", later))  # fmt: skip
    seat = next(number for number, one in enumerate(acts) if one["seat"] != acts[0]["seat"])
    yield bad("E376-seat", "Refused acts of one moment are not in the order of the seats.", refused,
        at_line(swap("refused", seat - 1, seat), "refused", seat))  # fmt: skip
    yield bad("E377-beyond", "A refusal after more acts than there were.", refused, lambda records: put(
        "refused", _last(records, "refused"), at=500)(records))  # fmt: skip
    yield bad("E377-before", "A refusal of the round before.", refused_later(), put("refused", at=0))
    yield bad("E377-sealed", "A refusal in the middle of a step in which all act at once.", sealed_log, at_line(
        put("refused", 2, at=2), "refused", 2))  # fmt: skip
    yield bad("E378-legal", "A refused act that was legal: a player was wronged.", refused, lambda records: put(
        "refused", _number(records, "refused", code="R-CARD-01"), got={
            "_": "toep", "seat": record(records, "refused", _number(records, "refused", code="R-CARD-01"))["seat"]
        })(records), "R-CARD-01")  # fmt: skip
    yield bad("E379-rule", "A refused act was illegal by another rule.", refused, lambda records: put(
        "refused", _number(records, "refused", code="R-CARD-01"), code="R-TOEP-08")(records), "R-CARD-01")  # fmt: skip
    yield bad(
        "E380-tries",
        "More refused acts of one moment than the conduct has tries.",
        sealed_log,
        lambda records: insert("refused", dict(record(records, "refused")), after=3)(records),
    )
    yield bad("E381-unasked", "Something is refused of a seat that was not asked.", answered(), lambda records: put(
        "refused", seat=record(records, "toep")["seat"])(records))  # fmt: skip
    yield bad("E382-card", "In a player's place the referee plays another card.", late, _other_card)
    yield bad(
        "E382-toep",
        "In a player's place the referee toeps.",
        late,
        lambda records: insert(
            "late", {"_": "toep", "by": "ref", "seat": record(records, "late")["seat"], "stake": 2}, after=1
        )(records),
    )
    yield bad("E382-window", "The referee acts for a seat that need not act.", toep(), put("toep", by="ref"))
    yield bad("E383-no-late", "The referee acts for a seat that was not late.", late, at_line(drop("late"), "play"))
    yield bad("E383-tries", "The referee acts for a seat that has a try left.", sealed_log, at_line(
        drop("refused"), "stay", 1))  # fmt: skip
    yield bad("E385-act", "A player acts after his last try.", sealed_log, put("stay", 1, by=None))
    yield bad(
        "E386-none",
        "A seat is not forfeited, though the referee has acted for it often enough.",
        forfeited(),
        both(
            lambda records: _at(records, "play", _number(records, "play", by="ref")) + 2,
            within("head", "conduct", faults=1),
        ),
    )
    yield bad("E387-early", "A seat is forfeited for too few faults.", forfeited(), at_line(
        within("head", "conduct", faults=3), "forfeit"))  # fmt: skip
    yield bad("E387-never", "A seat is forfeited for faults where nobody is.", forfeited(), at_line(
        within("head", "conduct", faults=0), "forfeit"))  # fmt: skip
    yield bad("E387-seat", "Another seat is forfeited.", forfeited(), put("forfeit", seat=2))
    yield bad("E388-ms", "A time where there is no clock.", plain(), put("play", ms=5))
    yield bad("E389-ms", "No time where there is a clock.", lateness("ms"), put("play", 1, ms=None))
    yield bad("E390-elapsed", "A late seat with a time where there is no clock.", late, put("late", elapsed=5))
    yield bad(
        "E391-answer",
        "Late is a seat that is not asked, while another must answer.",
        toep(),
        lambda records: insert("stay", {**LATE, "seat": record(records, "toep")["seat"]})(records),
    )
    yield bad(
        "E392-revoke",
        "A round is void because of a revoke, where none is possible.",
        quiet(),
        put("void", why="revoke"),
        "R-VERZ-04",
    )
    for name, tag, about in (
        ("act", "play", "A hidden line among the acts of a round, where no private line can stand."),
        ("round", "round", "A hidden line before the first round."),
    ):
        yield bad(f"E397-{name}", about, view_of_plain(), insert(tag, {"_": "~", "hash": WRONG_ROOT}))
    yield bad(
        "E392-unproven",
        "A round is void because of a revoke that has not come out.",
        revoke("play"),
        put("void", why="revoke"),
        "R-VERZ-04",
    )


def _last(records: Records, tag: str) -> int:
    return len([one for one in records if isinstance(one, dict) and one["_"] == tag]) - 1


def _other_card(records: Records) -> int:
    """The first card is another one of the same hand, that is, a higher one."""
    played_ = record(records, "play")
    return put("play", card=next(card for card in _hand(records, played_["seat"]) if card != played_["card"]))(records)
