"""What the options of the rules bring into a log: each kind of record, forged with every hash made right again."""

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from referee.cards import INDEX, NAMES, bits
from referee.game.chance import odd_card
from referee.game.game import Game
from referee.game.records import AnyAct, Blind, Chance, Discard, Fold, Peek, Play, Stay, Toep, Void
from referee.game.state import Phase
from referee.log.records import Rounds
from referee.ruleset import PRESETS, Ruleset
from referee.validate import Finding
from tests.support import forge
from tests.support.forge import Line, find
from tests.support.match import Match
from tests.validate.conftest import check, only_error

ALL = PRESETS["classic-all"]
ONE = Rounds(rounds=1)
Change = Callable[[list[Line]], object]


def valid(data: bytes) -> bytes:
    """A log in which nothing is wrong."""
    report = check(data)
    assert report.verdict == "VALID", report.errors or report.missing
    return data


def forged(data: bytes, change: Change) -> Finding:
    """The one error of a log after a change."""
    return only_error(forge.rewrite(data, change))


def said(error: Finding) -> tuple[str, str]:
    return error.code, error.rule


def drop(tag: str, number: int = 0) -> Change:
    return lambda records: records.pop(find(records, tag, number))


def put(tag: str, number: int = 0, **fields: object) -> Change:
    return lambda records: records[find(records, tag, number)].update(fields)


def swap(at: int, other: int) -> Change:
    def change(records: list[Line]) -> None:
        records[at], records[other] = records[other], records[at]

    return change


def line_of(data: bytes, tag: str, number: int = 0) -> int:
    """The 1-based line of a record."""
    return find(forge.lines(data), tag, number) + 1


def dealt(rules: Ruleset, seats: int, condition: Callable[[Match], bool], *, declared: bool = False) -> Match:
    """A match of one round whose deal is of a certain kind."""
    for number in itertools.count():
        match = Match(rules, seats, ONE, name=f"deal-{number}", declared=declared)
        match.deal()
        if condition(match):
            return match
    raise AssertionError


@cache
def played(rules: Ruleset, seats: int, *wanted: bytes, eagerness: float = 0.3) -> bytes:
    """A game that has certain records."""
    for number in range(3000):
        data = Match(rules, seats, name=f"game-{number}").play_on(eagerness=eagerness).close()
        if all(part in data for part in wanted):
            return valid(data)
    raise AssertionError(f"no game with {wanted}")


def cancelled(match: Match) -> bytes:
    """The log of a match whose running round is cancelled, so that no card tells more than the log."""
    if not match.game.needs_deal and not match.game.over:
        match.act(Void(why="cancelled"))
    return valid(match.close())


# -- the draw and the cut ----------------------------------------------------------------------------------------------


@pytest.fixture(params=[False, True], ids=["committed", "declared"])
def rubber(request: pytest.FixtureRequest) -> bytes:
    """A match in which cards are drawn for the first deal, and the pack is cut."""
    match = Match(PRESETS["rubber"], 4, ONE, name="rubber", declared=request.param)
    match.deal(cut=5)
    return cancelled(match)


def test_a_draw_is_missing_or_not_one(rubber: bytes) -> None:
    draw = forge.lines(rubber)[find(forge.lines(rubber), "draw")]["cards"]
    error = forged(rubber, drop("draw"))
    assert (*said(error), error.line) == ("E307", "R-SEAT-01", line_of(rubber, "round") - 1)
    for cards, code in (
        (draw[:-1], "E306"),
        ([*draw, [0, "Th"]], "E306"),
        ([[(seat + 1) % 4, card] for seat, card in draw], "E306"),
        ([*draw[:-1], draw[0]], "E320"),
    ):
        error = forged(rubber, put("draw", cards=cards))
        assert (error.code, error.line) == (code, line_of(rubber, "draw"))


