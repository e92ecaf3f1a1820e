"""Mutation tests of the rules: small changes to referee/game, one at a time, and what notices them.

    python tools/mutate_game.py                          every mutant of every chapter
    python tools/mutate_game.py --files play.py flow.py  those of some chapters
    python tools/mutate_game.py --sample 200             some of them, always the same ones
    python tools/mutate_game.py --grep "in_round &"      those whose line of output has this text
    python tools/mutate_game.py --jobs 1                 one process at a time instead of two

Every mutant lives in a process of its own, which imports the changed source and asks, until something differs:

``cases``   the rule cases of fixtures/cases, whose expectations come from the rule book
``counts``  the counts of fixtures/counts
``tests``   tests/game, without the random games of test_properties.py
``games``   the generated cases, and random games under their rule sets, compared with those of the unchanged source

So what only ``games`` notices is a change that nobody has written down: the replay knows that something differs, not
what is right. A mutant that takes far longer than the source, or too much memory, counts as noticed. Listed are the
mutants that only games notice, and those that nothing does, but for the mutants of tools/mutants.md: those have been
looked at, and say nothing that a case or a test could be about.
"""

import argparse
import ast
import hashlib
import importlib
import io
import multiprocessing
import os
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

import msgspec
import pytest

import referee.cards
import referee.deal
import referee.game.records
import referee.ruleset

ROOT: Final = Path(__file__).resolve().parents[1]
CHAPTERS: Final = ROOT / "referee" / "game"
KNOWN: Final = ROOT / "tools" / "mutants.md"
PLAIN: Final = ("__init__.py", "records.py", "rulebook.py")
"""Modules without rules. They are imported once, before any mutant is."""

STAGES: Final = ("cases", "counts", "tests", "games")
SURVIVED: Final = "survived"
CASES: Final = {path.stem: path.read_bytes() for path in sorted((ROOT / "fixtures" / "cases").glob("*.json"))}
COUNTS: Final = {path.stem: path.read_bytes() for path in sorted((ROOT / "fixtures" / "counts").glob("*.json"))}
GENERATED: Final = {
    path.stem: path.read_bytes() for path in sorted((ROOT / "fixtures" / "cases" / "generated").glob("*.json"))
}
MORE_MEMORY: Final = 1 << 30
"""What a mutant may take on top of the memory that this program has."""

PACK: Final = referee.cards.PACK_SIZE
MOST_ACTS: Final = 120
"""Where a random game stops."""


# -- the changes -------------------------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """One change: a node of the tree of a file is replaced."""

    file: str
    line: int
    what: str
    """``file:function: before -> after``: its name in tools/mutants.md."""

    tree: ast.Module
    place: "Place"
    new: ast.AST

    def code(self) -> CodeType:
        """The changed module. The tree stays as it is then, so this is for a process that ends with the mutant."""
        self.place.put(self.new)
        return compile(ast.fix_missing_locations(self.tree), str(CHAPTERS / self.file), "exec")


class Place(NamedTuple):
    """A node as a child of another."""

    parent: ast.AST
    field: str
    at: int
    """Where in a list of children it is; -1 for an only child."""

    def put(self, node: ast.AST) -> None:
        if self.at < 0:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


