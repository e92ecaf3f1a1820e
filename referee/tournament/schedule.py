"""The whole schedule of an event: a pure function of its spec, so that nothing of it needs to be kept.

Blocks, matches and seats count from 0, in ids too: ``spring-b0007-2`` is the third match of the eighth block of the
event ``spring``, and ``spring-b0007r1-2`` the one that replaces it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, overload

from msgspec import Struct

from referee.deal import SEED_SIZE, hkdf_expand, hkdf_extract
from referee.log.canonical import Json, encode_value
from referee.tournament.errors import ScheduleError
from referee.tournament.formats.base import Format, Table
from referee.tournament.formats.gauntlet import GauntletTables
from referee.tournament.formats.pair import PairTables
from referee.tournament.formats.round_robin import RoundRobinTables
from referee.tournament.seatings import Arranger, Row, rows
from referee.tournament.spec_types import Pair, RoundRobin, Spec

_SEEDS: Final = b"toep/1 tournament deals\n"

CANDIDATE: Final = -1
"""Stands for whichever candidate it is, in the base order of a fixed field."""


class ScheduledMatch(Struct, frozen=True, kw_only=True):
    """One match, before it is played."""

    index: int
    """Its place in the whole schedule, from 0; a match that replaces another has the same."""

    block: int
    number: int
    """Its place in its block, from 0."""

    match: str
    """Its id, such as ``spring-b0007-2``."""

    deals: str
    """Its deal set, such as ``spring-b0007``: the same for all matches of a block."""

    seats: tuple[int, ...]
    """By seat, which bot sits there: its place in the spec."""


class ScheduledBlock(Struct, frozen=True, kw_only=True):
    """All matches with the same deals."""

    index: int
    table: tuple[int, ...]
    """The bots that play in it, in ascending order."""

    matches: tuple[ScheduledMatch, ...]
    replacement: int = 0
    """0: as scheduled; n: the nth set of fresh deals for it."""


class _Plan(Struct, frozen=True):
    """A table in its base order."""

    order: tuple[int, ...]
    """By slot, the bot; `CANDIDATE` where the candidates come and go."""
    candidates: tuple[int, ...]


class Schedule:
    """Every block of an event, in the order in which results count."""

    def __init__(
        self,
        name: str,
        bots: Sequence[str],
        plans: Sequence[_Plan],
        seatings: Sequence[Row],
        left: Sequence[tuple[int, int]] = (),
    ) -> None:
        """``left``: bots that withdrew, each with the first block that it is not in any more."""
        self.name: Final = name
        self.bots: Final = tuple(bots)
        self._plans: Final = plans
        self._rows: Final = seatings
        self._left: Final = tuple(left)
        self._indices: Final = [index for index in range(len(plans)) if self._is_on(index)]

    @property
    def blocks(self) -> Sequence[ScheduledBlock]:
        """The blocks that are to be played; each is made when it is looked at."""
        return _Blocks(self, self._indices)

    @property
    def cancelled(self) -> list[int]:
        """The indices of the blocks that are not played because somebody withdrew."""
        kept = set(self._indices)
        return [index for index in range(len(self._plans)) if index not in kept]

    @property
    def matches(self) -> int:
        """How many matches there are to be played."""
        return sum(len(self._seatings(index)) for index in self._indices)

    def block(self, index: int, replacement: int = 0) -> ScheduledBlock:
        """The block with this index, or the one with fresh deals in its place, also if it is cancelled. Raises
        `ScheduleError`."""
        if not 0 <= index < len(self._plans):
            raise ScheduleError(f"block {index}: the event {self.name} has blocks 0 to {len(self._plans) - 1}")
        deals = f"{self.name}-b{index:04d}" + (f"r{replacement}" if replacement else "")
        first = index * self._per_block(index)
        matches = tuple(
            ScheduledMatch(
                index=first + number, block=index, number=number, match=f"{deals}-{number}", deals=deals, seats=seats
            )
            for number, seats in self._seatings(index)
        )
        table = tuple(sorted({bot for match in matches for bot in match.seats}))
        return ScheduledBlock(index=index, table=table, matches=matches, replacement=replacement)

    def replacement(self, block: ScheduledBlock) -> ScheduledBlock:
        """The same block with fresh deals: what is played when it, or the last one in its place, is not to count."""
        return self.block(block.index, block.replacement + 1)

    def without(self, bot: int, first: int = 0) -> "Schedule":
        """What is left when a bot withdraws before block ``first``; raises `ScheduleError` for a bot that is none.

        From that block on, blocks with the bot at the table are cancelled, not filled up with somebody else: all other
        blocks keep their ids, deals and seats, and what is left of all tables are all tables of those who are left.
        Where a candidate comes to a fixed field only its own matches are cancelled. Blocks before stay as they are.
        """
        if not 0 <= bot < len(self.bots):
            raise ScheduleError(f"bot {bot}: the event {self.name} has bots 0 to {len(self.bots) - 1}")
        return Schedule(self.name, self.bots, self._plans, self._rows, (*self._left, (bot, first)))

    def shapes(self) -> Iterator[dict[int, int]]:
        """Block by block, how often each bot of the table meets the block's deals."""
        for index in self._indices:
            met: dict[int, int] = {}
            for _, seats in self._seatings(index):
                for bot in seats:
                    met[bot] = met.get(bot, 0) + 1
            yield met

    def _per_block(self, index: int) -> int:
        return len(self._plans[index].candidates) or len(self._rows)

    def _seatings(self, index: int) -> list[tuple[int, tuple[int, ...]]]:
        """The numbers and the seats of a block's matches."""
        plan, gone = self._plans[index], self._gone(index)
        if not plan.candidates:
            return [(number, tuple(plan.order[slot] for slot in row)) for number, row in enumerate(self._rows)]
        return [
            (number, tuple(candidate if bot == CANDIDATE else bot for bot in plan.order))
            for number, candidate in enumerate(plan.candidates)
            if candidate not in gone
        ]

    def _gone(self, index: int) -> set[int]:
        return {bot for bot, first in self._left if index >= first}

    def _is_on(self, index: int) -> bool:
        plan, gone = self._plans[index], self._gone(index)
        if plan.candidates and gone >= set(plan.candidates):
            return False
        return gone.isdisjoint(plan.order)