def test_a_draw_in_which_all_cards_tie_never_ends() -> None:
    data = cancelled(dealt(PRESETS["rubber"], 8, lambda match: not match.game.over))
    ties = [[seat, card] for seat, card in enumerate(["Jc", "Jd", "Js", "Jh", "Tc", "Td", "Ts", "Th"])]
    ties += [[seat, f"{rank}{suit}"] for rank in "QKA789" for seat, suit in enumerate("cdsh")]
    assert len(ties) == 32
    assert said(forged(data, put("draw", cards=ties))) == ("E306", "R-SEAT-01")


def test_a_draw_that_is_not_from_the_seed(rubber: bytes) -> None:
    def change(records: list[Line]) -> None:
        cards = records[find(records, "draw")]["cards"]
        low = min(range(4), key=lambda seat: INDEX[cards[seat][1]] % 8)
        one, other = [seat for seat in range(4) if seat != low][:2]
        cards[one][1], cards[other][1] = cards[other][1], cards[one][1]

    error = forged(rubber, change)
    assert (*said(error), error.line) == ("E413", "R-SEAT-01", line_of(rubber, "draw"))


def test_another_cut_deals_other_cards(rubber: bytes) -> None:
    for change, shift in ((put("cut", at=6), 0), (drop("cut"), 1)):
        error = forged(rubber, change)
        assert (*said(error), error.line) == ("E410", "R-DEAL-02", line_of(rubber, "cards") - shift)
        assert error.deal == 1


def test_who_cuts_and_when(rubber: bytes) -> None:
    seat = forge.lines(rubber)[find(forge.lines(rubber), "cut")]["seat"]
    assert said(forged(rubber, put("cut", seat=(seat + 1) % 4))) == ("E330", "R-CUT-01")
    uncut = cancelled(dealt(PRESETS["short"], 3, lambda match: True))
    cut = {"_": "cut", "at": 3, "seat": 2}
    assert said(forged(uncut, lambda records: records.insert(3, cut))) == ("E330", "R-CUT-01")


# -- before the first card ---------------------------------------------------------------------------------------------


def test_blind_toeps_and_early_looks() -> None:
    match = Match(ALL, 4, ONE, name="blind")
    match.deal()
    match.act(Blind(seat=1))
    for answer in (Stay(seat=2), Fold(seat=3), Fold(seat=0)):
        match.act(answer)
    match.act(Peek(seat=3))
    data = cancelled(match)
    error = forged(data, put("blind", stake=4))
    assert (*said(error), error.line) == ("E331", "R-BLIND-02", line_of(data, "blind"))
    error = forged(data, drop("penalty"))
    assert (*said(error), error.line) == ("E352", "R-BLIND-04", line_of(data, "penalty"))
    assert said(forged(data, put("penalty", why="R-DEAL-04"))) == ("E347", "R-BLIND-04")
    assert said(forged(data, put("fold", pay=3))) == ("E332", "R-SCORE-03")


def has_three_alike(match: Match) -> bool:
    return any(odd_card(hand) >= 0 for hand in match.game.hands)


def chance(hit: bool, *, declared: bool = False) -> bytes:
    """A round with a chance draw that hits, or does not."""

    def wanted(match: Match) -> bool:
        for seat, hand in enumerate(match.game.hands):
            if (odd := odd_card(hand)) >= 0 and match.game.stock[0] is not None:
                rank = next(bits(hand & ~(1 << odd))) % 8
                return (match.game.stock[0] % 8 == rank) is hit and seat >= 0
        return False

    match = dealt(ALL, 4, wanted, declared=declared)
    match.act(Chance(seat=next(seat for seat, hand in enumerate(match.game.hands) if odd_card(hand) >= 0)))
    return cancelled(match)


