"""`toep replay`: the questions of a log are those that were asked, and answers are compared."""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.conformance.bot.recorded import Question, Recorded, RecordedError, Retelling, Tell, read
from referee.conformance.bot.words import same_act
from referee.game.game import PASS_BIT, Game
from referee.game.records import Play, Resign
from referee.log.records import Conduct, Length, Rounds
from referee.log.writer import FileSink, LogWriter
from referee.ruleset import PRESETS, Ruleset, resolve
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player
from referee.table.messages import Ask, Message
from referee.table.steps import PASS, Answer, Pass
from referee.table.table import Malformed, Table

Asked = tuple[int, int, int, int, int, int]
SEED = bytes(range(1, 33))
PLAYERS = ("ann", "bob", "cor", "dee", "eve")


class Heard:
    """What a table asked of one seat, and what was answered."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.asks: list[Asked] = []
        self.said: list[Answer | Malformed] = []


def asked(ask: Ask) -> Asked:
    return ask.id, int(ask.kind), ask.hand, ask.legal, ask.may, ask.budget_ms


def answer(game: Game, ask: Ask, match: str, mischief: float) -> Answer | Malformed | None:
    """What a player says; with mischief also nonsense, illegal cards, long passes, giving up, or nothing."""
    draw = random.Random(f"{match}/{ask.seat}/{ask.id}/more")
    if draw.random() < mischief:
        wild = draw.randrange(5)
        if wild == 0:
            return Malformed("nonsense")
        if wild == 1 and ask.legal:
            return Play(card="Jc", seat=ask.seat)
        if wild == 2 and ask.may & PASS_BIT:
            return Pass(draw.choice((1, 2)))
        if wild == 3 and not ask.may & PASS_BIT and draw.random() < 0.1:
            return Resign(seat=ask.seat)
        if wild == 4:
            return None
    return random_player(match, 0.25)(game, ask)


def played(
    path: Path, rules: Ruleset, seats: int, seat: int, length: Length, *, mischief: float = 0, seed: bytes = SEED
) -> Heard:
    """Play a match into a file; what this seat was asked, and said."""
    plan = MatchPlan(rules=rules, bots=PLAYERS[:seats], length=length, clock="none", conduct=Conduct(faults=6))
    head = make_head(plan, seed, declared=True)
    log = LogWriter(FileSink(path), match=head.match)
    table = Table(head, seed, log)
    heard = Heard(seat)
    inbox: list[Message] = list(table.start(0))
    now = 0
    while table.over is None:
        asks = [message for message in inbox if type(message) is Ask]
        inbox = []
        if not asks:
            now += head.conduct.act_ms
            inbox.extend(table.on_time(now))
            continue
        for ask in asks:
            table.sent(ask, now)
        for ask in asks:
            said = answer(table.game, ask, head.match, mischief)
            if ask.seat == seat:
                heard.asks.append(asked(ask))
                heard.said.append(said if said is not None else PASS)
            if said is not None:
                inbox.extend(table.on_act(ask.seat, ask.id, said, now))
    log.close()
    return heard


def retold(recorded: Recorded, heard: Heard) -> Iterator[tuple[Question, Answer | Malformed]]:
    """The questions of the log, each answered as it was; one that was never put gets a pass."""
    left = dict(zip(heard.asks, heard.said, strict=True))
    story = Retelling(recorded, heard.seat).story()
    item: Tell | Question | None = next(story)
    while item is not None:
        reply = None
        if isinstance(item, Question):
            reply = left.pop(wire(item), PASS)
            yield item, reply
        try:
            item = story.send(reply)
        except StopIteration:
            return


def wire(question: Question) -> Asked:
    ask = question.ask
    return ask.ask, int(ask.kind), ask.hand, ask.legal, ask.may, ask.budget_ms


RULES: dict[str, dict[str, object]] = {
    **{name: {"preset": name} for name in PRESETS},
    "sealed": {"preset": "club", "answers": "simultaneous"},
    "cut": {"preset": "cafe", "cut": True, "first_dealer": "low_card", "deal_pattern": "one_by_one"},
    "chance": {"preset": "rubber", "chance": True, "four_alike": "win"},
    "blind": {"preset": "classic-all", "blind_who": "anyone"},
    "signals": {"preset": "cafe", "signals": "penalty"},
    "overtoep": {"preset": "club", "overtoep_as_answer": True, "dood": "auto"},
}
UNCLEAR = ("signals", "chance", "blind", "rubber", "classic-all")
"""Rules with acts that may be of one step or of several; the log does not say."""


@pytest.mark.parametrize("mischief", [0.0, 0.08])
@pytest.mark.parametrize("rules", RULES)
def test_the_questions_are_those_that_were_asked(tmp_path: Path, rules: str, mischief: float) -> None:
    """Every ask, with its id, hand and acts, and what the log says was answered."""
    ruleset = resolve(RULES[rules])
    for number in range(9):
        seats = (3, 4, 5)[number % 3]
        path = tmp_path / f"{number}.toep"
        length: Length = "game" if number % 2 else Rounds(rounds=5)
        heard = played(path, ruleset, seats, number % seats, length, mischief=mischief, seed=bytes((number + 1,)) * 32)
        compared = list(retold(read(path), heard))
        found = [wire(question) for question, _ in compared]
        # To which of several asks a refused answer was, the log does not say either.
        if rules not in UNCLEAR and (not mischief or ruleset.exchange == "off"):
            assert found == heard.asks, (rules, number)
        else:
            unlike = set(heard.asks) ^ set(found)
            assert len(unlike) <= 4 + len(found) // 10, (rules, number)
        for question, said in compared:
            passed = question.early and isinstance(said, Pass | Play)
            if question.recorded is not None and not passed and wire(question) in heard.asks and not mischief:
                assert same_act(question.recorded, said), (rules, number, question.line, question.ask.ask)


def test_the_cards_come_from_the_seed_where_a_view_hides_them(tmp_path: Path) -> None:
    """The view of a seat, with the seed revealed at its end, is as good as the log."""
    log, view = tmp_path / "match.toep", tmp_path / "view.toep"
    heard = played(log, resolve("cafe"), 3, 1, "game")
    assert run(["view", str(log), "--seat", "1", "-o", str(view)]) == 0
    assert b'"_":"~"' in view.read_bytes()
    assert [wire(question) for question, _ in retold(read(view), heard)] == heard.asks


def test_a_log_that_was_cut_off_is_put_as_far_as_it_goes(tmp_path: Path) -> None:
    log = tmp_path / "match.toep"
    heard = played(log, resolve("cafe"), 3, 1, "game")
    data = log.read_bytes()
    whole = len(heard.asks)
    lengths = []
    for share in (0.4, 0.6, 0.8):
        log.write_bytes(data[: int(share * len(data))])
        asks = [wire(question) for question, _ in retold(read(log), heard)]
        assert asks == heard.asks[: len(asks)]
        lengths.append(len(asks))
    assert 0 < lengths[0] < lengths[1] < lengths[2] < whole, (lengths, whole)


def test_a_log_that_is_wrong_is_not_put(tmp_path: Path) -> None:
    log = tmp_path / "match.toep"
    played(log, resolve("cafe"), 3, 1, Rounds(rounds=1))
    log.write_bytes(log.read_bytes().replace(b'"_":"play","card":"', b'"_":"play","card":"J', 1))
    with pytest.raises(RecordedError, match="toep verify says more"):
        read(log)


# -- with a bot --------------------------------------------------------------------------------------------------------

CHANGED = """
from toep_client import Fold, Stay, run
from toep_client.samples.careful import Careful
class Changed(Careful):
    def act(self, view):
        return Stay() if view.kind == "answer" and Fold() in view.legal else super().act(view)
