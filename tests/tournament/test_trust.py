"""Nobody sees a deal twice who could remember it."""

from collections import Counter
from typing import Any

import pytest

from referee.tournament import trust
from referee.tournament.errors import TrustError
from referee.tournament.schedule import make_schedule
from referee.tournament.sense import contradictions
from referee.tournament.spec_types import Bot, Gauntlet, Isolation, Pair, Spec

GAUNTLET = Gauntlet(candidates=["a", "b"])
PAIR = Pair(candidates=["a", "b"])


def spec(seats: int = 3, remote: str = "", **more: Any) -> Spec:
    return Spec(
        name="x",
        bots=[Bot(name=name, remote=True) if name in remote else Bot(name=name, command=["x"]) for name in "abcde"],
        seats=seats,
        blocks=10,
        **more,
    )


def refused(tried: Spec, isolation: Isolation = "none") -> str:
    """Why the director refuses; empty if it does not."""
    try:
        trust.check(tried, make_schedule(tried), isolation)
    except TrustError as error:
        return f"{error.bot}: {error}"
    return ""


@pytest.mark.parametrize("duplicates", ["rotation", "williams"])
def test_who_sees_deals_again_is_trusted_or_in_a_sandbox(duplicates: Any) -> None:
    own = spec(trust="own", duplicates=duplicates)
    assert not refused(own)
    isolated = spec(trust="isolated", duplicates=duplicates)
    assert not refused(isolated, "sandbox")
    for isolation in ("none", "uid"):
        said = refused(isolated, isolation)
        assert said.startswith("a: ")
        assert f'bots get isolation "{isolation}"' in said
        assert "toep doctor" in said
    strangers = spec(trust="strangers", duplicates=duplicates)
    for isolation in ("none", "uid", "sandbox"):
        assert 'trust = "isolated"' in refused(strangers, isolation)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["own", "isolated", "strangers"])
def test_what_shows_nobody_a_deal_twice_is_always_allowed(kind: Any) -> None:
    assert not refused(spec(trust=kind, duplicates="none", remote="ae"))
    assert not refused(spec(trust=kind, duplicates="none", format=GAUNTLET))


@pytest.mark.parametrize("form", [GAUNTLET, PAIR])
def test_references_of_a_fixed_field_are_the_organisers_own(form: Any) -> None:
    """They see a deal once for each candidate; the candidates may be anybody, and dial in."""
    tried = spec(trust="strangers", duplicates="fixed-field", format=form, remote="ab")
    assert not refused(tried)
    assert trust.meetings(tried) == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("kind", ["own", "isolated", "strangers"])
def test_a_remote_bot_never_sees_a_deal_twice(kind: Any) -> None:
    said = refused(spec(trust=kind, duplicates="rotation", remote="c"), "sandbox")
    assert said
    field = spec(trust=kind, duplicates="fixed-field", format=GAUNTLET, remote="d")
    assert "the same process all the time" in refused(field, "sandbox")


@pytest.mark.parametrize(
    "tried",
    [
        spec(duplicates="rotation", trust="own"),
        spec(duplicates="williams", trust="own", format=GAUNTLET),
        spec(4, duplicates="williams", trust="own", format=PAIR),
        spec(4, duplicates="fixed-field", format=PAIR),
        spec(duplicates="fixed-field", format=GAUNTLET),
        spec(),
    ],
)
def test_what_the_spec_says_is_what_the_schedule_does(tried: Spec) -> None:
    """How often each bot meets a deal, counted in matches."""
    most = Counter[int]()
    for block, shape in zip(make_schedule(tried).blocks, make_schedule(tried).shapes(), strict=True):
        met = Counter(bot for match in block.matches for bot in match.seats)
        assert met == shape
        for bot, times in met.items():
            most[bot] = max(most[bot], times)
    assert [most[bot] for bot in range(5)] == trust.meetings(tried)


def test_what_the_director_would_refuse_everywhere_is_a_mistake_in_the_spec() -> None:
    assert next(contradictions(spec(duplicates="rotation")))[0] == ("duplicates",)
    assert next(contradictions(spec(duplicates="rotation", trust="own", remote="a")))[0] == ("duplicates",)
    assert not list(contradictions(spec(duplicates="rotation", trust="isolated")))
    assert not list(contradictions(spec(duplicates="fixed-field", format=GAUNTLET)))
