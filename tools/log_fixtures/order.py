"""L2 and the beginning of L3: order, head, dealing."""

from collections.abc import Iterator
from typing import Any

from referee.cards import NAMES
from tests.support.forge import lines
from tools.log_fixtures.base import Fixture
from tools.log_fixtures.changes import (
    CARDS,
    DRAW,
    LATE,
    PLAY,
    ROUND,
    RULING,
    SEAL,
    Records,
    _at,
    _number,
    bad,
    both,
    drop,
    insert,
    put,
    raw,
    record,
    swap,
    swap2,
    twice,
    within,
)
from tools.log_fixtures.logs import chance, contributed, crashed, finale, lateness, plain, quiet, refusals
from tools.log_fixtures.more_logs import cut_log, exchange, last_standing, limit_game, two_rounds, went_back
from tools.log_fixtures.play import sealed


def order_logs() -> Iterator[Fixture]:
    """E2xx: records stand where they cannot."""
    log = quiet()
    yield bad("E201-no-head", "The head is missing.", log, both(drop("head"), drop("seal")))
    yield bad("E201-late-head", "Something stands before the head.", log, insert("head", RULING))
    yield bad("E202-again", "The head stands there twice.", log, insert("round", lines(log)[0]))
    yield raw(
        "E202-joined",
        "A log goes on with another one.",
        sealed([*lines(log)[:-4], *lines(plain())]),
        len(lines(log)) - 3,
    )
    yield bad("E203-no-seal", "The head is not sealed.", log, drop("seal"))
    yield bad("E203-round", "The first round begins before the seal.", log, swap2("seal", "round"))
    yield bad("E204-play", "A card before the first round.", log, insert("round", PLAY))
    yield bad("E204-entropy-twice", "Two lines of entropy.", contributed(),
        insert("entropy", {"_": "entropy", "e": [None, None, None]}, after=1))  # fmt: skip
    yield bad("E204-entropy-after-draw", "Entropy after the draw that it should have had a part in.", cut_log(),
        insert("draw", {"_": "entropy", "e": [None, None, None, None]}, after=1))  # fmt: skip
    yield bad("E204-draw-twice", "Two draws.", cut_log(), lambda records: insert(
        "draw", dict(record(records, "draw")), after=1)(records))  # fmt: skip
    yield bad("E205-play", "A card between two rounds.", crashed(), insert("round", PLAY, 1))
    yield bad("E205-reveal", "The seed is revealed before the end.", log,
        lambda records: insert("end", dict(record(records, "reveal")))(records))  # fmt: skip
    yield bad("E206-trick", "A trick before the cards.", plain(), insert("round", {"_": "trick", "win": 0}, after=1))
    yield bad("E206-no-cards", "A round without cards.", log, drop("cards", more=2))
    yield bad("E207-round", "A round begins within a round.", plain(), insert("play", ROUND))
    yield bad("E207-end", "The match ends within a round.", plain(),
        lambda records: insert("play", dict(record(records, "end")))(records))  # fmt: skip
    yield bad("E208-act", "An act after the refused acts of its round.", refusals(),
        lambda records: insert("score", dict(record(records, "play")))(records))  # fmt: skip
    yield bad("E208-late", "A late seat after the refused acts.", refusals(), insert("score", LATE))
    yield bad("E209-ruling", "Something stands between a score and its seal.", log, insert("score", RULING, after=1))
    yield bad("E209-end", "The round is not sealed.", log, drop("seal", 1))
    yield bad("E210-round", "A seal within a round.", plain(), insert("play", SEAL))
    yield bad("E210-again", "Two seals after the head.", log, insert("round", SEAL))
    yield bad("E210-first", "A seal before the head.", log, insert("head", SEAL), keep=(0,))
    yield bad("E211-no-seal", "The end is not sealed.", log, drop("seal", 2))
    yield bad("E212-ruling", "Something stands before the reveal.", log, insert("reveal", RULING))
    yield bad("E212-round", "A round after the sealed end.", log, insert("reveal", ROUND))
    yield bad(
        "E213-ruling", "Something stands between the reveal and its seal.", log, insert("reveal", RULING, after=1)
    )
    yield bad("E213-twice", "The seed is revealed twice.", log,
        lambda records: insert("reveal", dict(record(records, "reveal")), after=1)(records))  # fmt: skip
    yield bad("E214-seal", "A second seal at the end.", log, insert("reveal", SEAL, after=2))
    yield bad("E214-ruling", "Something stands after the last seal.", log, insert("reveal", RULING, after=2))
    yield bad("E215-play", "The pack is cut while cards are played.", cut_log(play=True),
        insert("play", {"_": "cut", "at": 3, "seat": 0}, after=1), "R-CUT-01")  # fmt: skip
    yield bad("E215-twice", "The pack is cut twice.", cut_log(),
        lambda records: insert("cut", dict(record(records, "cut")), after=1)(records), "R-CUT-01")  # fmt: skip