SWAPS: Final[dict[type[ast.AST], tuple[type[ast.AST], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}
RULE_ID: Final = re.compile(r"(R|H)-[A-Z0-9-]{2,12}")
OTHER_RULE: Final = "R-DECK-01"
UNTOUCHED: Final = ("annotation", "returns", "decorator_list", "bases", "ctx")
TYPES: Final = ("Annotated", "Callable", "Final", "Literal", "dict")
PARTS: Final = (ast.expr, ast.comprehension)
LONG, SHORT = 40, 110
"""A change is shown with at least so much around it, and at most so much."""


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file, in the order of its source."""
    tree = ast.parse(path.read_text())
    for above, place, node in places(tree, ()):
        function = next((one.name for one in reversed(above) if isinstance(one, ast.FunctionDef)), "")
        shown = _around(node, above)
        for new in variants(node, place):
            before = ast.unparse(shown)
            place.put(new)
            after = ast.unparse(new if shown is node else shown)
            place.put(node)
            line = getattr(node, "lineno", getattr(place.parent, "lineno", 0))
            what = f"{path.name}:{function}: {_one_line(before)} -> {_one_line(after)}"
            yield Mutant(path.name, line, what, tree, place, new)


def _around(node: ast.AST, above: Sequence[ast.AST]) -> ast.AST:
    """A node, or as much around it as makes clear which one it is, but never a whole block."""
    for one in reversed(above):
        whole = isinstance(node, ast.stmt) or (isinstance(node, PARTS) and len(ast.unparse(node)) >= LONG)
        if whole or hasattr(one, "body"):
            break
        node = one
    return node


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHORT else text[: SHORT - 3] + "..."


def places(node: ast.AST, above: tuple[ast.AST, ...]) -> Iterator[tuple[tuple[ast.AST, ...], Place, ast.AST]]:
    """(what it is in, place, node) of all that may be changed; not types, assertions, or the words of a message."""
    if isinstance(node, ast.JoinedStr | ast.Assert) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        return
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in TYPES:
        return
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED or (field == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(-1, value)]:
            if isinstance(child, ast.AST):
                yield (*above, node), Place(node, field, index), child
                yield from places(child, (*above, node))


def variants(node: ast.AST, place: Place) -> Iterator[ast.AST]:
    """What a node is replaced by."""
    parent = place.parent
    for kind in SWAPS.get(type(node), ()):
        yield kind()
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(value=str(value)) if RULE_ID.fullmatch(value) and place.field != "keys":
            yield ast.Constant(OTHER_RULE)
        case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
            yield operand
        case ast.Name(id=name) if name in FUNCTIONS and place.field == "func":
            yield ast.Name(FUNCTIONS[name], ast.Load())
        case ast.BoolOp(op=op, values=values):
            for number in range(len(values)):
                rest = values[:number] + values[number + 1 :]
                yield ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.Call(func=function, args=arguments, keywords=keywords) if _is_a_rule(function):
            for number, keyword in enumerate(keywords):
                if keyword.arg != "strict":
                    yield ast.Call(function, arguments, keywords[:number] + keywords[number + 1 :])
    if place.field == "test" or (place.field == "ifs" and isinstance(parent, ast.comprehension)):
        yield from (ast.Constant(True), ast.Constant(False))
    if isinstance(node, ast.stmt) and not isinstance(parent, ast.Module | ast.ClassDef):
        yield from _left_out(node)


def _is_a_rule(function: ast.expr) -> bool:
    """Whether a call is one of a function, and not of a record or a refusal."""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return bool(name) and not name[0].isupper()


def _left_out(node: ast.stmt) -> Iterator[ast.stmt]:
    """A statement that does nothing; a result that is None."""
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
        case ast.Return(value=None) | ast.Continue() | ast.Raise():
            yield ast.Pass()
        case ast.Assign() | ast.AugAssign() | ast.Delete() | ast.Expr(value=ast.Call()):
            yield ast.Pass()


# -- a mutant's process ------------------------------------------------------------------------------------------------


class Noticed(Exception):
    """Something is not as it is with the unchanged source."""


class Changed(SourceFileLoader):
    """Loads one chapter from a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        path = CHAPTERS / mutant.file
        super().__init__(f"referee.game.{path.stem}", str(path))
        self.mutant: Final = mutant

    def get_code(self, fullname: str) -> CodeType:
        return self.mutant.code()


class Finder(MetaPathFinder):
    """Finds one module, and leaves every other alone."""

    def __init__(self, loader: Changed) -> None:
        self.loader: Final = loader

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.loader.name:
            return None
        return spec_from_file_location(fullname, self.loader.path, loader=self.loader)


class Unchanged(NamedTuple):
    """What the unchanged source does."""

    failed: list[str]
    """Tests that fail anyway, and notice nothing."""

    digests: list[str]
    """Of the random games."""

    noticing: list[str]
    """Cases that noticed mutants, the latest last: they are the first to be asked about the next, to save time."""


def live(mutant: Mutant | None, known: Unchanged, report: Connection) -> None:
    """The life of a process: what notices the mutant goes into ``report``, and before it each stage that begins.

    Without a mutant, what is known of the unchanged source is reported last.
    """
    os.nice(5)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MORE_MEMORY, size + MORE_MEMORY))
    if mutant:
        sys.meta_path.insert(0, Finder(Changed(mutant)))
    stage = STAGES[0]
    try:
        for stage in STAGES:
            report.send((stage, "begins"))
            if stage == "cases":
                ask_cases({name: CASES[name] for name in [*reversed(known.noticing), *CASES]})
            elif stage == "counts":
                ask_counts()
            elif stage == "tests" and not mutant:
                known.failed.extend(failing_tests())
            elif stage == "tests" and (failed := failing_tests("-x", *(f"--deselect={test}" for test in known.failed))):
                raise Noticed(failed[0])
        ask_cases(GENERATED)
        games = importlib.import_module("referee.game.game")
        for number, name in enumerate(name for name in GENERATED if name.endswith("-a")):
            digest = random_game(games, number, msgspec.json.decode(GENERATED[name]))
            if not mutant:
                known.digests.append(digest)
            elif digest != known.digests[number]:
                raise Noticed(f"game {number}")
        report.send((SURVIVED, known))
    except BaseException as error:
        report.send((stage, f"{type(error).__name__}: {error}"))


