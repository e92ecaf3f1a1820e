"""L4: cards and salts."""

from collections.abc import Iterator

from referee.cards import INDEX, NAMES
from tools.log_fixtures.base import WRONG_ROOT, Fixture
from tools.log_fixtures.changes import (
    RULING,
    Change,
    Records,
    _at,
    _number,
    at_line,
    bad,
    drop,
    insert,
    put,
    record,
    within,
)
from tools.log_fixtures.derived import _hand
from tools.log_fixtures.logs import chance, contributed, finale, quiet, refusals
from tools.log_fixtures.more_logs import cut_log, declared_quiet, exchange, once, view_of_plain
from tools.log_fixtures.play import view


def shuffle_logs() -> Iterator[Fixture]:
    """E4xx: what is in the log does not follow from the seed. Rules and seals have nothing to object."""
    log, declared = quiet(), declared_quiet()
    yield bad("E401-commit", "Another commitment.", log, at_line(put("head", commit="0" * 64), "reveal"))
    yield bad("E401-seed", "Another seed is revealed.", log, put("reveal", seed="1" * 64))
    yield bad("E402-seed", "Another seed is revealed than was declared.", declared, put("reveal", seed="1" * 64))
    yield bad(
        "E403-declared", "The declared seed does not open the commitment.", declared, put("head", open_seed="1" * 64)
    )
    for name, base in (("committed", log), ("declared", declared)):
        yield bad(f"E410-{name}", "Two seats have changed hands.", base, _swap_cards("cards", 0, 1), "R-DEAL-02")
    yield bad(
        "E410-cut",
        "Another cut than the one that was made.",
        cut_log(),
        at_line(put("cut", at=6), "cards"),
        "R-DEAL-02",
    )
    yield bad("E410-no-cut", "The cut is left out.", cut_log(), at_line(drop("cut"), "cards"), "R-DEAL-02")
    yield bad("E410-pattern", "The cards were dealt in packets of another size.", log, at_line(
        within("head", "rules", deal_pattern="two_two"), "cards"), "R-DEAL-02")  # fmt: skip
    yield bad(
        "E410-deals",
        "The cards are those of another deal set.",
        log,
        at_line(put("head", deals="other"), "cards"),
        "R-DEAL-02",
    )
    yield bad("E410-entropy", "Somebody added something else to the shuffle.", contributed(), at_line(
        put("entropy", e=[None, None, None]), "cards"), "R-DEAL-02")  # fmt: skip
    yield bad(
        "E411-exchange",
        "The cards of two exchanges have changed places.",
        once(),
        _swap_cards("cards", 3, 4),
        "R-WAS-04",
    )
    yield bad("E412-cards", "A salt that does not follow from the seed.", log, put("cards", salt="ab" * 16))
    yield bad("E412-declared", "The same under a declared seed.", declared, put("cards", salt="ab" * 16))
    yield bad("E412-discard", "The salt of a discard.", finale(), put("discard", salt="ab" * 16))
    yield bad("E412-refused", "The salt of a refused act.", refusals(), put("refused", salt="ab" * 16))
    yield bad("E412-moved", "A line more before the cards: their salts are those of other lines.", log, at_line(
        insert("round", RULING), "cards"))  # fmt: skip
    yield bad(
        "E412-match", "The salts are those of another match id.", log, at_line(put("head", match="other"), "cards")
    )
    yield bad("E415-hand", "A view with its seed: the hidden hand is not the one that the seed deals.", view_of_plain(),
        put("~", hash=WRONG_ROOT), "R-DEAL-02")  # fmt: skip
    yield bad("E415-exchange", "A view with its seed: the hidden cards of an exchange are not those that were drawn.",
        view(exchange(), None), put("~", 3, hash=WRONG_ROOT), "R-WAS-04")  # fmt: skip
    for name, base in (("committed", cut_log()), ("declared", cut_log(declared=True))):
        yield bad(f"E413-{name}", "Two seats have changed the cards that they drew, of which neither was the lowest.",
            base, _swap_drawn, "R-SEAT-01")  # fmt: skip
        yield bad(f"E414-{name}", "Another card than the top of the stock is drawn.",
            chance(hit=False, declared=name == "declared"), _other_chance, "R-KANS-03")  # fmt: skip


def _swap_cards(tag: str, one: int, other: int) -> Change:
    def change(records: Records) -> int:
        a, b = record(records, tag, one), record(records, tag, other)
        a["cards"], b["cards"] = b["cards"], a["cards"]
        return _at(records, tag, one) + 1

    return change


def _swap_drawn(records: Records) -> int:
    cards = record(records, "draw")["cards"]
    low = min(range(4), key=lambda seat: INDEX[cards[seat][1]] % 8)
    one, other = [seat for seat in range(4) if seat != low][:2]
    cards[one][1], cards[other][1] = cards[other][1], cards[one][1]
    return _at(records, "draw") + 1


def _other_chance(records: Records) -> int:
    """A card that nobody has, and that does not hit either."""
    number = _number(records, "cards", why="chance")
    seen = {card for one in records if isinstance(one, dict) and one["_"] == "cards" for card in one["cards"]}
    ranks = {card[0] for card in _hand(records, record(records, "chance")["seat"])}
    return put("cards", number, cards=[next(card for card in NAMES if card not in seen and card[0] not in ranks)])(
        records
    )