run(Changed())
"""


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match between sample bots."""
    log = tmp_path_factory.mktemp("replay") / "match.toep"
    bots = [word for bot in ("careful", "random", "caller") for word in ("--bot", bot)]
    assert run(["play", *bots, "--seed", "07" * 32, "--rules", "cafe", "-o", str(log)]) == 0
    return log


@pytest.mark.parametrize(("seat", "bot"), [(0, "careful"), (1, "random"), (2, "caller")])
def test_the_same_bot_answers_the_same(match: Path, seat: int, bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(match), "--seat", str(seat), "--", bot]) == 0
    out = capsys.readouterr().out
    assert out.startswith("same: ")
    assert ", 0 differently, " in out


def replay(match: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(["replay", str(match), "--seat", "0", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_changed_bot_is_asked_everything_and_its_differences_are_counted(
    match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "changed.py"
    path.write_text(CHANGED)
    command = ["--", sys.executable, str(path)]
    _, out, _ = replay(match, capsys, "--json", "--", "careful")
    before = json.loads(out)
    code, out, _ = replay(match, capsys, "--json", *command)
    report = json.loads(out)
    assert (code, report["verdict"], report["stopped"]) == (1, "different", "")
    assert report["different"] == len(report["differences"]) > 1
    asked = report["same"] + report["different"] + report["unknown"]
    assert asked == before["same"] + before["unknown"]
    for found in report["differences"]:
        assert (found["kind"], found["recorded"], found["now"]) == ("answer", "fold", "stay")
        assert json.loads(match.read_text().splitlines()[found["line"] - 1])["_"] == "fold"
    code, out, _ = replay(match, capsys, *command)
    lines = out.splitlines()
    assert code == 1
    assert lines[0].startswith(f"different at line {report['differences'][0]['line']}, ask ")
    assert lines[0].endswith("(answer): recorded fold, now stay")
    assert [line.split(":")[0].strip() for line in lines[2:7]] == ["in the round", "points", "trick", "hand", "may"]
    assert lines[-1].startswith(f"different: {asked} asks of seat 0: ")
    code, out, _ = replay(match, capsys, "--json", "--stop", *command)
    assert (code, json.loads(out)["different"], json.loads(out)["stopped"]) == (
        1, 1, "stopped at the first difference",
    )  # fmt: skip


def test_without_deadlines_the_budget_is_a_day(match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import sys\n"
        "from toep_client import run\n"
        "from toep_client.samples.careful import Careful\n"
        "class Careful2(Careful):\n"
        "    def act(self, view):\n"
        "        assert view.budget_ms == 86_400_000\n"
        "        return super().act(view)\n"
        "run(Careful2())\n"
    )
    assert replay(match, capsys, "--no-deadline", "--", sys.executable, str(path))[0] == 0


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("import sys; sys.exit('no')", "the bot said no hello: it ended with exit code 1: no"),
        (
            "import os; del os.environ['TOEP_TOKEN']\nfrom toep_client.__main__ import main\nmain(['careful'])",
            "TOEP_TOKEN",
        ),
    ],
)
def test_a_bot_that_does_not_come(
    match: Path, tmp_path: Path, body: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(body)
    code, _, err = replay(match, capsys, "--", sys.executable, str(path))
    assert (code, says in err) == (2, True), err


def test_a_bot_that_dies_is_different(match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "from toep_client import run\n"
        "from toep_client.samples.careful import Careful\n"
        "class Mortal(Careful):\n"
        "    def act(self, view):\n"
        "        return 1 / 0 if view.round == 2 else super().act(view)\n"
        "run(Mortal())\n"
    )
    code, out, err = replay(match, capsys, "--", sys.executable, str(path))
    assert code == 1
    assert "the bot ended with exit code 70 before the end" in out
    assert "ZeroDivisionError" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seat", "0"], "write the bot behind --"),
        (["--seat", "9", "--", "careful"], "seats 0 to 2"),
        (["--seat", "0", "--", "/no/such/bot"], "No such file"),
    ],
)
def test_wrong_use(match: Path, words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(match), *words]) == 2
    assert says in capsys.readouterr().err
    assert run(["replay", str(match.with_name("none.toep")), "--seat", "0", "--", "careful"]) == 2
