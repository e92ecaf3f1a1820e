"""L3: what follows from the acts, and the end."""

from collections.abc import Iterator

from referee.cards import INDEX
from referee.log.records import Conduct
from tests.support.forge import find, lines
from tools.log_fixtures.base import Fixture
from tools.log_fixtures.changes import (
    PLAY,
    Records,
    _number,
    at_line,
    bad,
    drop,
    insert,
    put,
    record,
    swap,
    swap2,
    within,
)
from tools.log_fixtures.logs import (
    alike,
    blind,
    chance,
    finale,
    left,
    peek,
    plain,
    played,
    quiet,
    resigned,
    simultaneous,
)
from tools.log_fixtures.more_logs import (
    automatic,
    crosses,
    exchange,
    fold,
    fold_ties,
    folded_card,
    genuine,
    jack,
    limit_game,
    limit_log,
    poor,
    revoke,
    sign_owed,
    toep,
)


def derived_logs() -> Iterator[Fixture]:
    """E331 to E366 and E393 to E396: what follows from the acts is wrong, missing or one too many."""
    toeped, declined = toep(), fold()
    yield bad("E331-toep", "A toep that raises the stake by two.", toeped, put("toep", stake=3), "R-SCORE-02")
    yield bad(
        "E331-blind",
        "A blind toep to another stake than that of the rules.",
        blind(),
        put("blind", stake=4),
        "R-BLIND-02",
    )
    yield bad("E331-open", "The poor open at three.", poor(), put("open", stake=3), "R-ARM-03")
    yield bad("E332-fold", "Who folds is charged the raised stake.", declined, put("fold", pay=2), "R-SCORE-03")
    yield bad(
        "E333-bluff", "A bluff is taken for a good exchange.", exchange(), put("challenge", genuine=True), "R-WAS-02"
    )
    yield bad(
        "E333-genuine", "A good exchange is taken for a bluff.", genuine(), put("challenge", genuine=False), "R-WAS-02"
    )
    yield bad(
        "E334-new",
        "The new hand is turned up in place of the old one.",
        exchange(),
        lambda records: put(
            "challenge", shown=sorted(record(records, "cards", 3)["cards"], key=lambda card: INDEX[card])
        )(records),
        "R-WAS-06",
    )
    yield bad("E334-order", "The cards turned up are not listed by index.", exchange(), lambda records: put(
        "challenge", shown=record(records, "challenge")["shown"][::-1])(records), "R-WAS-06")  # fmt: skip
    in_time = revoke("in-time")
    yield bad("E335-card", "Another card is taken back.", in_time, lambda records: put(
        "confess", card=record(records, "play")["card"])(records), "R-VERZ-02")  # fmt: skip
    yield bad(
        "E335-price",
        "A revoke that is owned up to in time is charged.",
        in_time,
        put("confess", card=None, pay=2),
        "R-VERZ-02",
    )
    yield bad(
        "E336-one-later",
        "Another price one card after a revoke.",
        revoke("one-later"),
        put("confess", pay=3),
        "R-VERZ-03",
    )
    yield bad(
        "E336-two-later",
        "Another price two cards after a revoke.",
        revoke("two-later"),
        put("confess", pay=2),
        "R-VERZ-04",
    )
    yield bad(
        "E337-answers", "Sealed answers in another order than that of the seats.", simultaneous(), swap2("stay", "fold")
    )
    yield bad("E337-discards", "Cards laid away in another order than that of the seats.", finale(), swap("discard"))
    yield bad(
        "E340-plain",
        "The lower card wins a trick.",
        plain(),
        lambda records: put("trick", lead=1 - record(records, "trick")["win"], win=1 - record(records, "trick")["win"])(
            records
        ),
        "R-TRICK-01",
    )
    yield bad(
        "E340-folded",
        "A trick is won by the card of a seat that has folded.",
        folded_card(),
        lambda records: put("trick", win=record(records, "fold")["seat"])(records),
        "R-FOLD-02",
    )
    yield bad(
        "E340-no-follower",
        "Nobody left has followed suit, and the wrong one of the others wins.",
        folded_card(1),
        lambda records: put(
            "trick", win=({0, 1, 2} - {record(records, "fold")["seat"], record(records, "trick")["win"]}).pop()
        )(records),
        "R-TIE-02",
    )
    yield bad("E341-winner", "Not who won the trick leads to the next.", plain(), lambda records: put(
        "trick", lead=1 - record(records, "trick")["win"])(records), "R-TRICK-02")  # fmt: skip
    yield bad("E341-last", "Somebody leads after the last trick.", plain(), put("trick", 3, lead=0), "R-TRICK-02")
    yield bad("E341-none", "Nobody leads after the first trick.", plain(), put("trick", lead=None), "R-TRICK-02")
    yield bad("E342-loser", "The loser does not pay.", plain(), put("score", points=[0, 0], total=[0, 0]), "R-SCORE-01")
    yield bad(
        "E342-folder", "Who folded does not pay.", declined, put("score", points=[0, 0], total=[0, 0]), "R-SCORE-01"
    )
    yield bad("E342-void", "A void round is charged.", quiet(), put("score", points=[0, 1]), "R-SCORE-01")
    yield bad("E342-jack", "No point back for the jack.", jack(), lambda records: put(
        "score", points=[max(0, one) for one in record(records, "score")["points"]])(records), "R-BOER-01")  # fmt: skip
    yield bad(
        "E343-total", "The totals do not follow from the points.", plain(), put("score", total=[5, 5]), "R-SCORE-06"
    )
    yield bad("E343-clamp", "A total beyond the limit where it is clamped.", limit_log(), lambda records: put(
        "score", total=[2 * one for one in record(records, "score")["total"]])(records), "R-SCORE-06")  # fmt: skip
    caught = exchange()
    yield bad(
        "E344-challenger", "The one who checked is charged for a bluff.", caught, put("penalty", seat=1), "R-WAS-08"
    )
    yield bad("E347-why", "A penalty for another reason.", caught, put("penalty", why="R-WAS-07"), "R-WAS-08")
    yield bad("E348-two", "A penalty of two points.", caught, put("penalty", points=2), "R-WAS-08")
    auto = automatic()
    yield bad("E345-seats", "Another seat goes along by itself.", auto, put("auto", seats=[7]), "R-DOOD-03")
    yield bad("E346-seat", "Another seat is out.", limit_game(), lambda records: put(
        "out", seat=1 - record(records, "out")["seat"])(records), "R-END-01")  # fmt: skip
    yield bad(
        "E346-crosses",
        "Another seat is out by crosses.",
        crosses(),
        lambda records: put(
            "out",
            _number(records, "out", why="crosses"),
            seat=(record(records, "out", _number(records, "out", why="crosses"))["seat"] + 1) % 4,
        )(records),
        "R-KRUIS-01",
    )
    yield bad("E349-why", "Out for another reason.", limit_game(), put("out", why="penalty"), "R-END-01")
    yield bad(
        "E349-resign", "Who gave up is said to have reached the limit.", resigned(), put("out", why="limit"), "R-END-02"
    )
    yield bad("E350-trick", "A trick is not closed.", plain(), drop("trick"), "R-TRICK-01")
    yield bad("E351-score", "The round is decided, and somebody plays on.", declined, lambda records: insert(
        "score", {**PLAY, "seat": record(records, "toep")["seat"]})(records), "R-SCORE-01")  # fmt: skip
    yield bad("E352-bluff", "A caught bluff is not charged.", caught, drop("penalty"), "R-WAS-08")
    yield bad("E352-peek", "An early look is not charged.", peek(), drop("penalty"), "R-DEAL-04")
    yield bad(
        "E352-blind", "A look after a declined blind toep is not charged.", blind(), drop("penalty"), "R-BLIND-04"
    )
    yield bad("E352-sign", "A forgotten sign is not charged.", sign_owed(), drop("penalty"), "R-FLUIT-04")
    yield bad("E353-auto", "It is not said that seats go along by themselves.", auto, drop("auto"), "R-DOOD-03")
    yield bad("E354-out", "Somebody at the limit is not said to be out.", limit_game(), drop("out"), "R-END-01")
    yield bad("E354-resign", "Who gave up is not said to be out.", resigned(), drop("out"), "R-END-02")
    yield bad("E355-answer", "The poor are answered, and their opening is missing.", poor(), drop("open"), "R-ARM-03")
    shown, hit = alike(), chance(hit=True)
    yield bad("E356-card", "A card is played when four alike must be shown.", shown, lambda records: insert("show", {
        **PLAY, "card": _hand(records, 1)[0], "seat": 1})(records), "R-KANS-01")  # fmt: skip
    yield bad("E356-hit", "A chance draw hits, and four alike are not shown.", hit, drop("show"), "R-KANS-01")
    for what, name in (("proven", "proven"), ("two-later", "confessed")):
        yield bad(
            f"E357-{name}", "A revoke has come out, and the round is not void.", revoke(what), drop("void"), "R-VERZ-04"
        )
        yield bad(f"E396-{name}", "A revoke has come out, and the round is void for another reason.", revoke(what),
            put("void", why="crash"), "R-VERZ-04")  # fmt: skip
    yield bad(
        "E358-discard", "No card is laid away after a chance draw.", chance(hit=False), drop("discard"), "R-KANS-04"
    )
    yield bad(
        "E360-trick",
        "A trick is closed after one card.",
        plain(),
        insert("play", {"_": "trick", "lead": 0, "win": 0}, after=1),
        "R-TRICK-01",
    )
    yield bad(
        "E361-score",
        "A round is scored after one card.",
        plain(),
        insert("play", {"_": "score", "points": [0, 1], "total": [0, 1]}, after=1),
        "R-SCORE-01",
    )
    yield bad(
        "E362-penalty",
        "A penalty for nothing.",
        plain(),
        insert("play", {"_": "penalty", "points": 1, "seat": 0, "why": "R-DEAL-04"}),
    )
    yield bad(
        "E363-auto",
        "Somebody goes along with nothing.",
        plain(),
        insert("play", {"_": "auto", "seats": [0]}),
        "R-DOOD-03",
    )
    yield bad(
        "E364-out",
        "Somebody is out within a round.",
        plain(),
        insert("play", {"_": "out", "seat": 0, "why": "limit"}),
        "R-END-01",
    )
    yield bad(
        "E364-after",
        "Somebody is out who has not reached the limit.",
        plain(),
        insert("score", {"_": "out", "seat": 0, "why": "limit"}, after=1),
        "R-END-01",
    )
    yield bad(
        "E365-open",
        "Somebody opens where the rules have no armoede.",
        plain(),
        insert("play", {"_": "open", "seats": [0], "stake": 2}),
        "R-ARM-02",
    )
    yield bad(
        "E366-show",
        "Somebody shows where the rules have nothing to show.",
        plain(),
        insert("play", {"_": "show", "cards": ["Jc", "Jd", "Js", "Jh"], "seat": 0}),
        "R-KANS-01",
    )
    yield bad("E393-seats", "Somebody else opens.", poor(), lambda records: put(
        "open", seats=[(seat + 1) % 4 for seat in record(records, "open")["seats"]])(records), "R-ARM-02")  # fmt: skip
    yield bad("E394-seat", "Another seat shows four alike.", shown, lambda records: put(
        "show", seat=(record(records, "show")["seat"] + 1) % 8)(records), "R-KANS-02")  # fmt: skip
    yield bad("E395-cards", "The four alike are not listed by index.", shown, lambda records: put(
        "show", cards=record(records, "show")["cards"][::-1])(records), "R-KANS-01")  # fmt: skip


