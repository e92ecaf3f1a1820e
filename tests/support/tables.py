"""Tables for tests: a match in memory, with simulated time only."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Literal, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from referee.cards import NAMES, bits, names
from referee.game.game import BIT, PASS_BIT, Game
from referee.game.records import Discard, Play, Record, Stay
from referee.log.reader import decode_bytes
from referee.log.records import Conduct, Length, Rounds
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import OPTIONS, PRESETS, SHORT, Ruleset, allowed, resolve
from referee.service.edge import News
from referee.table.head import MatchPlan, make_head
from referee.table.messages import Ask, Message, Over, Update
from referee.table.steps import PASS, Answer
from referee.table.table import Malformed, Table
from referee.v1.play_pb2 import PlayResponse
from referee.v1.table_pb2 import TableState
from referee.validate import validate

SEED: Final = bytes(range(32))
ONE_ROUND: Final = Rounds(rounds=1)
CONDUCT: Final = Conduct()
HEAVY: Final = settings(
    deadline=None,
    # A match that fails is found again by its key; making it smaller takes minutes.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""For properties of whole matches."""

R = TypeVar("R", bound=Record)
M = TypeVar("M", bound=Message)


def verified(data: bytes) -> list[Record]:
    """The records of a log that the validator calls valid and complete."""
    report = validate(io.BytesIO(data), "test.toep")
    assert report.exit == 0, report.errors or report.missing
    return records_of(data)


def records_of(data: bytes) -> list[Record]:
    """The records of a log, whatever it is worth."""
    return [decode_bytes(line) for line in data.splitlines()]


def only(kind: type[R], records: Iterable[Record]) -> list[R]:
    """The records of one kind."""
    return [record for record in records if isinstance(record, kind)]


def said(kind: type[M], messages: Iterable[Message]) -> list[M]:
    """The messages of one kind."""
    return [message for message in messages if isinstance(message, kind)]


def told(messages: Iterable[Message], seat: int) -> list[Message]:
    """What one seat hears of these messages."""
    return [message for message in messages if isinstance(message, Update | Over) or message.seat == seat]


def news(messages: Iterable[Message]) -> list[Record]:
    """The public records in these messages."""
    return [record for update in said(Update, messages) for record in update.records]


def public_state(game: Game) -> TableState:
    """What everybody at the table is told about how things stand."""
    return PlayResponse.FromString(News(1, game).message([])).updates[0].state


def meek(ask: Ask) -> Answer:
    """Uses no window, goes along, and plays the first card that is legal."""
    if ask.may & PASS_BIT:
        return PASS
    if ask.may & BIT[Stay]:
        return Stay(seat=ask.seat)
    if ask.may & BIT[Discard]:
        return Discard(cards=names(ask.hand)[:3], seat=ask.seat)
    return Play(card=NAMES[next(bits(ask.legal))], seat=ask.seat)