@pytest.mark.parametrize("hit", [False, True])
def test_chance_draws(hit: bool) -> None:
    data = chance(hit)
    assert (b'"show"' in data) is hit
    records = forge.lines(data)
    at = find(records, "chance")
    assert [record["_"] for record in records[at : at + 3]] == ["chance", "cards", "discard"]
    error = forged(data, lambda lines: lines.pop(at + 1))
    assert (*said(error), error.line) == ("E324", "R-KANS-03", at + 2)
    error = forged(data, lambda lines: lines.pop(at + 2))
    assert (*said(error), error.line) == ("E358", "R-KANS-04", at + 3)
    error = forged(data, put("discard", cards=records[at + 1]["cards"]))
    assert (*said(error), error.line) == ("E328", "R-KANS-04", at + 3)
    error = forged(data, put("discard", salt="ab" * 16))
    assert (error.code, error.line) == ("E412", at + 3)
    assert said(forged(data, lambda lines: lines[at + 1].update(cards=["Th", "Js"])))[0] == "E321"
    if hit:
        error = forged(data, drop("show"))
        assert (*said(error), error.line) == ("E356", "R-KANS-01", at + 4)


@pytest.mark.parametrize("declared", [False, True])
def test_a_chance_card_that_is_not_from_the_seed(declared: bool) -> None:
    data = chance(False, declared=declared)
    records = forge.lines(data)
    seen = {card for record in records if record["_"] == "cards" for card in record["cards"]}
    hand = next(r for r in records if r["_"] == "cards" and r["seat"] == records[find(records, "chance")]["seat"])
    other = next(card for card in NAMES if card not in seen and card[0] not in {name[0] for name in hand["cards"]})
    error = forged(data, lambda lines: lines[find(lines, "chance") + 1].update(cards=[other]))
    assert (*said(error), error.line) == ("E414", "R-KANS-03", find(records, "chance") + 2)
    assert error.actual == other


def four_alike(game: Game) -> bool:
    return any(len({card % 8 for card in bits(hand)}) == 1 for hand in game.hands if hand)


def test_four_alike_are_shown() -> None:
    shown = dealt(replace(ALL, blind=False), 8, lambda match: match.game.needs_deal or match.game.over)
    data = cancelled(shown)
    line = line_of(data, "show")
    records = forge.lines(data)
    error = forged(data, drop("show"))
    assert (*said(error), error.line) == ("E356", "R-KANS-01", line)
    error = forged(data, put("show", seat=(records[line - 1]["seat"] + 1) % 8))
    assert (*said(error), error.line) == ("E394", "R-KANS-02", line)
    error = forged(data, put("show", cards=records[line - 1]["cards"][::-1]))
    assert (*said(error), error.line) == ("E395", "R-KANS-01", line)


def test_four_alike_are_shown_when_hands_are_picked_up() -> None:
    match = dealt(ALL, 8, lambda match: four_alike(match.game))
    lead = match.game.lead
    match.close_windows(Phase.BLIND)
    data = cancelled(match)
    line = line_of(data, "show")
    hand = next(record for record in forge.lines(data) if record["_"] == "cards" and record["seat"] == lead)
    for act in (
        {"_": "play", "card": hand["cards"][0], "seat": lead},
        {"_": "toep", "seat": 1, "stake": 2},
        {"_": "exchange", "seat": 1},
        {"_": "signal", "seat": 1, "sign": "stand"},
    ):
        error = forged(data, lambda records, act=act: records.insert(line - 1, act))  # type: ignore[misc]
        assert (*said(error), error.line) == ("E356", "R-KANS-01", line)
    peek = {"_": "peek", "seat": 1}
    assert forged(data, lambda records: records.insert(line - 1, peek)).code == "E352"


def test_nothing_is_closed_while_answers_are_due() -> None:
    """A blind toep is being answered: nobody shows and nobody opens."""
    match = dealt(ALL, 8, lambda match: four_alike(match.game))
    match.act(Blind(seat=1))
    data = cancelled(match)
    show = {"_": "show", "cards": ["Jc", "Jd", "Js", "Jh"], "seat": 0}
    line = line_of(data, "void")
    assert said(forged(data, lambda records: records.insert(line - 1, show))) == ("E366", "R-KANS-01")
    opening = {"_": "open", "seats": [0], "stake": 2}
    assert said(forged(data, lambda records: records.insert(line - 1, opening))) == ("E365", "R-ARM-02")