class _Blocks(Sequence[ScheduledBlock]):
    """The blocks of a schedule, made when they are looked at."""

    def __init__(self, schedule: Schedule, indices: Sequence[int]) -> None:
        self._schedule: Final = schedule
        self._indices: Final = indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, place: int) -> ScheduledBlock: ...
    @overload
    def __getitem__(self, place: slice) -> "_Blocks": ...
    def __getitem__(self, place: int | slice) -> "ScheduledBlock | _Blocks":
        if isinstance(place, slice):
            return _Blocks(self._schedule, self._indices[place])
        return self._schedule.block(self._indices[place])


def make_schedule(spec: Spec) -> Schedule:
    """The schedule of an event whose spec `referee.tournament.sense` finds nothing wrong with."""
    source = format_of(spec)
    tables = islice(source.blocks(), spec.blocks or source.once_through)
    arranger = Arranger(spec.duplicates, len(spec.bots) + 1, spec.seats)
    plans = [_arranged(table, arranger, len(spec.bots)) for table in tables]
    return Schedule(spec.name, [bot.name for bot in spec.bots], plans, rows(spec.duplicates, spec.seats))


def _arranged(table: Table, arranger: Arranger, anybody: int) -> _Plan:
    """``anybody``: the number that stands for all candidates in the arranger's counts."""
    if not table.candidates:
        return _Plan(arranger.arrange(table.members), ())
    order = arranger.arrange((*table.members, anybody))
    return _Plan(tuple(CANDIDATE if bot == anybody else bot for bot in order), table.candidates)


def format_of(spec: Spec) -> Format:
    """Where the tables of an event come from."""
    if isinstance(spec.format, RoundRobin):
        return RoundRobinTables(len(spec.bots), spec.seats)
    names = [bot.name for bot in spec.bots]
    candidates = [names.index(name) for name in spec.format.candidates]
    references = [place for place in range(len(names)) if place not in candidates]
    together = spec.duplicates == "fixed-field"
    if isinstance(spec.format, Pair) and not together:
        return PairTables(candidates, references, spec.seats)
    return GauntletTables(candidates, references, spec.seats, together=together)


def digest(schedule: Schedule) -> str:
    """SHA-256, 64 hex digits, over one canonical line for each block: its index, then of each match id, deals, seats;
    before them a line with the names of the bots."""
    total = hashlib.sha256(encode_value([*schedule.bots]) + b"\n")
    for block in schedule.blocks:
        line: list[Json] = [block.index]
        line += [[match.match, match.deals, [*match.seats]] for match in block.matches]
        total.update(encode_value(line) + b"\n")
    return total.hexdigest()


def block_seed(event_seed: bytes, deals: str) -> bytes:
    """The secret seed of a deal set, 32 bytes: HKDF with SHA-256 (RFC 5869), whose secret is the event's seed, whose
    salt is ``"toep/1 tournament deals\\n"``, and whose info is the name of the deal set in ASCII.

    Whoever learns the seed of one block learns nothing about another's. Raises `ValueError` for an event's seed that
    does not have 32 bytes.
    """
    if len(event_seed) != SEED_SIZE:
        raise ValueError(f"the seed of an event has {SEED_SIZE} bytes, not {len(event_seed)}")
    return bytes(islice(hkdf_expand(hkdf_extract(_SEEDS, event_seed), deals.encode("ascii")), SEED_SIZE))
