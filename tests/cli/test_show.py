"""``toep show``: the page for people against golden files, and everything that can be wrong with a log.

The golden files change only with ``TOEP_UPDATE_GOLDEN=1`` in the environment.
"""

import io
import json
import os
import random
import re
import sys
from base64 import b64encode
from pathlib import Path
from typing import get_args

import pytest
import zstandard
from msgspec.structs import replace

from referee.cards import NAMES, bits
from referee.cli import page, paint
from referee.cli.main import run
from referee.game import records as game
from referee.game.game import Game
from referee.game.records import Cards, Play, Record, Score
from referee.log import records as log
from referee.log.canonical import encode
from referee.log.reader import decode_bytes
from referee.log.records import AnyRecord, Conduct, Redacted
from referee.log.tree import leaf_hash
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import CAFE, PRESETS, resolve
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import Player, random_player, run_to_end
from referee.table.messages import Ask
from referee.table.steps import Answer
from referee.table.table import Malformed, Table
from tests.support.match import Match

GOLDEN = Path(__file__).parent / "golden"
SEED = bytes(range(32))
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SALT = "0123456789abcdef" * 2
HASH = "0123456789abcdef" * 4


def troublesome(player: Player) -> Player:
    """In round 2 seat 2 does what it must not until its tries are used up and the referee acts."""
    tries = 0

    def answer(state: Game, ask: Ask) -> Answer | Malformed:
        nonlocal tries
        if ask.seat != 2 or not ask.required or state.round != 2 or tries == Conduct().tries:
            return player(state, ask)
        tries += 1
        if tries == 2:
            return Malformed("no act at all")
        return Play(card=NAMES[next(bits(state.hands[1] or state.hands[3]))], seat=2)

    return answer


BOTS = ("Jopie", "Zoë", "a bot with a very long name", "Jopie")


@pytest.fixture(scope="module")
def data() -> bytes:
    """A short match under a secret seed, with acts that are refused."""
    plan = MatchPlan(rules=resolve({"preset": "cafe", "limit": 6}), bots=BOTS, clock="none")
    head = make_head(plan, SEED, declared=False)
    sink = MemorySink()
    run_to_end(Table(head, SEED, LogWriter(sink, match=head.match)), troublesome(random_player(head.match, 0.15)))
    return bytes(sink.data)