# -- armoede -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", ["clockwise", "simultaneous"])
def test_the_poor_open_the_stake(answers: str) -> None:
    data = played(replace(PRESETS["classic"], answers=answers, limit=3), 4, b'"_":"open"', b'"_":"stay"', b'"_":"fold"')
    records = forge.lines(data)
    number = next(
        number for number in itertools.count() if records[find(records, "open", number) + 1]["_"] in ("stay", "fold")
    )
    line = line_of(data, "open", number)
    error = forged(data, drop("open", number))
    assert (*said(error), error.line) == ("E355", "R-ARM-03", line)
    error = forged(data, put("open", number, seats=[7]))
    assert (*said(error), error.line) == ("E393", "R-ARM-02", line)
    error = forged(data, put("open", number, stake=3))
    assert (*said(error), error.line) == ("E331", "R-ARM-03", line)
    twice = records[line - 1]
    assert forged(data, lambda lines: lines.insert(line, twice)).code == "E365"


def test_a_card_before_the_opening() -> None:
    data = played(replace(PRESETS["club"], limit=3), 4, b'"_":"open"')
    records = forge.lines(data)
    at = find(records, "open")
    dealer = next(record["dealer"] for record in reversed(records[:at]) if record["_"] == "round")
    hand = next(record for record in reversed(records[:at]) if record["_"] == "cards" and record["seat"] != dealer)
    play = {"_": "play", "card": hand["cards"][0], "seat": hand["seat"]}
    error = forged(data, lambda lines: lines.insert(at, play))
    assert (*said(error), error.line) == ("E355", "R-ARM-03", at + 1)


# -- sealed acts and finales -------------------------------------------------------------------------------------------


def test_sealed_answers_stand_in_seat_order() -> None:
    match = Match(replace(PRESETS["short"], answers="simultaneous"), 4, ONE, name="sealed")
    match.deal()
    match.act(Toep(seat=1))
    for answer in (Stay(seat=0), Stay(seat=2), Stay(seat=3)):
        match.act(answer)
    data = cancelled(match)
    at = find(forge.lines(data), "stay")
    for one, other, line in ((0, 1, 0), (1, 2, 1), (0, 2, 0)):
        error = forged(data, swap(at + one, at + other))
        assert (error.code, error.line) == ("E337", at + line + 1)


def finale() -> bytes:
    """A round for two with eleven cards."""
    match = Match(PRESETS["club"], 2, ONE, name="finale")
    match.deal()
    for seat in range(2):
        cards = [NAMES[card] for card in list(bits(match.game.hands[seat]))[:3]]
        match.act(Discard(cards=cards, seat=seat))
    return valid(match.play_on(eagerness=0).close())


def test_finales() -> None:
    data = finale()
    records = forge.lines(data)
    at = find(records, "discard")
    assert len(records[find(records, "cards")]["cards"]) == 11
    assert said(forged(data, put("cards", why="deal"))) == ("E323", "R-DEAL-01")
    assert said(forged(data, put("cards", cards=["Th"]))) == ("E321", "R-DEAL-01")
    error = forged(data, swap(at, at + 1))
    assert (error.code, error.line) == ("E337", at + 1)
    error = forged(data, put("discard", cards=records[at]["cards"][::-1]))
    assert (*said(error), error.line) == ("E328", "R-GRAF-01", at + 1)
    error = forged(data, put("discard", salt="ab" * 16))
    assert (error.code, error.line) == ("E412", at + 1)
    error = forged(data, drop("discard", 1))
    assert (*said(error), error.line) == ("E330", "R-TURN-01", at + 2)
    assert said(forged(data, put("discard", cards=records[at]["cards"][:2]))) == ("E330", "R-GRAF-01")
    assert said(forged(data, put("discard", cards=records[at + 1]["cards"]))) == ("E330", "R-CARD-01")