class Sim:
    """A table whose seats answer when a test says so. ``prompt``: an ask counts as sent as soon as it is there."""

    def __init__(
        self,
        rules: Ruleset = SHORT,
        seats: int = 4,
        *,
        conduct: Conduct = CONDUCT,
        clock: Literal["ms", "none"] = "none",
        length: Length = ONE_ROUND,
        sink: MemorySink | None = None,
        prompt: bool = True,
    ) -> None:
        bots = [f"bot-{seat}" for seat in range(seats)]
        plan = MatchPlan(rules=rules, bots=bots, length=length, conduct=conduct, clock=clock, match="m-1")
        self.sink: Final = sink or MemorySink()
        self.table: Final = Table(make_head(plan, SEED, declared=True), SEED, LogWriter(self.sink, match="m-1"))
        self.prompt: Final = prompt
        self.now = 1000
        self.open: dict[int, Ask] = {}
        """The asks that wait for an answer, by seat."""
        self.heard: Final[list[Message]] = []
        """Everything that the table has said."""

    def take(self, said_now: Iterable[Message]) -> list[Message]:
        """Note what the table says."""
        messages = list(said_now)
        self.heard.extend(messages)
        for ask in said(Ask, messages):
            self.open[ask.seat] = ask
            if self.prompt:
                self.table.sent(ask, self.now)
        self.open = {seat: ask for seat, ask in self.open.items() if self.table.is_open(seat, ask.id)}
        return messages

    def start(self) -> list[Message]:
        return self.take(self.table.start(self.now))

    def act(self, seat: int, answer: Answer | Malformed) -> list[Message]:
        """A seat answers its open ask."""
        return self.take(self.table.on_act(seat, self.open[seat].id, answer, self.now))

    def wait(self, ms: int) -> list[Message]:
        """Time passes."""
        self.now += ms
        return self.take(self.table.on_time(self.now))

    def rest(self, *skip: int) -> list[Message]:
        """Everybody who is asked now, but for some seats, answers meekly. Those who are asked after it do not."""
        out: list[Message] = []
        for seat, ask in sorted(self.open.items()):
            if seat not in skip and self.table.is_open(seat, ask.id):
                out.extend(self.act(seat, meek(ask)))
        return out

    def steps(self) -> Iterator[list[Message]]:
        """Play on meekly, step by step."""
        while self.table.over is None:
            yield self.rest()

    def until_round_ends(self) -> None:
        """Play on meekly to the next deal."""
        deals = self.table.game.deals
        while self.table.over is None and self.table.game.deals == deals:
            self.rest()

    def finish(self) -> list[Record]:
        """Play on meekly to the end, and give the records of the log, which must be a good one."""
        for _ in self.steps():
            pass
        return self.log()

    def log(self) -> list[Record]:
        """The records of the finished log, which must be a good one."""
        return verified(bytes(self.sink.data))


def started(
    rules: Ruleset = SHORT,
    seats: int = 4,
    *,
    conduct: Conduct = CONDUCT,
    clock: Literal["ms", "none"] = "none",
    length: Length = ONE_ROUND,
    prompt: bool = True,
) -> Sim:
    """A match that has begun: seat 0 deals, so seat 1 leads."""
    sim = Sim(rules, seats, conduct=conduct, clock=clock, length=length, prompt=prompt)
    sim.start()
    return sim


def at_cards(sim: Sim) -> Sim:
    """The same match when the first card is due: nobody changes his hand."""
    while any(ask.kind.name == "EXCHANGE" for ask in sim.open.values()):
        sim.rest()
    return sim


def foreign_card(sim: Sim, seat: int) -> Play:
    """A card that a seat does not hold."""
    return Play(card=NAMES[next(bits(~sim.table.game.hands[seat] & 0xFFFFFFFF))], seat=seat)


CONTRADICTIONS: Final[dict[str, tuple[Callable[[Mapping[str, object]], bool], object]]] = {
    "answers": (lambda r: r["overtoep_as_answer"] is True, "clockwise"),
    "armoede_leads": (lambda r: r["armoede"] is False, False),
    "no_follower": (lambda r: r["folded_cards"] == "win", "rank_then_suit"),
    "four_alike": (lambda r: r["chance"] is True, "win"),
    "finale": (lambda r: r["game_end"] == "first_out", "off"),
    "grey_grave": (lambda r: r["game_end"] == "first_out", False),
    "crosses": (lambda r: r["game_end"] == "first_out", 0),
}
"""What an option must be when others are as the test says."""


def _values(option: str) -> st.SearchStrategy[object]:
    """The values of an option; the limit is kept low, so that games end."""
    first, *rest = allowed(option).split(", ")
    if first in ("false", "true"):
        return st.booleans()
    if ".." not in first:
        return st.sampled_from([first, *rest])
    low, _, high = first.partition("..")
    return st.integers(3, 7) if option == "limit" else st.integers(int(low), min(int(high), 5))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Rule sets of any kind: presets, and presets with some options changed."""
    preset = draw(st.sampled_from(sorted(PRESETS)))
    changed = draw(st.lists(st.sampled_from(OPTIONS), max_size=8, unique=True))
    rules = {option: getattr(PRESETS[preset], option) for option in OPTIONS}
    rules["limit"] = draw(_values("limit"))
    rules.update((option, draw(_values(option))) for option in changed)
    for option, (broken, value) in CONTRADICTIONS.items():
        if broken(rules):
            rules[option] = value
    return resolve(rules)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Ruleset, int]:
    """Rules, and a number of seats that they allow."""
    rules = draw(rulesets())
    return rules, draw(st.integers(rules.min_players, 8))
