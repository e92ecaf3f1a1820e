"""A match that is taken up from its own log goes on as if nothing had happened."""

import io
import random
from collections.abc import Callable, Iterator
from typing import Final, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.records import Discard, Fold, Play, Resign, Score, Stay
from referee.log.records import Conduct, End, Head, Length, Refused, Rounds
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import PRESETS, SHORT, Ruleset, resolve
from referee.service import memo
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player
from referee.table.journal import Refusal
from referee.table.messages import Ask, Message
from referee.table.resume import ResumeError, read_unfinished, resume
from referee.table.steps import Answer
from referee.table.table import Malformed, Table
from referee.validate import validate
from tests.support.disk import Disk, PowerCut
from tests.support.tables import CONDUCT, HEAVY, ONE_ROUND, SEED, meek, only, records_of, said, tables, verified

Reply = Answer | Malformed | Literal["silence", "leave"]
Habits = dict[str, float]
Mode = Literal["kill", "power", "durable"]

CALM: Final[Habits] = {}
ROUGH: Final[Habits] = {"wild": 0.2, "silence": 0.03, "leave": 0.003}


def reply(table: Table, ask: Ask, habits: Habits, eagerness: float) -> Reply:
    """What a seat does about an ask: always the same, since it is drawn for this ask alone."""
    rng = random.Random(f"habit/{ask.seat}/{ask.id}")
    for habit in ("wild", "silence", "leave", "resign"):
        if rng.random() < habits.get(habit, 0):
            if habit == "wild":
                return Malformed("nonsense")
            if habit == "resign":
                return Resign(seat=ask.seat)
            return "leave" if habit == "leave" else "silence"
    return random_player("m-1", eagerness)(table.game, ask)


class Match:
    """One match on a machine that may stop. Every bot answers an ask in the same way, however often it is put."""

    def __init__(
        self,
        rules: Ruleset,
        seats: int,
        length: Length,
        *,
        conduct: Conduct = CONDUCT,
        habits: Habits = CALM,
        eagerness: float = 0.1,
    ) -> None:
        plan = MatchPlan(
            rules=rules,
            bots=[f"bot-{seat}" for seat in range(seats)],
            length=length,
            conduct=conduct,
            clock="none",
            match="m-1",
        )
        self.head: Final[Head] = make_head(plan, SEED, declared=False)
        self.told = 0
        """Bytes of the log that somebody knows of."""
        self.asked: Final[list[tuple[int, int]]] = []
        self._habits = habits
        self._eagerness = eagerness

    def run(self, disk: Disk, *, durable: bool = False) -> None:
        """Begin, or take up, and play to the end; raises `PowerCut`, and `ResumeError`."""
        stands = bytes(disk.files["log"].data) if "log" in disk.files else b""
        sink, notes = disk.open("log"), disk.open("notes")

        def note(refusals: list[Refusal]) -> None:
            notes.write(memo.encode(refusals))
            if durable:
                notes.sync()

        if b"\n" in stands:
            left = read_unfinished(stands)
            known = memo.decode(bytes(notes.data))
            table, log, kept = resume(left, SEED, sink, refusals=known, memo=note)
            del sink.data[left.size :]
            sink.synced = min(sink.synced, left.size)
            notes.data[:] = memo.encode(kept)
            notes.synced = len(notes.data)
            log.flush()
            inbox: list[Message] = [ask for seat in range(8) for ask in table.on_link(seat, True, 0)]
        else:
            sink.data.clear()
            notes.data.clear()
            log = LogWriter(sink, match="m-1")
            table = Table(self.head, SEED, log, memo=note)
            inbox = list(table.start(0))
        now = 0
        while table.over is None:
            if durable:
                sink.sync()
            self.told = len(sink.data)
            asks = said(Ask, inbox)
            inbox = []
            self.asked.extend((ask.seat, ask.id) for ask in asks)
            for ask in asks:
                table.sent(ask, now)
            for ask in asks:
                if not table.is_open(ask.seat, ask.id):
                    continue
                answer = reply(table, ask, self._habits, self._eagerness)
                if answer == "leave":
                    inbox += table.on_leave(ask.seat, now)
                elif answer != "silence":
                    inbox += table.on_act(ask.seat, ask.id, answer, now)
            if not said(Ask, inbox) and table.over is None:
                now = table.deadline
                inbox += table.on_time(now)
        log.close()


def undisturbed(match: Match) -> bytes:
    disk = Disk()
    match.run(disk)
    return bytes(disk.files["log"].data)


