"""Fit the table of hand strengths, referee/tournament/statistics/luck.json: done once, and then frozen.

    python tools/fit_luck.py               fit and say how good it is
    python tools/fit_luck.py --write FILE  write the table, too, and print its digest

Plays matches of four under `short` and `cafe` between the bots of `tools/league.py`, and fits by ridge regression what
each card of a hand, by its place and rank, and how the hand divides over suits, did to the points of its seat; then how
the seat's own strength and that of the others count. How good it is, is measured on the half it was not fitted on.
A better table is a new file with a new digest: events that were scored with the old one would have other numbers.
"""

import argparse
import hashlib
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from league import BOTS, Played, play

from referee.cards import bits
from referee.tournament.statistics.luck import SCALE, Coefficients, all_hands, raw, shape

ROUNDS: Final = 10
RIDGE: Final = 20.0
SHAPES: Final = ("4", "3-1", "2-2", "2-1-1", "1-1-1-1")
Array = np.ndarray[Any, np.dtype[np.float64]]


def one(number: int) -> tuple[str, tuple[str, ...], Played]:
    """A match: preset, names by seat, and how it went."""
    names = tuple(random.Random(f"fit/{number}").sample(sorted(BOTS), 4))
    preset = ("short", "cafe")[number % 2]
    return preset, names, play(names, preset, ROUNDS, f"fit-{number}")


def features(hand: int) -> list[float]:
    """The 32 places and ranks, and the five shapes."""
    row = [0.0] * 37
    for place, rank in enumerate(sorted((card % 8 for card in bits(hand)), reverse=True)):
        row[8 * place + rank] += 1
    row[32 + SHAPES.index(shape(hand))] += 1
    return row


def rows(matches: list[tuple[str, tuple[str, ...], Played]]) -> tuple[Array, Array, Array]:
    """One row a seat and round: features of its own hands, mean features of the others', points less the mean of its
    bot under these rules."""
    own, others, points, groups = [], [], [], []
    for preset, names, played in matches:
        for hands, scored in zip(played.hands, played.points, strict=True):
            seats = np.array([np.sum([features(hand) for hand in dealt], axis=0) for dealt in hands])
            own.extend(seats)
            others.extend((seats.sum(axis=0) - seats) / (len(names) - 1))
            points.extend(map(float, scored))
            groups.extend(sorted(BOTS).index(name) * 2 + (preset == "cafe") for name in names)
    y, group = np.array(points), np.array(groups)
    means = np.array([y[group == one].mean() for one in range(2 * len(BOTS))])
    return np.array(own), np.array(others), y - means[group]


def fit(own: Array, others: Array, points: Array) -> tuple[Array, float]:
    """Points that each feature saves the seat itself, and how much the mean of the others counts against that."""
    mean = own.mean(axis=0)
    centred = own - mean
    coefficients = np.linalg.solve(centred.T @ centred + RIDGE * np.eye(37), centred.T @ points)
    both = np.column_stack((centred @ coefficients, (others - mean) @ coefficients))
    scale, against = np.linalg.lstsq(both, points, rcond=None)[0]
    return -scale * coefficients, float(-against / scale)


def explained(own: Array, others: Array, points: Array, coefficients: Array, against: float) -> float:
    """The share of the variance of a seat's points in a round that the control takes away."""
    left = points + (own - against * others) @ coefficients
    return float(1 - left.var() / points.var())


def table(coefficients: Array, against: float) -> Coefficients:
    """The fitted numbers in thousandths."""
    whole = [round(value * SCALE) for value in coefficients]
    places = tuple(tuple(whole[8 * place : 8 * place + 8]) for place in range(4))
    suits = dict(zip(SHAPES, whole[32:], strict=True))
    found = Coefficients(opponents=round(against * SCALE), places=places, suits=suits, total=0)
    return msgspec.structs.replace(found, total=sum(raw(found, hand) for hand in all_hands()))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args(argv)
    with ProcessPoolExecutor(2) as pool:
        matches = list(pool.map(one, range(args.matches), chunksize=20))
    own, others, points = rows(matches)
    half = len(points) // 2
    there = explained(own[half:], others[half:], points[half:], *fit(own[:half], others[:half], points[:half]))
    back = explained(own[:half], others[:half], points[:half], *fit(own[half:], others[half:], points[half:]))
    fitted = fit(own, others, points)
    print(f"{len(points)} seats and rounds; variance taken away on the other half: {there:.4f} and {back:.4f}")
    data = msgspec.json.format(msgspec.json.encode(table(*fitted), order="sorted"), indent=1) + b"\n"
    print(data.decode(), end="")
    if args.write:
        args.write.write_bytes(data)
        print(f"sha256 {hashlib.sha256(data).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
