"""The steps that a bot is put through, in their order."""

import functools
import hashlib
import itertools
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

from referee.conformance.bot.measure import Measure
from referee.conformance.bot.opponents import OneOf, Script, loud, meek, swapping, wild
from referee.conformance.bot.stage import LATE, LOST, SEED, Failed, Stage
from referee.conformance.bot.tampers import NEW_KIND, Breaker, Curious, Future, Refuser
from referee.conformance.bot.tap import Tamper
from referee.deal import Deals
from referee.game.chance import odd_card
from referee.game.game import Game
from referee.game.phases import RANK_MASK
from referee.ruleset import PRESETS, Ruleset, resolve
from referee.table.messages import AskKind

TABLES: Final = 64
"""Matches at once."""

DEALS: Final = "conform"
MOST_SEATS: Final = 8
BROKEN_ACT_MS: Final = 60_000
"""Time for an act while the bot is being started again."""

FUTURE_WINDOW_MS: Final = 1_000
"""Time for an ask of a kind that there is not; a bot may leave it alone."""


class Kind(NamedTuple):
    """A table at which a kind of ask is sure to come."""

    rules: Ruleset
    seats: int
    seat: int
    script: Script = meek


def kinds() -> Mapping[AskKind, Kind]:
    """For each kind of ask a table, and where the bot sits there. Seat 0 deals, seat 1 leads."""
    return {
        AskKind.CARD: Kind(resolve("short"), 3, 1),
        AskKind.ANSWER: Kind(resolve("short"), 3, 2, OneOf(1, loud)),
        AskKind.WINDOW: Kind(resolve("short"), 3, 2),
        AskKind.EXCHANGE: Kind(resolve("cafe"), 3, 0),
        # The first clockwise from the dealer changes his hand first, whatever the bot does.
        AskKind.CHECK: Kind(resolve("cafe"), 3, 0, OneOf(1, swapping)),
        AskKind.CUT: Kind(resolve({"preset": "short", "cut": True}), 3, 2),
        AskKind.BLIND: Kind(resolve({"preset": "short", "blind": True, "blind_who": "anyone"}), 3, 1),
        AskKind.CHANCE: Kind(
            resolve({"preset": "short", "four_alike": "win", "game_end": "last_standing", "chance": True}), 3, 1
        ),
        AskKind.DISCARD: Kind(resolve("club"), 2, 0),
    }


@functools.cache
def seed_where(rules: Ruleset, seats: int, wanted: Callable[[Game], bool]) -> bytes:
    """The first of a fixed row of seeds under which the first deal is as wanted."""
    for number in itertools.count():
        seed = hashlib.sha256(f"toep conform bot {number}".encode()).digest()
        game = Game(rules, seats, 1)
        game.deal(Deals(seed, DEALS).deal(1, 1).pack)
        if wanted(game):
            return seed
    raise AssertionError("some seed will do")


def three_alike(game: Game) -> bool:
    """Seat 1 has three alike, and nobody has four, which would end the round first."""
    return odd_card(game.hands[1]) >= 0 and not set(game.hands) & set(RANK_MASK)


# -- the steps ---------------------------------------------------------------------------------------------------------


async def hello(stage: Stage) -> None:
    """Somebody dials in, and is who he should be."""
    stage.table(resolve("short"), 3, 0)
    await stage.start()
    stage.noise()


async def presets(stage: Stage) -> None:
    """A round of every preset with as few and as many as it takes, against meek players."""
    for number, rules in enumerate(PRESETS.values()):
        for seats in (rules.min_players, MOST_SEATS):
            stage.table(rules, seats, number % seats)
    await stage.start()
    await stage.played()


async def asks(stage: Stage) -> None:
    """Every kind of ask, each at a table where it is sure to come."""
    tables = {}
    for kind, (rules, seats, seat, script) in kinds().items():
        seed = seed_where(rules, seats, three_alike) if kind is AskKind.CHANCE else SEED
        tables[kind] = stage.table(rules, seats, seat, script=script, seed=seed)
    await stage.start()
    await stage.played()
    came = {(put.ask.table, put.kind) for put in stage.tap.puts.values()}
    for kind, seating in tables.items():
        if (seating.number, kind.name.lower()) not in came:
            stage.remark(f"no ask of kind {kind.name.lower()} came to it", "Play on until the round is over.")


async def legal(stage: Stage) -> None:
    """Whole games against players who do anything."""
    for preset, seats in (("classic-all", 5), ("club", 3), ("rubber", 4), ("cafe", 4), ("classic", 3)):
        stage.table(resolve(preset), seats, seats - 1, script=wild, rounds=0)
    await stage.start()
    await stage.played()


async def many(stage: Stage) -> None:
    """Many tables, whose asks come together."""
    for number in range(TABLES):
        stage.table(resolve("cafe"), 4, number % 4, script=wild, seed=hashlib.sha256(bytes((number,))).digest())
    await stage.start()
    await stage.played()