@settings(HEAVY, max_examples=40)
@given(
    tables(),
    st.sampled_from(["kill", "kill", "durable", "power"]),
    st.sampled_from([CALM, ROUGH, {"resign": 0.01}]),
    st.sampled_from([0.05, 0.3]),
    st.randoms(use_true_random=False),
)
def test_a_match_survives_crashes(
    table: tuple[Ruleset, int], mode: Mode, habits: Habits, eagerness: float, rng: random.Random
) -> None:
    """Crashes at any write or sync: what is left stands as it is, the log in the end is valid, and where nothing that
    was written is lost it is the log of a match without crashes."""
    rules, seats = table

    def make() -> Match:
        return Match(rules, seats, Rounds(rounds=2), conduct=Conduct(faults=4), habits=habits, eagerness=eagerness)

    wanted = undisturbed(make())
    match, disk, whole = make(), Disk(rng.randint(0, 60)), True
    for _ in range(30):
        try:
            match.run(disk, durable=mode == "durable")
            break
        except PowerCut:
            told, file = match.told, disk.files.get("log")
            written = {len(file.data), len(file.data) + len(file.under_way)} if file else {0}
            disk = disk.crash(rng, power=mode != "kill")
            left = bytes(disk.files["log"].data) if "log" in disk.files else b""
            if mode != "power":
                assert len(left) >= told
            whole = whole and len(left) in written
            disk.left = rng.randint(0, 60)
            stands = left[: left.rfind(b"\n") + 1]
        except ResumeError as error:
            # A power cut may cost what was refused, on which an act of the referee may rest: then nothing is touched.
            if mode != "power" or "refused answers" not in str(error):
                raise
            assert_begins(disk, stands)
            return
        assert_begins(disk, stands)
    else:
        disk.left = None
        match.run(disk, durable=mode == "durable")
    data = bytes(disk.files["log"].data)
    verified(data)
    if whole and mode != "power" and "resign" not in habits:
        assert data == wanted


def assert_begins(disk: Disk, stands: bytes) -> None:
    assert bytes(disk.files["log"].data).startswith(stands)


# -- every line of one match ---------------------------------------------------------------------------------------


RULES: Final = {
    "short": SHORT,
    "cafe": PRESETS["cafe"],
    "sealed": resolve({"preset": "cafe", "answers": "simultaneous"}),
    "cut": resolve({"preset": "short", "cut": True}),
    "classic": PRESETS["classic"],
}


def cuts(data: bytes) -> Iterator[int]:
    """Every place behind a line."""
    place = 0
    while place := data.find(b"\n", place) + 1:
        yield place


def resumed(left: bytes, notes: list[Refusal] | None = None) -> tuple[Table, MemorySink]:
    """The table that a log leads to, and its file after what was missing was appended."""
    unfinished = read_unfinished(left)
    sink = MemorySink()
    sink.data.extend(left[: unfinished.size])
    table, log, _ = resume(unfinished, SEED, sink, refusals=notes or [])
    log.flush()
    return table, sink


@pytest.mark.parametrize("name", RULES)
def test_a_log_may_stop_behind_any_line(name: str) -> None:
    """What followed from the last act is completed, and what is asked then is what was asked."""
    data = undisturbed(Match(RULES[name], 4, Rounds(rounds=2)))
    for cut in cuts(data):
        table, sink = resumed(data[:cut] + b'{"_":"torn')
        assert data.startswith(sink.data)
        assert len(sink.data) >= cut
        if table.over is not None:
            assert bytes(sink.data) == data


def test_the_asks_are_those_of_a_match_without_crash() -> None:
    whole = Match(RULES["cafe"], 4, Rounds(rounds=2))
    data = undisturbed(whole)
    for cut in cuts(data):
        table, _ = resumed(data[:cut])
        asks = [ask for seat in range(4) for ask in table.on_link(seat, True, 0) if isinstance(ask, Ask)]
        assert asks or table.over
        assert {(ask.seat, ask.id) for ask in asks} <= set(whole.asked)


# -- single cases ----------------------------------------------------------------------------------------------------


def logged(*kinds: type, rules: Ruleset = SHORT, habits: Habits = CALM, length: Length = ONE_ROUND) -> list[bytes]:
    data = undisturbed(Match(rules, 4, length, habits=habits))
    return data.splitlines(keepends=True)