def test_a_hand_of_a_finale_that_was_not_dealt() -> None:
    match = Match(PRESETS["club"], 2, ONE, name="finale")
    match.deal()
    data = cancelled(match)

    def change(records: list[Line]) -> None:
        one, other = (records[find(records, "cards", number)] for number in range(2))
        one["cards"], other["cards"] = other["cards"], one["cards"]

    assert said(forged(data, change)) == ("E410", "R-DEAL-02")


# -- revokes -----------------------------------------------------------------------------------------------------------


def first(data: bytes, tag: str, **fields: Any) -> int:
    """The number among its kind of the first record with such fields."""
    same = [record for record in forge.lines(data) if record["_"] == tag]
    return next(n for n, record in enumerate(same) if all(record.get(key) == value for key, value in fields.items()))


def club(*wanted: bytes) -> bytes:
    return played(PRESETS["club"], 3, *wanted, eagerness=0.4)


def test_a_revoke_that_is_taken_back() -> None:
    data = club(b'"_":"confess","card"')
    line = line_of(data, "confess")
    card = forge.lines(data)[line - 1]["card"]
    for fields in ({"card": "Th" if card != "Th" else "Js"}, {"card": None, "pay": 2}):
        error = only_error(forge.edit(data, "confess", 0, **fields)[0])
        assert (*said(error), error.line) == ("E335", "R-VERZ-02", line)


def test_a_revoke_that_is_paid_for() -> None:
    data = club(b'"_":"confess","pay":2')
    number = first(data, "confess", pay=2)
    error = forged(data, put("confess", number, pay=3))
    assert (*said(error), error.line) == ("E336", "R-VERZ-03", line_of(data, "confess", number))


@pytest.mark.parametrize("before", ["play", "confess"])
def test_a_revoke_that_is_proven_stops_the_round(before: str) -> None:
    data = played(PRESETS["club"], 3, b'"_":"void","why":"revoke"', b'"_":"confess","pay":3', eagerness=0.3)
    records = forge.lines(data)
    number = next(n for n in itertools.count() if records[find(records, "void", n) - 1]["_"] == before)
    line = line_of(data, "void", number)
    error = forged(data, drop("void", number))
    assert (*said(error), error.line) == ("E357", "R-VERZ-04", line)
    error = forged(data, put("void", number, why="crash"))
    assert (*said(error), error.line) == ("E396", "R-VERZ-04", line)
    if before == "confess":
        error = forged(data, put("confess", first(data, "confess", pay=3), pay=4))
        assert said(error)[0] == "E336"


def test_the_round_after_a_revoke_is_another_try() -> None:
    data = club(b'"_":"void"', b'"try":2')
    number = first(data, "round", **{"try": 2})
    assert said(forged(data, put("round", number, **{"try": 1}))) == ("E313", "")


# -- points ------------------------------------------------------------------------------------------------------------


def test_the_bonus_for_a_jack() -> None:
    data = played(replace(PRESETS["short"], jack_bonus=True), 3, b'"points":[-1,')
    records = forge.lines(data)
    number = next(n for n in itertools.count() if records[find(records, "score", n)]["points"][0] == -1)
    score = records[find(records, "score", number)]
    without = {"points": [0, *score["points"][1:]], "total": [score["total"][0] + 1, *score["total"][1:]]}
    error = forged(data, put("score", number, **without))
    assert (*said(error), error.line) == ("E342", "R-BOER-01", line_of(data, "score", number))


def test_crosses() -> None:
    data = played(replace(PRESETS["classic"], crosses=2), 4, b'"why":"crosses"')
    number = first(data, "out", why="crosses")
    line = line_of(data, "out", number)
    seat = forge.lines(data)[line - 1]["seat"]
    error = forged(data, put("out", number, seat=(seat + 1) % 4))
    assert (*said(error), error.line) == ("E346", "R-KRUIS-01", line)
    error = forged(data, put("out", number, why="limit"))
    assert (*said(error), error.line) == ("E349", "R-KRUIS-01", line)
    assert said(forged(data, drop("out", number))) == ("E354", "R-KRUIS-01")


