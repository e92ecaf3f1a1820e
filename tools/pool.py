"""Make fixtures/tournament/pool.json: real blocks, from which `make coverage` resamples events.

    python tools/pool.py --write fixtures/tournament/pool.json

Every table of four from the six bots of `tools/league.py` plays the same number of blocks under the rules `short`. A
block is a Williams square: four matches with the same deals. Beside each block stand four matches in the same seats,
each with deals of its own, so that what duplicates bring can be measured and not only estimated.

The file: names of the bots, rounds of a match, and for each block its table and eight matches, each as bots by seat,
points, places and luck (see `MatchResult`) by seat; first the four with the same deals, then the four others.
"""

import argparse
import itertools
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
from league import BOTS, Played, play

from referee.tournament.seatings import williams
from referee.tournament.statistics.luck import strength_units

SEATS: Final = 4
ROUNDS: Final = 8
PRESET: Final = "short"
NAMES: Final = tuple(BOTS)
TABLES: Final = tuple(itertools.combinations(range(len(NAMES)), SEATS))
Row = tuple[list[int], list[int], list[int], list[int]]


def row(seats: list[int], played: Played) -> Row:
    """A match as the file has it."""
    points = [sum(scored[seat] for scored in played.points) for seat in range(SEATS)]
    luck = [sum(strength_units(hand) for dealt in played.hands for hand in dealt[seat]) for seat in range(SEATS)]
    return seats, points, played.rank, luck


def block(number: int) -> tuple[int, list[Row]]:
    """A block of the table whose turn it is; the bots of the table change their places in the square by lot."""
    table = number % len(TABLES)
    order = list(TABLES[table])
    random.Random(f"pool/{number}").shuffle(order)
    rows = []
    for kind in ("same", "own"):
        for place, slots in enumerate(williams(SEATS)):
            seats = [order[slot] for slot in slots]
            match = f"pool-{number}-{kind}-{place}"
            deals = f"pool-{number}" if kind == "same" else match
            rows.append(row(seats, play([NAMES[bot] for bot in seats], PRESET, ROUNDS, match, deals)))
    return table, rows


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int, default=32, help="of each table")
    parser.add_argument("--write", type=Path, required=True)
    args = parser.parse_args(argv)
    with ProcessPoolExecutor(2) as pool:
        blocks = list(pool.map(block, range(args.blocks * len(TABLES)), chunksize=5))
    head = msgspec.json.encode({"bots": NAMES, "preset": PRESET, "rounds": ROUNDS, "tables": TABLES})[:-1]
    lines = b",\n".join(map(msgspec.json.encode, blocks))
    args.write.write_bytes(head + b',"blocks":[\n' + lines + b"\n]}\n")
    print(f"{len(blocks)} blocks, {args.write.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
