"""L3: acts that the rules do not allow."""

from collections.abc import Iterator

from tests.support.forge import lines
from tools.log_fixtures.base import NUMBERS, Fixture
from tools.log_fixtures.changes import PLAY, bad, both, insert, put, record, swap, within
from tools.log_fixtures.logs import blind, chance, finale, peek, plain, played, resigned
from tools.log_fixtures.more_logs import (
    _off_suit,
    cut_log,
    eight,
    exchange,
    fold,
    folded,
    limit_game,
    must_follow,
    once,
    revoke,
    toep,
)


def illegal_logs() -> Iterator[Fixture]:
    """E330: acts that the rules forbid, each by another rule."""
    log, toeped = plain(), toep()
    other = next(one["card"] for one in lines(log) if one["_"] == "play" and one["seat"] == 0)
    yield bad("E330-R-CARD-01", "A card of somebody else is played.", log, put("play", card=other), "R-CARD-01")
    must = must_follow()
    card = _off_suit(must)
    yield bad(
        "E330-R-SUIT-01",
        "A card off the suit led by somebody who could follow.",
        must,
        put("play", 1, card=card),
        "R-SUIT-01",
    )
    yield bad(
        "E330-R-TURN-01-card",
        "A card out of turn.",
        log,
        insert("play", {**PLAY, "card": other}),
        "R-TURN-01",
    )
    yield bad(
        "E330-R-TURN-01-stay",
        "Somebody goes along with no toep.",
        log,
        insert("play", {"_": "stay", "seat": 0}),
        "R-TURN-01",
    )
    yield bad(
        "E330-R-FOLD-06",
        "Somebody folds, and there is no toep.",
        log,
        insert("play", {"_": "fold", "pay": 1, "seat": 0}),
        "R-FOLD-06",
    )
    yield bad("E330-R-TOEP-04", "Somebody toeps over himself.", toeped, lambda records: insert(
        "play", {**record(records, "toep"), "stake": 3})(records), "R-TOEP-04")  # fmt: skip
    yield bad("E330-R-TOEP-07", "A card while a toep is being answered.", toeped, lambda records: insert(
        "stay", dict(record(records, "play")))(records), "R-TOEP-07")  # fmt: skip
    yield bad("E330-R-TOEP-08", "A toep beyond the points that the player has left.", limit_game(),
        insert("play", {"_": "toep", "seat": 0, "stake": 2}), "R-TOEP-08")  # fmt: skip
    yield bad(
        "E330-R-TOEP-02",
        "A toep out of turn where only who is on turn may.",
        toeped,
        both(put("toep", seat=0), within("head", "rules", toep_who="on_turn")),
        "R-TOEP-02",
    )
    yield bad(
        "E330-H-02",
        "A toep while a toep is being answered.",
        toeped,
        lambda records: insert("stay", {"_": "toep", "seat": 1 - record(records, "toep")["seat"], "stake": 3})(records),
        "H-02",
    )
    yield bad("E330-R-ANS-01", "An answer before its turn.", fold(3), swap("fold"), "R-ANS-01")
    yield bad("E330-R-FOLD-05", "Somebody folds on his own toep.", toeped, lambda records: insert(
        "stay", {"_": "fold", "pay": 1, "seat": record(records, "toep")["seat"]})(records), "R-FOLD-05")  # fmt: skip
    yield bad(
        "E330-R-OUT-01",
        "An act of somebody who has folded.",
        folded(),
        lambda records: insert("fold", {"_": "toep", "seat": record(records, "fold")["seat"], "stake": 3}, after=2)(
            records
        ),
        "R-OUT-01",
    )
    yield bad(
        "E330-R-OUT-01-seat",
        "An act of a seat that does not exist.",
        log,
        insert("play", {"_": "toep", "seat": 7, "stake": 2}),
        "R-OUT-01",
    )
    yield bad(
        "E330-R-WAS-01",
        "An exchange where the rules have none.",
        log,
        insert("play", {"_": "exchange", "seat": 0}),
        "R-WAS-01",
    )
    yield bad("E330-R-WAS-06", "Somebody checks his own exchange.", exchange(), put("challenge", seat=0), "R-WAS-06")
    yield bad("E330-R-WAS-10", "An exchange after the first card.", played("cafe", 3, NUMBERS["cafe"], eager=0),
        insert("play", {"_": "exchange", "seat": 0}, after=1), "R-WAS-10")  # fmt: skip
    yield bad(
        "E330-R-WAS-11",
        "A second exchange of one seat where one is allowed.",
        once(),
        put("exchange", 1, seat=0),
        "R-WAS-11",
    )
    yield bad(
        "E330-R-WAS-12",
        "An exchange from a stock of three cards.",
        eight(),
        insert("void", {"_": "exchange", "seat": 0}),
        "R-WAS-12",
    )
    yield bad("E330-H-22", "An exchange is checked twice.", exchange(), lambda records: insert(
        "void", {**record(records, "challenge"), "seat": 2})(records), "H-22")  # fmt: skip
    yield bad("E330-R-KANS-05", "A chance draw without three alike.", chance(hit=False), lambda records: put(
        "chance", seat=(record(records, "chance")["seat"] + 1) % 4)(records), "R-KANS-05")  # fmt: skip
    yield bad(
        "E330-R-BLIND-01",
        "A blind toep after another one.",
        blind(),
        insert("peek", {"_": "blind", "seat": 1, "stake": 3}),
        "R-BLIND-01",
    )
    yield bad(
        "E330-R-BLIND-06",
        "A blind toep after somebody looked.",
        peek(),
        insert("void", {"_": "blind", "seat": 1, "stake": 3}),
        "R-BLIND-06",
    )
    yield bad(
        "E330-R-DEAL-04",
        "Somebody looks where cards are seen from the deal on.",
        log,
        insert("play", {"_": "peek", "seat": 0}),
        "R-DEAL-04",
    )
    yield bad("E330-R-GRAF-01", "Two cards are laid away in a finale.", finale(), lambda records: put(
        "discard", cards=record(records, "discard")["cards"][:2])(records), "R-GRAF-01")  # fmt: skip
    yield bad("E330-R-CARD-01-discard", "Cards of somebody else are laid away.", finale(), lambda records: put(
        "discard", cards=record(records, "discard", 1)["cards"])(records), "R-CARD-01")  # fmt: skip
    yield bad("E330-R-CUT-01", "Another seat cuts.", cut_log(), lambda records: put(
        "cut", seat=(record(records, "cut")["seat"] + 1) % 4)(records), "R-CUT-01")  # fmt: skip
    yield bad(
        "E330-R-CUT-01-none",
        "A cut where the rules have none.",
        log,
        insert("cards", {"_": "cut", "at": 3, "seat": 1}),
        "R-CUT-01",
    )
    yield bad(
        "E330-R-VERZ-01",
        "Somebody owns up to a revoke where none is possible.",
        log,
        insert("play", {"_": "confess", "pay": 2, "seat": 0}),
        "R-VERZ-01",
    )
    yield bad(
        "E330-R-VERZ-02",
        "Somebody owns up to a revoke that he did not make.",
        revoke("play"),
        lambda records: insert("play", {"_": "confess", "pay": 2, "seat": record(records, "play")["seat"]}, after=1)(
            records
        ),
        "R-VERZ-02",
    )
    yield bad(
        "E330-R-FLUIT-01",
        "A sign where the rules have none.",
        log,
        insert("play", {"_": "signal", "seat": 0, "sign": "sing"}),
        "R-FLUIT-01",
    )
    yield bad(
        "E330-forfeit",
        "A seat is forfeited that is out already.",
        resigned(),
        lambda records: insert("out", {"_": "forfeit", "seat": record(records, "out")["seat"], "why": "left"}, after=1)(
            records
        ),
        "R-OUT-01",
    )
