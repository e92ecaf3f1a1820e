"""What the referee did: refused acts, acts in a player's place, forfeits and clocks."""

from referee.game.records import Fold, Forfeit, Play, Stay, Toep, Void
from referee.log.records import Conduct, Rounds
from tests.support import forge
from tests.support.match import Match
from tests.validate.conftest import check, only_error


def begin(faults: int = 0, clock: str = "none") -> Match:
    """A match of two rounds whose first hands are dealt."""
    match = Match(length=Rounds(rounds=2), conduct=Conduct(faults=faults, tries=2), name="conduct", clock=clock)
    match.deal()
    return match


def on_turn(match: Match) -> int:
    """Who must act."""
    (seat,), _ = match.game.asks()
    return seat


def test_refusals_are_judged_again() -> None:
    match = begin()
    seat = on_turn(match)
    foreign = next(act for act in match.game.clone().legal(seat) if isinstance(act, Play))
    match.refuse(Fold(seat=seat))
    match.refuse(Play(card=foreign.card, seat=(seat + 1) % 4))
    match.act(Toep(seat=seat))
    match.refuse(Play(card=foreign.card, seat=on_turn(match)))
    match.refuse(Fold(seat=on_turn(match)), code="not_asked")
    match.play_on()
    data = match.close()
    assert check(data).verdict == "INVALID"  # two tries used up, and then the player answered all the same
    assert only_error(data).code == "E385"


def refused_log() -> bytes:
    match = begin()
    seat = on_turn(match)
    match.refuse(Fold(seat=seat))
    match.act(Toep(seat=seat))
    match.refuse(Fold(seat=on_turn(match)), code="unknown")
    match.play_on()
    return match.close()


def test_forged_refusals() -> None:
    data = refused_log()
    assert check(data).verdict == "VALID"
    seat = forge.lines(data)[forge.find(forge.lines(data), "refused")]["seat"]
    for fields, code in (
        ({"code": "R-SUIT-01"}, "E379"),
        ({"got": {"_": "toep", "seat": seat}}, "E378"),
        ({"at": 500}, "E377"),
    ):
        forged, line = forge.edit(data, "refused", 0, **fields)
        error = only_error(forged)
        assert (error.code, error.line) == (code, line)


def test_too_many_refusals_and_out_of_place() -> None:
    data = refused_log()

    def repeat(records: list[forge.Line]) -> None:
        at = forge.find(records, "refused")
        records[at:at] = [records[at]] * 2

    assert only_error(forge.rewrite(data, repeat)).code == "E380"

    def swap(records: list[forge.Line]) -> None:
        at = forge.find(records, "refused")
        records[at], records[at + 1] = records[at + 1], records[at]

    assert only_error(forge.rewrite(data, swap)).code == "E376"

    def early(records: list[forge.Line]) -> None:
        at = forge.find(records, "refused")
        records.insert(forge.find(records, "toep"), records.pop(at))

    assert only_error(forge.rewrite(data, early)).code in ("E375", "E208")

    def unasked(records: list[forge.Line]) -> None:
        at = forge.find(records, "refused", 1)
        records[at]["seat"] = (records[at]["seat"] + 1) % 4

    assert only_error(forge.rewrite(data, unasked)).code in ("E381", "E376")


def test_referee_acts_for_the_late_and_the_stubborn() -> None:
    match = begin()
    match.late(on_turn(match))
    match.referee()
    seat = on_turn(match)
    match.refuse(Fold(seat=seat))
    match.refuse(Stay(seat=seat))
    match.referee()
    data = match.play_on().close()
    assert check(data).verdict == "VALID"

    records = forge.lines(data)
    without_late = [record for record in records if record["_"] != "late"]
    error = only_error(forge.seal(without_late))
    assert error.code in ("E383", "E379", "E412")

    def one_try_less(records: list[forge.Line]) -> None:
        del records[forge.find(records, "refused", 1)]

    error = only_error(forge.rewrite(data, one_try_less))
    assert error.code == "E383"
    assert records[(error.line or 0) - 1]["by"] == "ref"


def test_referee_plays_what_the_policy_says() -> None:
    match = begin()
    seat = on_turn(match)
    match.late(seat)
    highest = [act for act in match.game.legal(seat) if isinstance(act, Play)][-1]
    match.act(Play(by="ref", card=highest.card, seat=seat))
    assert only_error(match.play_on().close()).code == "E382"
    match = begin()
    match.late(on_turn(match))
    match.act(Toep(by="ref", seat=on_turn(match)))
    assert only_error(match.play_on().close()).code == "E382"


def test_faults_lead_to_a_forfeit() -> None:
    match = begin(faults=2)
    for _ in range(2):
        while on_turn(match) != 1:
            match.act(next(act for act in match.game.legal(on_turn(match)) if isinstance(act, Play)))
        match.late(1)
        match.referee()
    data = match.data()
    match.act(Forfeit(seat=1, why="faults"))
    whole = match.close()
    assert check(whole).verdict == "VALID"
    result = check(whole).result
    assert result is not None
    assert result.status == "forfeited"
    assert check(data).verdict == "INCOMPLETE"
    without, line = forge.edit(whole, "forfeit", 0, why="left", seat=2)
    assert check(without).exit == 1
    records = forge.lines(whole)
    records[0]["conduct"]["faults"] = 3
    error = only_error(forge.seal(records))
    assert (error.code, error.line) == ("E387", line)
    records[0]["conduct"]["faults"] = 1
    assert only_error(forge.seal(records)).code == "E386"
    records[0]["conduct"]["faults"] = 0
    assert only_error(forge.seal(records)).code == "E387"


def test_a_void_round_is_dealt_again() -> None:
    match = begin()
    match.act(Void(why="crash"))
    data = match.play_on().close()
    assert check(data).verdict == "VALID"
    forged, line = forge.edit(data, "void", 0, why="revoke")
    assert (only_error(forged).code, only_error(forged).line) == ("E392", line)
    match = begin()
    match.act(Void(why="cancelled"))
    assert check(match.close()).verdict == "VALID"


def test_clocks() -> None:
    timed = begin(clock="ms").play_on().close()
    assert check(timed).verdict == "VALID"
    assert only_error(forge.edit(timed, "play", 0, ms=None)[0]).code == "E389"
    untimed = begin().play_on().close()
    assert only_error(forge.edit(untimed, "play", 0, ms=5)[0]).code == "E388"
    match = begin()
    match.late(on_turn(match))
    match.referee()
    data = match.play_on().close()
    assert only_error(forge.edit(data, "late", 0, elapsed=5)[0]).code == "E390"
    assert only_error(forge.edit(data, "late", 0, seat=7)[0]).code == "E304"