def _hand(records: Records, seat: int) -> list[str]:
    return list(
        next(one for one in records if isinstance(one, dict) and one["_"] == "cards" and one["seat"] == seat)["cards"]
    )


def end_logs() -> Iterator[Fixture]:
    """E370 to E374: the end of the match."""
    log = plain()
    yield bad("E370-deals", "The match is abandoned, though it may have more deals.", played("short", 2, 0, "game", 0,
        conduct=Conduct(max_deals=2)), at_line(within("head", "conduct", max_deals=3), "end"), "R-END-01")  # fmt: skip
    yield bad("E370-rounds", "One round of two.", log, at_line(put("head", length={"rounds": 2}), "end"))
    yield bad("E370-crash", "The match ends after a crash.", quiet(), at_line(put("void", why="crash"), "end"))
    records = lines(log)
    at = find(records, "end")
    yield bad("E371-more", "`n` in the end is one too many.", log, put("end", n=at + 1), keep=(at,))
    yield bad("E372-ties", "All are said to be first.", log, put("end", rank=[1, 1]), "R-END-03")
    yield bad("E372-swapped", "First and second have changed places.", log, lambda records: put(
        "end", rank=record(records, "end")["rank"][::-1])(records), "R-END-03")  # fmt: skip
    yield bad("E372-skipped", "No place is skipped after a tie.", fold_ties(), put("end", rank=[1, 2, 3]), "R-END-03")
    yield bad("E373-complete", "An abandoned match is said to be complete.", quiet(), put("end", status="complete"))
    yield bad("E373-forfeited", "A match is said to be forfeited.", log, put("end", status="forfeited"))
    yield bad(
        "E373-left", "A match that ended by a forfeit is said to be complete.", left(), put("end", status="complete")
    )
    yield bad("E374-total", "Other totals in the end.", log, put("end", total=[0, 0]), "R-SCORE-06")