def ask_cases(files: dict[str, bytes]) -> None:
    cases = importlib.import_module("referee.conformance.cases")
    for name, data in files.items():
        try:
            case = cases.parse_case(data)
            found = cases.differences(case.expect, cases.run_case(case))
        except Exception as error:
            raise Noticed(f"{name}: {error!r}") from None
        if found:
            raise Noticed(f"{name}: {found[0]}")


def ask_counts() -> None:
    engine = importlib.import_module("referee.conformance.engine")
    for name, data in COUNTS.items():
        known = msgspec.json.decode(data, type=engine.CountCase)
        if engine.count_case(known.case, known.depth) != known.expect:
            raise Noticed(name)


class Failures:
    """A plugin for pytest that collects what fails."""

    def __init__(self) -> None:
        self.names: Final[list[str]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.names.append(report.nodeid)


def failing_tests(*more: str) -> list[str]:
    """Which tests of tests/game fail; ``more`` are options for pytest."""
    tests = sorted(path for path in (ROOT / "tests" / "game").glob("test_*.py") if path.stem != "test_properties")
    options = ["-q", "-c", os.devnull, "--rootdir", str(ROOT), "--import-mode=importlib", "-p", "no:cacheprovider"]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    failures, words = Failures(), io.StringIO()
    with redirect_stdout(words), redirect_stderr(words):
        code = pytest.main([*options, *more, *map(str, tests)], plugins=[failures])
    return failures.names or ([] if code == 0 else [words.getvalue()])


def random_game(games: ModuleType, number: int, row: dict[str, Any]) -> str:
    """A digest of all that a game says which is played at random, with legal acts and others, under some rules."""
    rng, digest = random.Random(number), hashlib.sha256()

    def note(value: object) -> None:
        digest.update(msgspec.json.encode(value))

    seats, rules = row["seats"], referee.ruleset.resolve(row["rules"])
    game = games.Game(rules, seats, rng.choice((0, 0, 0, 3)))
    stand_in = importlib.import_module("referee.game.stand_in").stand_in
    if not game.length and rng.random() < 0.7:
        setup = importlib.import_module("referee.game.setup")
        points = [min(rules.limit - 1, rng.randrange(rules.limit + 3)) for _ in range(seats)]
        game = setup.start_game(rules, seats, setup.Start(points=points, dealer=rng.randrange(seats)))
    for _ in range(MOST_ACTS):
        if game.over:
            break
        if game.needs_deal:
            if game.needs_draw:
                note(game.draw(rng.sample(range(PACK), PACK)))
            if rng.random() < 0.5 and not game.cut_open:
                note(game.open_deal())
            elif not game.cut_at and (cuts := [act for seat in range(seats) for act in game.legal(seat)]):
                note(game.apply(rng.choice(cuts)))
            else:
                note(game.deal(rng.sample(range(PACK), PACK)))
            continue
        legal = [act for seat in range(seats) for act in game.legal(seat)]
        note((legal[:50], len(legal), game.asks(), game.lead, game.totals()))
        for kind in games.ACTS:
            if kind not in (games.Play, games.Discard, games.Signal, games.Cut):
                note([refusal and refusal.rule for seat in range(8) for refusal in [game.check(kind(seat=seat))]])
        odds = rng.random()
        if odds > 0.98 or not game.asks()[0]:
            note(game.close(games.Phase.BLIND if game.phase is games.BLIND else games.Phase.EXCHANGE))
            continue
        by_kind: dict[str, list[Any]] = {}
        for act in legal:
            by_kind.setdefault(type(act).__name__, []).append(act)
        act = rng.choice(by_kind[rng.choice(sorted(by_kind))])
        if odds < 0.04:
            act = stand_in(game, game.asks()[0][0])
        elif odds < 0.05:
            act = games.Void(why="crash")
        elif odds < 0.06:
            act = rng.choice((games.Resign(seat=act.seat), games.Forfeit(seat=act.seat, why="left")))
        note(game.clone().apply(act))
        note(game.apply(act))
    note((game.totals(), game.ranks(), game.status, game.winner))
    return digest.hexdigest()


# -- many of them ------------------------------------------------------------------------------------------------------


class Running(NamedTuple):
    """A process with its mutant."""

    process: BaseProcess
    mutant: Mutant | None
    until: float


class Fate(NamedTuple):
    """What noticed a mutant, and how; `SURVIVED` and the digests when nothing did."""

    stage: str
    how: Any


def judge(mutants: Sequence[Mutant | None], jobs: int, seconds: float, known: Unchanged) -> Iterator[tuple[int, Fate]]:
    """The fate of each mutant with its number, in the order in which they are known."""
    fork = multiprocessing.get_context("fork")
    running: dict[Connection, tuple[int, Running]] = {}
    stages: dict[Connection, str] = {}
    waiting = iter(enumerate(mutants))
    while True:
        while len(running) < jobs and (following := next(waiting, None)):
            number, mutant = following
            receiver, sender = fork.Pipe(duplex=False)
            process = fork.Process(target=live, args=(mutant, known, sender))
            process.start()
            sender.close()
            running[receiver] = number, Running(process, mutant, time.monotonic() + seconds)
        if not running:
            return
        ready = wait(list(running), timeout=0.5)
        for receiver, (number, one) in list(running.items()):
            fate: Fate | None = None
            if receiver in ready:
                try:
                    stage, how = receiver.recv()
                    fate = None if how == "begins" else Fate(stage, how)
                    stages[receiver] = stage
                    if fate and stage == "cases" and (case := str(how).split(": ")[1]) in CASES:
                        known.noticing.append(case)
                except EOFError:
                    fate = Fate(stages.get(receiver, STAGES[0]), "the process ended")
            elif time.monotonic() > one.until:
                fate = Fate(stages.get(receiver, STAGES[0]), "takes too long")
            if fate:
                one.process.kill()
                one.process.join()
                receiver.close()
                del running[receiver]
                yield number, fate


def explained() -> Callable[[Mutant], bool]:
    """Whether a mutant is in tools/mutants.md: as a line in its blocks, or as one that begins like a line with dots."""
    text = KNOWN.read_text() if KNOWN.exists() else ""
    blocks: list[str] = re.findall(r"^```text\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    lines = {line for block in blocks for line in block.splitlines()}
    beginnings = tuple(line[:-3] for line in lines if line.endswith("= ..."))
    return lambda mutant: mutant.what in lines or mutant.what.startswith(beginnings)


def chosen(options: argparse.Namespace) -> list[Mutant]:
    """The mutants that the command line asks for."""
    files = [path for path in sorted(CHAPTERS.glob("*.py")) if path.name not in PLAIN]
    if options.files:
        files = [path for path in files if path.name in options.files]
    mutants = [mutant for path in files for mutant in mutants_of(path) if options.grep in mutant.what]
    if options.sample and options.sample < len(mutants):
        picked = sorted(random.Random(0).sample(range(len(mutants)), options.sample))
        mutants = [mutants[number] for number in picked]
    return mutants


def main(arguments: list[str]) -> int:
    """Print the table and the lists; the exit code is 1 when a mutant is listed, 2 when nothing could be judged."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--files", nargs="+", default=[], metavar="NAME", help="chapters, such as play.py")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many mutants only")
    parser.add_argument("--grep", default="", metavar="TEXT", help="only mutants whose description has this text")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes at a time (default 2)")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))
    began = time.monotonic()
    ((_, unchanged),) = judge([None], 1, 300, Unchanged([], [], []))
    if unchanged.stage != SURVIVED:
        print(f"the unchanged source fails: {unchanged.stage}: {unchanged.how}", file=sys.stderr)
        return 2
    for test in unchanged.how.failed:
        print(f"left out, as it fails anyway: {test}", file=sys.stderr)
    seconds = 10 + 5 * (time.monotonic() - began)
    mutants, known = chosen(options), explained()
    fates: dict[int, Fate] = {}
    for number, fate in judge(mutants, options.jobs, seconds, unchanged.how):
        fates[number] = fate
        if sys.stderr.isatty():
            print(f"\r{len(fates)}/{len(mutants)}", end="\r", file=sys.stderr, flush=True)
    print(f"{len(mutants)} mutants in {time.monotonic() - began:.0f} seconds")
    print_table(mutants, fates, known)
    listed = False
    for title, wanted in (("Survived", (SURVIVED,)), ("Noticed by games only", ("games",))):
        numbers = [number for number, mutant in enumerate(mutants) if fates[number].stage in wanted]
        new = [number for number in numbers if not known(mutants[number])]
        print(f"\n{title}: {len(numbers)}, {len(numbers) - len(new)} of them in {KNOWN.name}")
        for number in new:
            listed = True
            by = "" if fates[number].stage == SURVIVED else f"  [{fates[number].how[:60]}]"
            print(f"  {mutants[number].line:4} {mutants[number].what}{by}")
    return int(listed)


def print_table(mutants: Sequence[Mutant], fates: dict[int, Fate], known: Callable[[Mutant], bool]) -> None:
    """By file, how many mutants were noticed by what, and how many are explained."""
    print(f"{'':14}{'mutants':>9}" + "".join(f"{stage:>9}" for stage in (*STAGES, SURVIVED)) + f"{'known':>9}")
    for file in [*dict.fromkeys(mutant.file for mutant in mutants), "all"]:
        here = [number for number, mutant in enumerate(mutants) if file in (mutant.file, "all")]
        fate = Counter(fates[number].stage for number in here)
        numbers = [len(here), *(fate[stage] for stage in (*STAGES, SURVIVED)), sum(known(mutants[n]) for n in here)]
        print(f"{file:14}" + "".join(f"{number:9}" for number in numbers))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