@pytest.fixture
def match(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log in a file of the working folder, so that messages name it shortly."""
    monkeypatch.chdir(tmp_path)
    path = Path("match.toep")
    path.write_bytes(data)
    return path


Capture = pytest.CaptureFixture[str]


def shown(capsys: Capture, *arguments: str) -> str:
    """What `toep show` prints when all is well."""
    assert run(["show", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: Capture, *arguments: str, code: int = 2) -> str:
    """The one line that it says when something is wrong."""
    assert run(["show", *arguments]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err.strip()


def check_golden(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("TOEP_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs; TOEP_UPDATE_GOLDEN=1 accepts the new text"


# -- the page ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("match.txt", []),
        ("round-hands.txt", ["--round", "2", "--hands"]),
        ("colour.txt", ["--round", "1", "--color"]),
    ],
)
def test_golden(name: str, arguments: list[str], match: Path, capsys: Capture) -> None:
    check_golden(name, shown(capsys, str(match), *arguments))


def test_lines_fit_a_terminal(match: Path, capsys: Capture) -> None:
    for line in shown(capsys, str(match), "--hands").splitlines():
        assert paint.columns(line) <= 100
        assert line == line.rstrip()


def test_colours_change_nothing_but_colours(match: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = shown(capsys, str(match), "--no-color", "--hands")
    coloured = shown(capsys, str(match), "--color", "--hands")
    assert "\x1b[" not in plain
    assert ESCAPE.sub("", coloured) == plain
    assert shown(capsys, str(match), "--hands") == plain
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert shown(capsys, str(match), "--hands") == coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(capsys, str(match), "--hands") == plain
    assert shown(capsys, str(match), "--hands", "--color") == coloured
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert shown(capsys, str(match), "--hands") == plain


def test_an_ascii_terminal(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert run(["show", str(match), "--hands"]) == 0
    text = raw.getvalue().decode("ascii")
    assert "Zo\\xeb" in text
    assert "a bot with a very l~" in text
    assert re.search(r"plays [T987AKQJ][hsdc]$", text, re.MULTILINE)


def test_one_round(match: Path, data: bytes, capsys: Capture) -> None:
    whole = shown(capsys, str(match))
    rounds = data.count(b'{"_":"round"')
    parts = [shown(capsys, str(match), "--round", str(number)) for number in range(1, rounds + 1)]
    for part in parts:
        assert part in whole
    assert sum(part.count("\n") for part in parts) < whole.count("\n")
    last = f"match.toep: there is no round {rounds + 1}; the last one is round {rounds}"
    assert refused(capsys, str(match), "--round", str(rounds + 1)) == f"toep show: {last}"


def test_from_a_line(match: Path, data: bytes, capsys: Capture) -> None:
    lines = data.splitlines()
    number = next(index for index, line in enumerate(lines, 1) if index > 40 and line.startswith(b'{"_":"play"'))
    title, hands, *rest = shown(capsys, str(match), "--at", str(number)).splitlines()
    assert re.fullmatch(r"Round \d+ - dealer .* \(seat \d\), from line " + str(number), title)
    assert "Zoë" in hands
    assert " may play " in "".join(rest[:2])
    assert any(line.startswith(f"{number:>6}  ") for line in rest[:3])
    assert shown(capsys, str(match), "--at", "1").startswith("Match m-")
    assert "there is no line 9999" in refused(capsys, str(match), "--at", "9999")
    assert "round 1 ends before line 60" in refused(capsys, str(match), "--at", "60", "--round", "1")


@pytest.mark.parametrize("option", ["--round", "--at"])
@pytest.mark.parametrize("value", ["0", "-1", "x", "1" * 5000])
def test_numbers_count_from_one(option: str, value: str, match: Path, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        run(["show", str(match), f"{option}={value}"])
    assert caught.value.code == 2
    assert "is not a number from 1 up" in capsys.readouterr().err


def test_a_rule_set_is_named_after_the_nearest_preset() -> None:
    for name, rules in PRESETS.items():
        assert page.rules_words(rules) == [name]
    changed = replace(CAFE, limit=5, armoede=True)
    assert " ".join(page.rules_words(changed)) == "cafe, but armoede = true, limit = 5"


def test_names_tell_the_seats_apart() -> None:
    assert page.labels(["a", "b", "a"]) == ["a#0", "b", "a#2"]


def test_columns_of_wide_and_combining_characters() -> None:
    assert paint.columns("\x1b[31mT♥\x1b[0m") == 2
    assert paint.columns("牌手") == 4
    assert paint.columns("e\u0301") == 1
    painter = paint.Paint(sys.stdout, color=False)
    assert painter.name("牌" * 30) == "牌" * 9 + "…"


EVERY: list[AnyRecord] = [
    log.Entropy(e=[HASH, None]),
    game.Draw(cards=[(0, "Js"), (1, "Jh"), (0, "Th"), (1, "9h")]),
    game.Round(dealer=0, round=1, try_=2),
    game.Cut(at=1, seat=1),
    game.Cards(cards=["Th", "Js", "7d", "Qc"], salt=SALT, seat=0, why="deal"),
    game.Blind(seat=1, stake=3),
    game.Peek(seat=1),
    game.Chance(seat=0),
    game.Cards(cards=["7d"], salt=SALT, seat=0, why="chance"),
    game.Discard(cards=["7d"], salt=SALT, seat=0),
    game.Exchange(ms=12, seat=0),
    game.Challenge(genuine=True, seat=1, shown=["Qc", "Jd", "Js", "Ah"]),
    game.Signal(seat=1, sign="whistle"),
    game.Open(seats=[1], stake=2),
    game.Toep(by="ref", seat=0, stake=2),
    game.Stay(ms=2500, seat=1),
    game.Auto(seats=[0, 1]),
    game.Fold(pay=1, seat=1),
    game.Play(card="Th", seat=0),
    game.Trick(lead=1, win=0),
    game.Confess(card="Th", seat=0),
    game.Play(card="8h", seat=0),
    game.Confess(pay=3, seat=0),
    game.Void(why="revoke"),
    game.Resign(seat=1),
    game.Show(cards=["Jc", "Jd", "Js", "Jh"], seat=0),
    game.Penalty(points=1, seat=1, why="R-WAS-07"),
    log.Late(budget=2000, elapsed=2001, seat=1, verdict="link"),
    log.Refused(at=3, code="R-TURN-01", got=game.Signal(seat=1, sign="stand"), salt=SALT, seat=1),
    log.Refused(at=99, code="malformed", salt=SALT, seat=1),
    game.Forfeit(seat=1, why="left"),
    game.Void(why="crash"),
    game.Score(points=[0, -1], total=[3, 8]),
    game.Out(seat=1, why="penalty"),
    log.Ruling(seat=1, why="the bot crashed; played on"),
    log.Redacted(hash="A" * 43 + "="),
    log.End(n=31, rank=[1, 2], status="abandoned", total=[3, 10]),
    log.Reveal(seed=HASH),
    log.Seal(n=33, root="A" * 43 + "=", sig=[]),
]


def test_every_kind_of_record_has_words(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever order they stand: the page needs no game."""
    plan = MatchPlan(rules=PRESETS["rubber"], bots=("Jopie", "Zoë"), clock="ms", match="m-1")
    records = [replace(make_head(plan, SEED, declared=True), event="club-night"), *EVERY]
    assert {type(record) for record in records} == set(get_args(AnyRecord))
    monkeypatch.chdir(tmp_path)
    path = Path("every.toep")
    path.write_bytes(b"".join(encode(record) + b"\n" for record in records))
    check_golden("every-record.txt", shown(capsys, str(path)))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [3, 8])
