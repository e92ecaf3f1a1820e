"""Real blocks for statistics: `fixtures/tournament/pool.json`, which tools/pool.py has made, as results; and others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from referee.tournament.results import FaultKinds, MatchResult, Status
from referee.tournament.statistics.blocks import Block

PATH: Final = Path(__file__).parents[2] / "fixtures" / "tournament" / "pool.json"
DUPLICATES: Final = 4
"""The first so many matches of a block in the file share their deals."""

Row = tuple[list[int], list[int], list[int], list[int]]


class File(Struct, frozen=True):
    """The file as tools/pool.py says."""

    bots: list[str]
    preset: str
    rounds: int
    tables: list[list[int]]
    blocks: list[tuple[int, list[Row]]]


class Pool(Struct, frozen=True):
    """The blocks by table: with the same deals, and the same matches with deals of their own."""

    bots: list[str]
    same: list[list[Block]]
    own: list[list[Block]]


def result(
    block: int,
    number: int,
    bots: Sequence[str],
    points: Sequence[int],
    *,
    rank: Sequence[int] = (),
    luck: Sequence[int] = (),
    rounds: int = 8,
    index: int = -1,
    faults: Sequence[int] = (),
    status: Status = "complete",
) -> MatchResult:
    """A match's result; places follow from the points if they are not given, and there is no luck unless it is."""
    seats = len(bots)
    return MatchResult(
        block=block,
        bots=tuple(bots),
        fault_kinds=tuple(FaultKinds(late=count) for count in (faults or [0] * seats)),
        faults=tuple(faults or [0] * seats),
        index=4 * block + number if index < 0 else index,
        isolation="uid",
        luck=tuple(luck or [0] * seats),
        match=f"pool-b{block:04}-{number}",
        number=number,
        rank=tuple(rank or [1 + sum(other < own for other in points) for own in points]),
        root="00" * 32,
        rounds=rounds,
        rounds_points=(),
        status=status,
        total=tuple(points),
    )


def load(path: Path = PATH) -> Pool:
    """The committed pool."""
    file = msgspec.json.decode(path.read_bytes(), type=File)
    pool = Pool(file.bots, [[] for _ in file.tables], [[] for _ in file.tables])
    for index, (table, rows) in enumerate(file.blocks):
        results = [
            result(
                index,
                number % DUPLICATES,
                [file.bots[bot] for bot in seats],
                points,
                rank=rank,
                luck=luck,
                rounds=file.rounds,
            )
            for number, (seats, points, rank, luck) in enumerate(rows)
        ]
        pool.same[table].append(Block(index=index, matches=results[:DUPLICATES]))
        pool.own[table].append(Block(index=index, matches=results[DUPLICATES:]))
    return pool