def finish(table: Table) -> None:
    inbox: list[Message] = [ask for seat in range(8) for ask in table.on_link(seat, True, 0)]
    while table.over is None:
        asks = said(Ask, inbox)
        inbox = []
        for ask in asks:
            inbox += table.on_act(ask.seat, ask.id, meek(ask), 0)


def until(lines: list[bytes], kind: str, number: int = 1) -> list[bytes]:
    """The lines up to, and without, the one of this kind."""
    found = [place for place, line in enumerate(lines) if line.startswith(b'{"_":"%s"' % kind.encode())]
    return lines[: found[number - 1]]


def test_a_seal_that_is_missing_is_written() -> None:
    lines = logged()
    left = [*until(lines, "score"), next(line for line in lines if b'"score"' in line)]
    _, sink = resumed(b"".join(left))
    assert bytes(sink.data).startswith(b"".join(lines[: len(left) + 1]))


def test_an_end_without_its_seal() -> None:
    lines = logged()
    for number, line in enumerate(lines):
        if line.startswith(b'{"_":"end"'):
            table, sink = resumed(b"".join(lines[: number + 1]))
            assert table.over is not None
            assert bytes(sink.data) == b"".join(lines)


def test_refusals_stand_before_the_score_though_they_were_in_memory_only() -> None:
    match = Match(SHORT, 4, ONE_ROUND, habits={"wild": 0.3})
    disk = Disk()
    match.run(disk)
    data, notes = bytes(disk.files["log"].data), memo.decode(bytes(disk.files["notes"].data))
    assert len(only(Refused, records_of(data))) > 3
    lines = data.splitlines(keepends=True)
    for number in range(len(until(lines, "play")), len(lines)):
        _, sink = resumed(b"".join(lines[:number]), notes)
        assert data.startswith(sink.data)


def test_an_act_of_the_referee_must_not_lose_its_refusals() -> None:
    """The log would say that the referee acted for no reason, and would be wrong for ever."""
    match = Match(SHORT, 4, ONE_ROUND, habits={"wild": 0.6})
    data = undisturbed(match)
    lines = data.splitlines(keepends=True)
    by = next(number for number, line in enumerate(lines) if b'"by":"ref"' in line)
    with pytest.raises(ResumeError, match="refused answers"):
        resumed(b"".join(lines[: by + 1]))


ANSWERS: Final = (b'{"_":"stay"', b'{"_":"fold"')


def test_sealed_answers_stay_sealed() -> None:
    """Of an act that stands nobody hears before the others have answered, and it counts whatever they do."""
    rules = resolve({"preset": "cafe", "answers": "simultaneous"})
    data = undisturbed(Match(rules, 4, Rounds(rounds=6), eagerness=0.5))
    lines = data.splitlines(keepends=True)
    found = [
        number
        for number, line in enumerate(lines)
        if line.startswith(ANSWERS) and lines[number + 1].startswith(ANSWERS) and b'"toep"' in lines[number - 1]
    ]
    assert found
    for number in found:
        left = b"".join(lines[: number + 1])
        for kind in ("answers", "resigns", "leaves", "stops"):
            table, sink = resumed(left)
            asks = [ask for seat in range(4) for ask in table.on_link(seat, True, 0) if isinstance(ask, Ask)]
            assert asks
            if kind == "stops":
                table.abandon()
            elif kind == "leaves":
                table.on_leave(asks[0].seat, 0)
            else:
                inbox: list[Message] = []
                for ask in asks:
                    act = Resign(seat=ask.seat) if kind == "resigns" else Stay(seat=ask.seat)
                    assert not said(Ask, inbox)
                    inbox += table.on_act(ask.seat, ask.id, act, 0)
            assert bytes(sink.data).startswith(left)
            again, sink = resumed(bytes(sink.data))
            finish(again)
            verified(bytes(sink.data))
            (first,) = records_of(lines[number])
            assert isinstance(first, Stay | Fold)
            assert first.seat not in [ask.seat for ask in asks]


def test_discards_that_stand_are_not_asked_again() -> None:
    rules = PRESETS["classic-all"]
    for seed in range(40):
        match = Match(rules, 3, "game", eagerness=0.05 + seed / 100)
        lines = undisturbed(match).splitlines(keepends=True)
        found = [
            number
            for number, line in enumerate(lines)
            if line.startswith(b'{"_":"discard"') and b'"chance"' not in lines[number - 1]
        ]
        if found:
            table, sink = resumed(b"".join(lines[: found[0] + 1]))
            (discard,) = only(Discard, records_of(lines[found[0]]))
            asks = [ask for seat in range(3) for ask in table.on_link(seat, True, 0) if isinstance(ask, Ask)]
            assert discard.seat not in [ask.seat for ask in asks]
            finish(table)
            verified(bytes(sink.data))
            return
    raise AssertionError("no finale was played")