def head_logs() -> Iterator[Fixture]:
    """E30x: what the head says cannot be, or the draw for the first deal is not right."""
    log = quiet()
    for name, about, options in (
        ("armoede", "armoede_leads without armoede.", {"armoede_leads": True}),
        ("crosses", "Crosses in a game that ends with the first one out.", {"crosses": 3}),
        ("chance", "Chance draws where four alike do not win.", {"chance": True}),
        (
            "sealed",
            "A toep as an answer where answers are sealed.",
            {"answers": "simultaneous", "overtoep_as_answer": True},
        ),
    ):
        yield bad(f"E301-{name}", f"Rules that contradict themselves: {about}", log, within("head", "rules", **options))
    yield bad(
        "E302-two",
        "Two seats under rules for three and more.",
        log,
        within("head", "rules", min_players=3),
        "R-PLAY-01",
    )
    yield bad("E303-draw", "A draw under rules by which seat 0 deals first.", log, insert("round", DRAW), "R-SEAT-01")
    yield bad("E304-late", "A seat is late that does not exist.", lateness("none"), put("late", seat=7))
    yield bad("E304-ruling", "A ruling about a seat that does not exist.", log, insert("round", {**RULING, "seat": 2}))
    yield bad("E304-refused", "An act of a seat that does not exist was refused.", refusals(),
        put("refused", at=0, code="malformed", got=None, seat=5))  # fmt: skip
    yield bad("E308-two", "Two values of entropy for three seats.", contributed(), lambda records: put(
        "entropy", e=record(records, "entropy")["e"][:2])(records))  # fmt: skip
    yield bad("E308-four", "Four values of entropy for three seats.", contributed(), lambda records: put(
        "entropy", e=[*record(records, "entropy")["e"], None])(records))  # fmt: skip
    draw = cut_log()
    yield bad(
        "E306-seats",
        "Other seats draw.",
        draw,
        lambda records: put("draw", cards=[[(seat + 1) % 4, card] for seat, card in record(records, "draw")["cards"]])(
            records
        ),
        "R-SEAT-01",
    )
    yield bad("E306-short", "The draw stops too early.", draw,
        lambda records: put("draw", cards=record(records, "draw")["cards"][:-1])(records), "R-SEAT-01")  # fmt: skip
    yield bad("E306-long", "The draw goes on when one is the lowest.", draw, lambda records: put(
        "draw", cards=[*record(records, "draw")["cards"], [0, _unseen(record(records, "draw")["cards"])]])(records),
        "R-SEAT-01")  # fmt: skip
    yield bad("E307-short", "The first dealer is not drawn.", draw, drop("draw"), "R-SEAT-01")


def _unseen(drawn: list[list[Any]]) -> str:
    return next(card for card in reversed(NAMES) if card not in [name for _, name in drawn])