def test_a_sign_that_was_forgotten() -> None:
    rules = replace(PRESETS["short"], signals="penalty")

    def owes(match: Match) -> bool:
        hand = match.game.hands[match.game.lead]
        return odd_card(hand) >= 0 and hand.bit_count() == 4 and sum(card % 8 == 7 for card in bits(hand)) == 3

    match = dealt(rules, 4, owes)
    lead = match.game.lead
    match.act(Play(card=NAMES[next(bits(match.game.hands[lead]))], seat=lead))
    data = cancelled(match)
    error = forged(data, drop("penalty"))
    assert (*said(error), error.line) == ("E352", "R-FLUIT-04", line_of(data, "penalty"))
    whistle = {"_": "signal", "seat": lead, "sign": "whistle"}
    error = forged(data, lambda records: records.insert(find(records, "play"), whistle))
    assert error.code == "E362"


# -- refused acts in windows that leave no line ------------------------------------------------------------------------


def refused_in(match: Match, act: AnyAct) -> None:
    """An act that the rules refuse now."""
    assert match.game.check(act) is not None
    match.refuse(act)


def test_refused_while_the_pack_is_offered() -> None:
    match = Match(PRESETS["rubber"], 3, ONE, name="offered")
    match.write(match.game.draw(match.deals.deal(0, 1).pack))
    deal = match.deals.deal(1, 1)
    match.log.salt_for = lambda index: deal.salt(match.head.match, index)
    match.write(match.game.open_deal())
    cutter = next(seat for seat in range(3) if match.game.may(seat))
    refused_in(match, Toep(seat=cutter))
    match.write(match.game.deal(deal.pack))
    data = cancelled(match)
    other = (cutter + 1) % 3
    error = forged(data, put("refused", code="R-FOLD-06", seat=other, got={"_": "toep", "seat": other}))
    assert error.code in ("E378", "E379")


def test_refused_after_a_window_was_closed_without_a_line() -> None:
    match = dealt(ALL, 4, lambda match: not four_alike(match.game))
    match.close_windows(Phase.BLIND)
    match.close_windows(Phase.EXCHANGE)
    lead = match.game.lead
    refused_in(match, Blind(seat=lead))
    match.act(Play(card=NAMES[next(bits(match.game.hands[lead]))], seat=lead))
    cancelled(match)

    match = dealt(ALL, 4, lambda match: not four_alike(match.game))
    match.refuse(Blind(seat=1), code="R-BLIND-01")
    match.act(Peek(seat=2))
    match.act(Void(why="cancelled"))
    assert said(only_error(match.close())) == ("E378", "R-BLIND-01")


def test_refused_before_four_alike_are_shown() -> None:
    match = dealt(ALL, 8, lambda match: four_alike(match.game))
    refused_in(match, Stay(seat=1))
    match.close_windows(Phase.BLIND)
    data = cancelled(match)
    assert forged(data, put("refused", at=1)).code == "E377"


def test_refused_within_a_sealed_step() -> None:
    match = Match(replace(PRESETS["short"], answers="simultaneous"), 4, ONE, name="sealed")
    match.deal()
    match.act(Toep(seat=1))
    for _ in range(match.head.conduct.tries):
        refused_in(match, Toep(seat=3))
    for act in (Stay(seat=0), Stay(seat=2), Stay(by="ref", seat=3)):
        match.act(act)
    data = cancelled(match)
    assert forged(data, put("refused", at=2)).code == "E377"
    assert forged(data, drop("refused")).code == "E383"
    assert only_error(forge.edit(data, "stay", 2, by=None)[0]).code == "E385"
