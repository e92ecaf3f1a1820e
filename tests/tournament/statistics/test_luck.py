"""The luck adjustment: frozen, centred exactly, and therefore unbiased."""

import itertools
import math
import statistics
from fractions import Fraction
from pathlib import Path

import pytest

from referee.cards import INDEX, mask_of
from referee.deal import Deals
from referee.tournament.statistics import luck
from referee.tournament.statistics.luck import (
    HANDS,
    UNIT,
    LuckError,
    all_hands,
    coefficients,
    controls,
    raw,
    shape,
    strength,
    strength_units,
)
from tests.campaigns.coverage import luck_moves
from tests.support.pool import load


def hand(cards: str) -> int:
    return mask_of(INDEX[card] for card in cards.split())


def test_the_mean_over_all_hands_is_exactly_zero() -> None:
    hands = list(all_hands())
    assert len(hands) == len(set(hands)) == HANDS == math.comb(32, 4)
    assert sum(map(strength_units, hands)) == 0
    assert sum(raw(coefficients(), one) for one in hands) == coefficients().total


def test_a_seats_own_less_the_others_is_zero_on_average() -> None:
    """Over every deal of a small pack: each seat gets each pair of hands equally often, so the means cancel."""
    cards = [INDEX[name] for name in ("Jc", "Th", "9s", "Td", "Ac", "Kh", "7d", "Qs")]
    sums = [Fraction(0), Fraction(0)]
    for own in itertools.combinations(cards, 4):
        dealt = [strength_units(mask_of(own)), strength_units(mask_of(set(cards) - set(own)))]
        sums = [total + value for total, value in zip(sums, map(Fraction, dealt), strict=True)]
    assert sums[0] == sums[1]


def test_simulated_deals_have_no_luck_on_average() -> None:
    deals = Deals(b"\x05" * 32, "luck")
    seen: list[float] = []
    for number in range(1, 3001):
        pack = deals.deal(number, 1).pack
        seen.append(controls([strength_units(mask_of(pack[4 * seat : 4 * seat + 4])) for seat in range(4)])[number % 4])
    assert abs(statistics.fmean(seen)) < 4 * statistics.stdev(seen) / math.sqrt(len(seen))


def test_real_matches_are_moved_by_nothing_on_average() -> None:
    for bot, (mean, error) in luck_moves(load()).items():
        assert abs(mean) < 4 * error, bot


def test_good_hands_are_strong() -> None:
    order = ["Jc Jd Qs Kh", "7c Kd As Jh", "Tc Kd As 7h", "Tc 9c Ad 7h", "Tc 9c Td 9h"]
    values = [strength(hand(cards)) for cards in order]
    assert values == sorted(values)
    assert values[0] < 0 < values[-1]


def test_the_control_is_own_less_a_part_of_the_others() -> None:
    weight = coefficients().opponents / 1000
    assert controls([UNIT, 0, 0, 0]) == pytest.approx([1, -weight / 3, -weight / 3, -weight / 3])
    assert controls([0, 0]) == [0, 0]


def test_suits_count_by_shape_only() -> None:
    assert [shape(hand(cards)) for cards in ("Jc Qc Kc Ac", "Jc Qc Kc Ad", "Jc Qc Kd Ad", "Jc Qc Kd As")] == [
        "4",
        "3-1",
        "2-2",
        "2-1-1",
    ]
    assert strength(hand("Jc Qd Ks Ah")) == strength(hand("Jh Qs Kd Ac"))


@pytest.mark.parametrize("mask", [0, 0b111, 0b11111, 0b111 | 1 << 32])
def test_other_than_four_cards_are_refused(mask: int) -> None:
    with pytest.raises(ValueError, match="four cards"):
        strength(mask)


def test_another_table_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "luck.json").write_text("{}")
    monkeypatch.setattr(luck, "files", lambda _: tmp_path)
    with pytest.raises(LuckError, match="digest"):
        coefficients.__wrapped__()