def test_every_preset(preset: str, seats: int, tmp_path: Path, capsys: Capture) -> None:
    """A position before every act, in finales too, and never a list of all that could be laid away."""
    path = tmp_path / "match.toep"
    for number in range(2):
        log_ = Match(PRESETS[preset], seats, name=f"show-{number}").play_on(eagerness=0.3).close()
        path.write_bytes(log_)
        text = shown(capsys, str(path), "--hands")
        assert "breaks the rules" not in text
        assert "No positions" not in text
        for line in text.splitlines():
            assert paint.columns(line) <= 170
        if preset == "club":
            assert (" may lay three cards away" in text) is (b'"_":"discard"' in log_)
        objects = [json.loads(line) for line in shown(capsys, str(path), "--json", "--hands").splitlines()]
        acts = [one for one in objects if "position" in one]
        assert {one["record"]["_"] for one in acts} >= {"play", "toep"}


def test_a_trick_that_is_opened_again_has_its_number(tmp_path: Path, capsys: Capture) -> None:
    """A revoke that closed a trick is taken back, and the trick is closed once more."""
    path = tmp_path / "match.toep"
    for number in range(300):
        path.write_bytes(Match(PRESETS["club"], 3, name=f"again-{number}").play_on(eagerness=0.4).close())
        text = shown(capsys, str(path))
        again = re.search(r"takes trick (\d) with .*\n.* takes back (?:.*\n)+?.* takes trick (\d) ", text)
        if again:
            assert again[1] == again[2]
            return
    raise AssertionError("no such match")


# -- JSON --------------------------------------------------------------------------------------------------------------


def test_json_has_every_line(match: Path, data: bytes, capsys: Capture) -> None:
    text = shown(capsys, str(match), "--json")
    assert text.isascii()
    objects = [json.loads(line) for line in text.splitlines()]
    assert objects == [{"line": n, "record": json.loads(line)} for n, line in enumerate(data.splitlines(), 1)]


def test_json_positions(match: Path, capsys: Capture) -> None:
    objects = [json.loads(line) for line in shown(capsys, str(match), "--json", "--hands", "--round", "1").splitlines()]
    acts = [one for one in objects if "position" in one]
    assert {one["record"]["_"] for one in objects if "position" not in one} >= {"round", "cards", "score", "seal"}
    assert len(acts) > 4
    for one in acts:
        before, record = one["position"], one["record"]
        assert before["seat"] == record["seat"]
        assert record["_"] in [act["_"] for act in before["legal"]]
        if record["_"] == "play":
            assert record["card"] in before["hands"][record["seat"]]
    first = json.loads(shown(capsys, str(match), "--json", "--at", str(acts[-1]["line"])).splitlines()[0])
    assert first == acts[-1]


# -- logs that are not whole -------------------------------------------------------------------------------------------