def deal_logs() -> Iterator[Fixture]:
    """E31x and E32x: rounds and cards."""
    log, game = quiet(), two_rounds()

    def over(records: Records) -> int:
        at, dealt_ = _at(records, "end"), records[_at(records, "round") : _at(records, "play")]
        records[at:at] = dealt_
        return at + 1

    yield bad("E310-rounds", "A second round in a match of one.", plain(), over)
    yield bad("E310-game", "A round when somebody has reached the limit.", limit_game(), over, "R-END-01")
    yield bad("E310-last", "A round when only one is left.", last_standing(), over, "R-END-02")
    yield bad("E311-first", "Another seat deals first.", log, put("round", dealer=1), "R-DEAL-05")
    yield bad("E311-next", "In a match of independent rounds the deal does not move on.", game,
        lambda records: put("round", 1, dealer=record(records, "round")["dealer"])(records), "R-DEAL-05")  # fmt: skip
    yield bad("E311-void", "Another seat deals a void round again.", crashed(), put("round", 1, dealer=1), "R-DEAL-05")
    yield bad("E312-first", "The first round has number 2.", log, put("round", round=2))
    yield bad("E312-gap", "Round 3 follows round 1.", game, put("round", 1, round=3))
    yield bad("E312-void", "A void round is not counted again.", crashed(), put("round", 1, round=2))
    yield bad("E313-first", "The first try of a round has number 2.", log, put("round", **{"try_": 2}))
    yield bad("E313-void", "A round that is dealt again is try 1 once more.", crashed(), put("round", 1, **{"try_": 1}))
    yield bad("E314-max", "A second round where the conduct allows one deal.", game,
        both(lambda records: _at(records, "round", 1) + 1, within("head", "conduct", max_deals=1)))  # fmt: skip
    yield bad("E320-hands", "A card is in two hands.", log, twice("cards", 1), "R-DECK-01")
    yield bad(
        "E320-hand",
        "A card is in a hand twice.",
        log,
        lambda records: put("cards", cards=[record(records, "cards")["cards"][at] for at in (0, 1, 2, 0)])(records),
        "R-DECK-01",
    )
    yield bad(
        "E320-draw",
        "A card is drawn twice.",
        cut_log(),
        lambda records: put(
            "draw",
            cards=[
                *record(records, "draw")["cards"][:-1],
                [record(records, "draw")["cards"][-1][0], record(records, "draw")["cards"][0][1]],
            ],
        )(records),
        "R-DECK-01",
    )
    yield bad("E320-exchange", "A card that is drawn is in a hand already.", exchange(), twice("cards", 3), "R-DECK-01")
    for name, cut in (("three", slice(3)), ("none", slice(0))):
        yield bad(f"E321-{name}", "A hand of another size.", log, lambda records, cut=cut: put(  # type: ignore[misc]
            "cards", 1, cards=record(records, "cards", 1)["cards"][cut])(records), "R-DEAL-01")  # fmt: skip
    yield bad("E321-exchange", "Three cards for four.", exchange(), lambda records: put(
        "cards", 3, cards=record(records, "cards", 3)["cards"][:3])(records), "R-WAS-04")  # fmt: skip
    yield bad("E321-finale", "Four cards for eleven.", finale(), lambda records: put(
        "cards", cards=record(records, "cards")["cards"][:4])(records), "R-DEAL-01")  # fmt: skip
    yield bad("E322-missing", "A hand is missing.", log, drop("cards", 1), "R-DEAL-01")
    yield bad("E322-order", "The hands do not stand in seat order.", log, swap("cards"), "R-DEAL-01")
    yield bad(
        "E323-why", "A hand that is said to be drawn in an exchange.", log, put("cards", why="exchange"), "R-DEAL-01"
    )
    yield bad(
        "E323-finale",
        "The hand of a finale is said to be an ordinary one.",
        finale(),
        put("cards", why="deal"),
        "R-DEAL-01",
    )
    yield bad("E324-exchange", "An exchange without new cards.", exchange(), drop("cards", 3), "R-WAS-04")
    yield bad("E324-chance", "A chance draw without its card.", chance(hit=False), lambda records: drop(
        "cards", _number(records, "cards", why="chance"))(records), "R-KANS-03")  # fmt: skip
    yield bad("E324-seat", "The new cards go to another seat.", exchange(), put("cards", 3, seat=1), "R-WAS-04")
    yield bad(
        "E325-order",
        "Cards that went back under the stock are drawn again in another order.",
        went_back(),
        lambda records: put("cards", 8, cards=record(records, "cards", 8)["cards"][::-1])(records),
        "R-WAS-08",
    )
    yield bad("E326-cards", "A seat receives a card that nothing gives it.", plain(), insert("play", CARDS))
    yield bad(
        "E328-chance",
        "Another card is laid away after a chance draw.",
        chance(hit=False),
        lambda records: put(
            "discard", cards=record(records, "cards", _number(records, "cards", why="chance"))["cards"]
        )(records),
        "R-KANS-04",
    )
    yield bad("E328-order", "Cards laid away are not listed by index.", finale(), lambda records: put(
        "discard", cards=record(records, "discard")["cards"][::-1])(records), "R-GRAF-01")  # fmt: skip