async def refused(stage: Stage) -> None:
    """A legal card and a legal answer are refused once, and asked for again."""
    refuser = stage.tap.tamper
    assert isinstance(refuser, Refuser)
    stage.late_advice = "Answer the new ask that comes with a refusal while tries are left; its id is another one."
    stage.table(resolve("short"), 3, 1, script=OneOf(2, loud), rounds=3)
    await stage.start()
    await stage.played()
    for kind, key in refuser.again.items():
        if stage.tap.puts[key].answer is None:
            raise Failed(f"after a refusal it did not answer again (ask {key[1]}, {kind})", stage.late_advice)


async def superseded(stage: Stage) -> None:
    """Somebody toeps while the bot's card is due: the card is not played, and asked for again."""
    stage.late_advice = "Take a Superseded as no fault of its own: nothing was played, and the next ask counts."
    stage.table(resolve("short"), 3, 1, script=OneOf(2, loud), rounds=4)
    await stage.start()
    await stage.played()
    if not any(put.superseded for put in stage.tap.puts.values()):
        stage.remark("nothing of it was superseded, since it toeped itself each time", "Nothing needs to be done.")


UNKNOWN: Final = "Skip fields, events and enum values that are not known; what an ask allows is in `legal` and `may`."


async def unknown(stage: Stage) -> None:
    """Fields, events and enum values of a referee that is newer than the bot."""
    future = stage.tap.tamper
    assert isinstance(future, Future)
    stage.late_advice = stage.crash_advice = UNKNOWN
    stage.table(
        resolve("cafe"), 3, 0, script=OneOf(1, swapping), window_ms=min(FUTURE_WINDOW_MS, stage.patience.window_ms)
    )
    await stage.start()
    await stage.played()
    if any(put.ask.kind == NEW_KIND and put.refusal for put in stage.tap.puts.values()):
        stage.remark("it answered an ask of a kind that it cannot know with an act that is not allowed", UNKNOWN)


async def lost(stage: Stage) -> None:
    """The line breaks in the middle of a match; the bot dials in again, or ends and is started again."""
    stage.table(resolve("short"), 3, 1, rounds=3, act_ms=max(BROKEN_ACT_MS, stage.patience.act_ms))
    await stage.start()
    tap, subject = stage.tap, stage.subject
    await stage.until(lambda: tap.broken)
    await stage.back_or_gone()
    if subject.ended.is_set():
        if not subject.code:
            raise Failed("its line broke, and it ended with exit code 0 though its match was on", LOST)
        welcomed = tap.welcomed
        await subject.start()
        await stage.connected(welcomed)
    await stage.played()


async def draining(stage: Stage) -> None:
    """The referee closes down while a match is on."""
    stage.crash_advice = "Take Draining as news: the match that is on is played to its end."
    stage.table(resolve("short"), 3, 1, rounds=2)
    await stage.start(matches=100)
    await stage.until(lambda: any(stage.tap.answered()))
    stage.hall.drain("the kit closes down")
    await stage.played()
    await stage.goodbye()


async def goodbye(stage: Stage) -> None:
    """Nothing is left to play."""
    stage.table(resolve("short"), 3, 2)
    await stage.start()
    await stage.played()
    await stage.goodbye()


async def in_time(stage: Stage) -> None:
    """Some more matches; then everything that was measured is looked at."""
    for number in range(8):
        stage.table(resolve("cafe"), 3, number % 3, script=wild, rounds=2, seed=bytes((number,)) * 32)
    await stage.start()
    await stage.played()


def judge_times(stage: Stage, measure: Measure) -> None:
    """Whether answers come in time, and not just in time."""
    if not stage.patience.deadline:
        return
    for kind, times in measure.kinds.items():
        if times.p99 > times.budget / 2:
            why = f"of {len(times.ms)} answers of kind {kind} one in a hundred took {times.p99:.0f} ms or more"
            stage.remark(f"{why}, of {times.budget}", LATE)
    if measure.idle:
        stage.remark(
            f"{measure.idle} asks that may be passed were left until their time was over",
            "Answer them with a pass, or decline ahead, since everybody at the table waits.",
        )


class Step(NamedTuple):
    """A step: its name, what a bot does that passes it, what is done, and what is done to the stream."""

    name: str
    title: str
    run: Callable[[Stage], Awaitable[None]]
    tamper: Callable[[], Tamper] = Tamper


STEPS: Final = (
    Step("hello", "dials in and says hello", hello),
    Step("presets", "plays a round of every preset", presets),
    Step("asks", "answers every kind of ask", asks, Curious),
    Step("legal", "does only what is legal", legal),
    Step("many", f"plays {TABLES} matches at once", many),
    Step("refused", "answers again after a refusal", refused, Refuser),
    Step("superseded", "goes on when an answer came to nothing", superseded),
    Step("unknown", "gets along with what it does not know", unknown, Future),
    Step("lost", "comes back after the line broke", lost, lambda: Breaker(3)),
    Step("draining", "plays to the end when the referee closes, and leaves", draining),
    Step("goodbye", "leaves after its last match", goodbye),
    Step("time", "answers in time", in_time),
)
"""Every step, in the order in which they are done."""

NAMES: Final = tuple(step.name for step in STEPS)