def test_an_abandoned_match_stays_abandoned() -> None:
    match = Match(SHORT, 4, ONE_ROUND)
    sink = MemorySink()
    table = Table(match.head, SEED, LogWriter(sink, match="m-1"))
    table.start(0)
    table.abandon()
    data = bytes(sink.data)
    lines = data.splitlines(keepends=True)
    for number in range(len(until(lines, "void")) + 1, len(lines)):
        again, sink = resumed(b"".join(lines[:number]))
        assert again.over is not None
        assert again.over.status == "abandoned"
        assert bytes(sink.data) == data
    assert only(End, records_of(data))[0].status == "abandoned"


# -- what cannot be taken up -----------------------------------------------------------------------------------------


def other_card(line: bytes) -> bytes:
    return line.replace(b'"cards":["', b'"cards":["' + (b"J" if line[18:19] != b"J" else b"Q"), 1)


BROKEN: Final[dict[str, Callable[[list[bytes]], list[bytes]]]] = {
    "a line is damaged": lambda lines: [*lines[:5], b"{}\n", *lines[5:]],
    "a line is missing": lambda lines: [*lines[:5], *lines[6:]],
    "lines are swapped": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "a card is another": lambda lines: [line.replace(b'"play","card":"9', b'"play","card":"8') for line in lines],
    "there is no head": lambda lines: lines[1:],
    "a root is wrong": lambda lines: [lines[0], lines[1].replace(b'"root":"', b'"root":"A', 1), *lines[2:]],
    "there is more behind the end": lambda lines: [*lines, lines[-1]],
    "nothing": lambda _: [],
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_log_is_not_gone_on_with(what: str) -> None:
    lines = logged(length=Rounds(rounds=3))
    broken = b"".join(BROKEN[what](lines))
    assert broken != b"".join(lines)
    with pytest.raises(ResumeError):
        resumed(broken)


def test_another_seed_key_or_version() -> None:
    lines = logged()
    left = read_unfinished(b"".join(lines[:9]))
    with pytest.raises(ResumeError, match="seed"):
        resume(left, bytes(32), MemorySink())
    with pytest.raises(ResumeError) as caught:
        resume(left, SEED[:-1] + b"\0", MemorySink())
    assert SEED.hex()[:16] not in str(caught.value)
    head = make_head(
        MatchPlan(rules=SHORT, bots=list("abcd"), length=ONE_ROUND, match="m-1", engine="toep 0.0.1"),
        SEED,
        declared=False,
    )
    sink = MemorySink()
    Table(head, SEED, LogWriter(sink, match="m-1")).start(0)
    with pytest.raises(ResumeError, match=r"written by toep 0\.0\.1, and this is toep 2"):
        resume(read_unfinished(bytes(sink.data)), SEED, MemorySink(), engine="toep 2")
    table, _, _ = resume(read_unfinished(bytes(sink.data)), SEED, MemorySink(), engine="toep 0.0.1")
    assert table.over is None


def test_times_are_kept() -> None:
    plan = MatchPlan(rules=SHORT, bots=list("abcd"), length=ONE_ROUND, match="m-1")
    sink = MemorySink()
    table = Table(make_head(plan, SEED, declared=True), SEED, LogWriter(sink, match="m-1"))
    inbox: list[Message] = list(table.start(0))
    now = 0
    while not only(Play, records_of(bytes(sink.data)))[2:]:
        asks = said(Ask, inbox)
        inbox = []
        for ask in asks:
            table.sent(ask, now)
        now += 7
        for ask in asks:
            if (table.is_open(ask.seat, ask.id) and ask.kind.name != "CARD") or (
                ask.kind.name == "CARD" and ask.seat != 2
            ):
                inbox += table.on_act(ask.seat, ask.id, meek(ask), now)
        if not said(Ask, inbox):
            now = table.deadline
            inbox += table.on_time(now)
    again, after = resumed(bytes(sink.data))
    assert after.data == sink.data
    assert again.faults == table.faults
    assert sum(again.faults) >= 1 or not only(Score, records_of(bytes(sink.data)))
    finish(again)
    report = validate(io.BytesIO(bytes(after.data)), "m-1.toep")
    assert report.exit == 0, report.errors