def test_a_torn_log_is_shown_as_far_as_it_goes(match: Path, data: bytes, capsys: Capture) -> None:
    lines = data.splitlines(keepends=True)
    match.write_bytes(b"".join(lines[:20]) + lines[20][:-5])
    text = shown(capsys, str(match))
    assert "  ended   not in this log, which breaks off in round 1\n" in text
    assert text.endswith("\n\nThe log is incomplete: line 21 is cut off and the match has no end.\n")
    assert run(["show", str(match), "--json"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 20
    assert err == "toep show: The log is incomplete: line 21 is cut off and the match has no end.\n"


@pytest.mark.parametrize(
    ("left_out", "what"),
    [(1, "the last seal is missing"), (2, "the seed is not revealed"), (4, "the match has no end")],
)
def test_an_unfinished_log(left_out: int, what: str, match: Path, data: bytes, capsys: Capture) -> None:
    match.write_bytes(b"".join(data.splitlines(keepends=True)[:-left_out]))
    assert shown(capsys, str(match)).endswith(f"\n\nThe log is incomplete: {what}.\n")


def test_only_a_head(match: Path, data: bytes, capsys: Capture) -> None:
    match.write_bytes(data.splitlines(keepends=True)[0])
    assert "  ended   not in this log\n" in shown(capsys, str(match))


def test_a_broken_line(match: Path, data: bytes, capsys: Capture) -> None:
    lines = data.splitlines(keepends=True)
    lines[10] = lines[10].replace(b'"seat"', b' "seat"')
    match.write_bytes(b"".join(lines))
    message = "match.toep, line 11: not a line of a log: white space outside a string (E008)."
    assert run(["show", str(match)]) == 2
    out, err = capsys.readouterr()
    assert err == f"toep show: {message} To see what is wrong: toep verify match.toep\n"
    assert "\n     9  " in out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "match.toep: the file is empty, not a log"),
        (b"# Toepen\n", "match.toep, line 1: not a log: no JSON value (E006)."),
        (b'{"_":"head"', "match.toep, line 1: not a log: the last line has no LF: it was cut off (E020)."),
        (b'{"_":"reveal","seed":"%s"}\n' % HASH.encode(), "match.toep, line 1: a log begins with its head"),
    ],
)
def test_not_a_log(content: bytes, message: str, match: Path, capsys: Capture) -> None:
    match.write_bytes(content)
    assert message in refused(capsys, str(match))


def test_another_version(match: Path, data: bytes, capsys: Capture) -> None:
    match.write_bytes(data.replace(b'"fmt":"toep/0"', b'"fmt":"toep/9"'))
    message = 'match.toep, line 1: another format: "toep/9"; this program knows toep/0 (E102)'
    assert refused(capsys, str(match), code=3) == f"toep show: {message}"


def test_files_that_cannot_be_read(match: Path, capsys: Capture) -> None:
    assert refused(capsys, "nothing.toep") == "toep show: nothing.toep: No such file or directory"
    assert refused(capsys, ".") == "toep show: .: Is a directory"
    Path("cut.toep.zst").write_bytes(zstandard.compress(match.read_bytes())[:-20])
    assert "cut.toep.zst: the compressed file ends in the middle" in refused(capsys, "cut.toep.zst")


def test_compressed_and_from_standard_input(
    match: Path, data: bytes, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shown(capsys, str(match))
    Path("match.toep.zst").write_bytes(zstandard.compress(data))
    assert shown(capsys, "match.toep.zst") == whole
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    text = shown(capsys, "-")
    assert "  seed    secret, committed to\n" in text
    assert text.split("\n\n", 1)[1] == whole.split("\n\n", 1)[1]


# -- logs without positions --------------------------------------------------------------------------------------------


def test_a_log_against_the_rules_is_shown_all_the_same(match: Path, data: bytes, capsys: Capture) -> None:
    whole = shown(capsys, str(match))
    lines = data.splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if line.startswith(b'{"_":"score"'))
    score = decode_bytes(lines[at].rstrip())
    assert isinstance(score, Score)
    lines[at] = encode(replace(score, points=[7] * 4)) + b"\n"
    match.write_bytes(b"".join(lines))
    text = shown(capsys, str(match), "--hands")
    assert f"\nLine {at + 1} breaks the rules: by the rules score points=" in text
    assert "\nTo check the log: toep verify match.toep\n" in text
    assert text.endswith(whole[-300:])
    assert " may " not in text.split("breaks the rules")[1]
    assert run(["show", str(match), "--json", "--hands"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == len(lines)
    assert err.startswith(f"toep show: Line {at + 1} breaks the rules: ")


@pytest.mark.parametrize("number", range(20))
def test_lines_in_any_order_are_shown(number: int, match: Path, data: bytes, capsys: Capture) -> None:
    rng = random.Random(number)
    head, *lines = data.splitlines(keepends=True)
    lines += [encode(record) + b"\n" for record in EVERY]
    for _ in range(rng.choice((1, 3, 200))):
        lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
    match.write_bytes(head + b"".join(lines))
    assert "breaks the rules" in shown(capsys, str(match), "--hands")


def test_a_view_hides_cards(match: Path, data: bytes, capsys: Capture) -> None:
    view = []
    for line in data.splitlines():
        record: Record = decode_bytes(line)
        if isinstance(record, Cards | log.Refused) and record.seat != 1:
            record = Redacted(hash=b64encode(leaf_hash(line)).decode())
        view.append(encode(record) + b"\n")
    match.write_bytes(b"".join(view))
    assert "     4  hidden in this view\n     5  Zoë " in shown(capsys, str(match))
    hands = shown(capsys, str(match), "--hands")
    assert "\nNo positions from line 4 on: the cards are hidden in this view.\n" in hands
    assert " may " not in hands
