"""``make differential``: two engines and two validators, asked the same, and what they disagree on, made small.

    python -m tests.campaigns.differential --cases 100000 --matches 2000 -- node clients/typescript/dist/cli/engine.js

Cases are random games under random rules: most acts are chosen from what this project's engine calls legal, some from
what the other one does, and many end in an act that is refused. Matches are whole logs, each also with one change. A
disagreement about a case is shrunk and printed as a file for fixtures/cases; one about a log is kept as a file.
"""

import argparse
import hashlib
import random
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.cards import NAMES
from referee.conformance.cases import Case, CaseError, Sitting, run_case
from referee.conformance.engine import count_case, respond
from referee.conformance.process import EngineError, EngineProcess
from referee.game.game import Game
from referee.game.records import ACTS, AnyAct, Play, Stay
from referee.game.setup import Start
from referee.log.records import Conduct, Length, Rounds
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import OPTIONS, PRESETS, Ruleset, resolve
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player, run_to_end
from referee.table.messages import Ask
from referee.table.steps import Answer
from referee.table.table import Malformed, Table
from tests.campaigns.matches import random_rules
from tests.support import forge
from tools import pairwise

OTHER: Final = "node clients/typescript/dist/cli/engine.js"
BATCH: Final = 250
SECONDS: Final = 60.0
ROUNDS: Final = 200
"""Steps of shrinking at most."""

LONGEST: Final = 40
"""Acts of a random case at most."""

_ACT: Final = msgspec.json.Decoder(AnyAct)
Disagrees = Callable[[Case], "Difference | None"]


class Difference(NamedTuple):
    """What two engines say differently about a case: fields, and both answers."""

    fields: tuple[str, ...]
    ours: Any
    theirs: Any


class Found(NamedTuple):
    """A disagreement: what it is about, and what it takes to see it again."""

    kind: str
    what: str
    text: str


class Batch(NamedTuple):
    """Some questions, by their numbers."""

    kind: str
    numbers: range


# -- asking both -------------------------------------------------------------------------------------------------------


def plain(case: Case) -> dict[str, Any]:
    """A case as it is sent."""
    fields: dict[str, Any] = msgspec.to_builtins(case)
    return {key: value for key, value in fields.items() if key in ("rules", "seats", "start", "acts")}


def ours(case: Case) -> dict[str, Any]:
    """What this project's engine says about a case, as JSON."""
    try:
        result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(run_case(case)))
    except CaseError:
        return {"errored": True}
    return tidy(result)


def theirs(engine: EngineProcess, case: Case) -> dict[str, Any]:
    """What the other engine says about a case."""
    answer = engine.ask("run", case=plain(case))
    if "errored" in answer:
        return {"errored": True}
    return tidy(dict(answer.get("result") or answer))


def tidy(result: dict[str, Any]) -> dict[str, Any]:
    """A result in which order means nothing where it should not."""
    result.setdefault("points", None)
    result.setdefault("refused", None)
    if isinstance(result.get("hands"), list):
        result["hands"] = [sorted(hand) for hand in result["hands"]]
    if isinstance(result.get("legal"), dict):
        result["legal"] = {
            seat: sorted(msgspec.json.encode(act, order="deterministic").decode() for act in acts)
            for seat, acts in result["legal"].items()
        }
    return result


def difference(engine: EngineProcess, case: Case) -> Difference | None:
    """The fields in which the two differ; None when they agree."""
    a, b = ours(case), theirs(engine, case)
    fields = tuple(sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name)))
    if not fields:
        return None
    return Difference(fields, {name: a.get(name) for name in fields}, {name: b.get(name) for name in fields})


# -- random cases ------------------------------------------------------------------------------------------------------


def draw_rules(rng: random.Random) -> Ruleset:
    """A preset with some options drawn anew."""
    rules = random_rules(rng)
    return replace(rules, limit=rng.choice((2, 3, 5, 10))) if rng.random() < 0.5 else rules


def draw_case(number: int, engine: EngineProcess) -> Case:
    """A random case; every fourth follows what the other engine calls legal."""
    rng = random.Random(f"case/{number}")
    rules = draw_rules(rng)
    seats = rng.randint(rules.min_players, 8)
    start = pairwise.random_start(rules, seats, rng) if rng.random() < 0.7 else _with_hands(rules, seats, rng)
    case = Case(seats=seats, rules={option: getattr(rules, option) for option in OPTIONS}, start=start)
    if number % 4 == 0:
        return _follow(case, engine, rng)
    return _walk(case, rng)


def _walk(case: Case, rng: random.Random) -> Case:
    """Acts that this engine calls legal, and often one at the end that it refuses."""
    try:
        sitting = Sitting(case)
        acts: list[AnyAct] = []
        for _ in range(rng.randint(0, LONGEST)):
            if sitting.game.over:
                break
            act = pairwise.choose(sitting, case.seats, rng)
            if sitting.act(act):
                break
            acts.append(act)
        if rng.random() < 0.6:
            acts.append(any_act(sitting.game, case.seats, rng))
    except (CaseError, IndexError):
        return case
    return replace(case, acts=acts)


def _follow(case: Case, engine: EngineProcess, rng: random.Random) -> Case:
    """Acts that the other engine calls legal."""
    for _ in range(rng.randint(1, 12)):
        answer = engine.ask("run", case=plain(case))
        legal = [act for acts in dict(answer.get("result") or {}).get("legal", {}).values() for act in acts]
        if not legal:
            break
        kinds = sorted({act["_"] for act in legal})
        kind = rng.choice(kinds)
        act = rng.choice([act for act in legal if act["_"] == kind])
        case = replace(case, acts=[*case.acts, _ACT.decode(msgspec.json.encode(act))])
    return case


def any_act(game: Game, seats: int, rng: random.Random) -> AnyAct:
    """An act that makes sense to nobody, perhaps: any kind, any seat."""
    spelled = list(pairwise.spelled_out(game, seats, rng))
    kind = rng.choice(sorted({type(act).__name__ for act in spelled}))
    return rng.choice([act for act in spelled if type(act).__name__ == kind])


def _with_hands(rules: Ruleset, seats: int, rng: random.Random) -> Start:
    """A round that starts with given hands, whole or begun; now and then an impossible one."""
    pack = list(NAMES)
    rng.shuffle(pack)
    size = rng.choice((4, 4, 3, 2, 1, 8))
    size = min(size, len(pack) // seats)
    points = [rng.choice((0, 0, 1, rules.limit - 1, rules.limit - 1)) for _ in range(seats)]
    out = [rules.game_end == "last_standing" and seats > 2 and rng.random() < 0.15 for _ in range(seats)]
    hands = [[] if gone else [pack.pop() for _ in range(size)] for gone in out]
    return Start(
        points=[rules.limit if gone else point for gone, point in zip(out, points, strict=True)],
        dealer=rng.randrange(seats),
        lead=rng.randrange(seats) if rng.random() < 0.5 else None,
        hands=hands,
        stock=pack if rng.random() < 0.7 else pack[: rng.randint(0, len(pack))],
        stake=1 if rng.random() < 0.7 else rng.randint(1, 4),
        last=rng.randrange(seats) if rng.random() < 0.2 else None,
        folds=[rng.randrange(3) for _ in range(seats)] if rng.random() < 0.3 else None,
        run=[rng.randrange(6) for _ in range(seats)] if rng.random() < 0.3 else None,
    )


# -- making a disagreement small ---------------------------------------------------------------------------------------


def shrink(case: Case, disagrees: Disagrees) -> Case:
    """The smallest case near this one about which the two still disagree in some of the same fields."""
    first = disagrees(case)
    assert first is not None

    def still(smaller: Case) -> bool:
        found = disagrees(smaller)
        return found is not None and bool(set(found.fields) & set(first.fields))

    for length in range(len(case.acts)):
        if still(shorter := replace(case, acts=case.acts[:length])):
            case = shorter
            break
    for _ in range(ROUNDS):
        smaller = next((smaller for smaller in _smaller(case) if still(smaller)), None)
        if smaller is None:
            break
        case = smaller
    return case


def _smaller(case: Case) -> Iterator[Case]:
    for at in reversed(range(len(case.acts))):
        yield replace(case, acts=[*case.acts[:at], *case.acts[at + 1 :]])
    assert isinstance(case.rules, dict)
    for preset in ("cafe", "short"):
        tame = msgspec.to_builtins(PRESETS[preset])
        if case.rules.get("preset") != preset:
            yield replace(case, rules={"preset": preset, **_overrides(case, tame)})
    for option in case.rules:
        if option != "preset" and "preset" in case.rules:
            yield replace(case, rules={name: value for name, value in case.rules.items() if name != option})
    start = case.start
    for name, tame in (("points", None), ("folds", None), ("run", None), ("lead", None), ("last", None), ("stake", 1)):
        if getattr(start, name) != tame:
            yield replace(case, start=replace(start, **{name: tame}))
    if start.stock and start.hands:
        yield replace(case, start=replace(start, stock=[]))


def _overrides(case: Case, tame: Mapping[str, Any]) -> dict[str, Any]:
    assert isinstance(case.rules, dict)
    whole = msgspec.to_builtins(resolve(case.rules))
    return {option: value for option, value in whole.items() if value != tame[option]}


def as_file(case: Case, found: Difference) -> str:
    """A case as a file ready for fixtures/cases, with what this engine says."""
    name = "found-" + hashlib.sha256(msgspec.json.encode(case)).hexdigest()[:8]
    title = f"Two engines disagree about {', '.join(found.fields)}"
    whole = replace(case, id=name, title=title, refs=["R-PLAY-02"])
    try:
        whole = replace(whole, expect=pairwise.expect_all(run_case(case)))
    except CaseError as error:
        return f"{msgspec.json.encode(plain(case)).decode()}\nerrored here: {error}\n"
    return pairwise.spelled(whole)


# -- whole matches -----------------------------------------------------------------------------------------------------


def draw_log(number: int) -> bytes:
    """The log of a match in which everybody tries what is not allowed now and then, or says nothing."""
    rng = random.Random(f"match/{number}")
    rules = draw_rules(rng)
    seats = rng.randint(rules.min_players, 6)
    length: Length = "game" if rng.random() < 0.5 else Rounds(rounds=rng.randint(1, 5))
    conduct = Conduct(max_deals=30, tries=rng.randint(1, 3), faults=rng.choice((0, 1, 4)))
    clock: Any = rng.choice(("ms", "none"))
    plan = MatchPlan(
        rules=rules, bots=[f"bot {seat}" for seat in range(seats)], length=length, conduct=conduct, clock=clock
    )
    seed = rng.randbytes(32)
    head = make_head(plan, seed, declared=rng.random() < 0.5)
    sink = MemorySink()
    legal = random_player(head.match, 0.15)
    wild = rng.choice((0.0, 0.05, 0.2))

    def player(game: Game, ask: Ask) -> Answer | Malformed:
        dice = random.Random(f"{number}/{ask.seat}/{ask.id}")
        if dice.random() >= wild:
            return legal(game, ask)
        odd: list[Answer | Malformed] = [
            Play(card=dice.choice(NAMES), seat=ask.seat), Stay(seat=ask.seat), Malformed("nothing"),
        ]  # fmt: skip
        return dice.choice(odd)

    run_to_end(Table(head, seed, LogWriter(sink, match=head.match)), player)
    return bytes(sink.data)


def spoiled(data: bytes, rng: random.Random) -> bytes:
    """A log with one change, as an attacker makes it: hashes right, or not."""
    if rng.random() < 0.3:
        at = rng.randrange(len(data))
        return data[:at] + bytes((data[at] ^ 1 << rng.randrange(7),)) + data[at + 1 :]
    records = forge.lines(data)
    at = rng.randrange(1, len(records))
    record = records[at]
    what = rng.random()
    if what < 0.2:
        del records[at]
    elif what < 0.3:
        records.insert(at, dict(records[rng.randrange(1, len(records))]))
    elif what < 0.4 and at + 1 < len(records):
        records[at], records[at + 1] = records[at + 1], records[at]
    else:
        name = rng.choice(sorted(record))
        record[name] = _other(record[name], rng)
    return forge.seal(records) if rng.random() < 0.8 else b"".join(forge.encode(one) + b"\n" for one in records)


def _other(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 7))
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        return [*value[:place], _other(value[place], rng), *value[place + 1 :]]
    if isinstance(value, str) and value in NAMES:
        return rng.choice(NAMES)
    if isinstance(value, str) and value in _TAGS:
        return rng.choice(_TAGS)
    return rng.choice(("bot", "limit", "R-WAS-07", 0, "", 3))


_TAGS: Final = sorted(str(kind.__struct_config__.tag) for kind in ACTS)


def log_difference(engine: EngineProcess, path: Path) -> tuple[Any, Any] | None:
    """What two validators say differently about a log: verdict, code and line."""
    answer = respond(msgspec.json.encode({"op": "replay", "seq": 1, "path": str(path)}))
    mine = msgspec.json.decode(msgspec.json.encode(answer)).get("result")
    other = dict(engine.ask("replay", path=str(path))).get("result")
    fields = ("verdict", "code", "line")
    a, b = (tuple((said or {}).get(name) for name in fields) for said in (mine, other))
    return None if a == b else (a, b)


# -- running -----------------------------------------------------------------------------------------------------------


def run_batch(batch: Batch, command: list[str], folder: Path) -> tuple[Counter[str], list[Found]]:
    """Ask both about every question of a batch; returns how much was compared, and what they disagree on."""
    counts: Counter[str] = Counter()
    found: list[Found] = []
    with EngineProcess(command, seconds=SECONDS) as engine:
        for number in batch.numbers:
            try:
                found += (_cases if batch.kind == "case" else _logs)(number, engine, folder, counts)
            except EngineError as error:
                found.append(Found(batch.kind, f"{batch.kind} {number}", f"the other one failed: {error}"))
    return counts, found


def _cases(number: int, engine: EngineProcess, folder: Path, counts: Counter[str]) -> Iterator[Found]:
    case = draw_case(number, engine)
    counts["cases"] += 1
    counts["acts"] += len(case.acts)
    said = difference(engine, case)
    if said is None and number % 50 == 0:
        said = _count_difference(engine, case)
    if said is None:
        counts["refused" if ours(case).get("refused") else "kept"] += 1
        return
    # One of each kind is made small: the next ones are most often the same.
    counts[f"differing in {' '.join(said.fields)}"] += 1
    if "count" not in said.fields and counts[f"differing in {' '.join(said.fields)}"] == 1:
        case = shrink(case, lambda smaller: difference(engine, smaller))
        said = difference(engine, case) or said
    yield Found("case", ", ".join(said.fields), f"{as_file(case, said)}ours   {said.ours}\ntheirs {said.theirs}")


def _count_difference(engine: EngineProcess, case: Case) -> Difference | None:
    try:
        mine = count_case(case, 2).count
    except CaseError:
        return None
    other = dict(engine.ask("count", case=plain(case), depth=2)).get("result", {}).get("count")
    return None if mine == other else Difference(("count",), mine, other)


def _logs(number: int, engine: EngineProcess, folder: Path, counts: Counter[str]) -> Iterator[Found]:
    data = draw_log(number)
    rng = random.Random(f"spoil/{number}")
    for kind, log in (("log", data), *(("spoiled log", spoiled(data, rng)) for _ in range(3))):
        path = folder / f"{kind.replace(' ', '-')}-{number}-{rng.randrange(10**6)}.toep"
        path.write_bytes(log)
        counts[f"{kind}s"] += 1
        counts["lines"] += log.count(b"\n")
        said = log_difference(engine, path)
        if said is None:
            path.unlink()
        else:
            yield Found(kind, f"{said[0][1]} or {said[1][1]}", f"{path}\nours   {said[0]}\ntheirs {said[1]}")


def batches(cases: int, matches: int, start: int) -> Iterator[Batch]:
    """All questions, in batches for one process each."""
    for kind, count in (("case", cases), ("log", matches)):
        for first in range(start, start + count, BATCH):
            yield Batch(kind, range(first, min(first + BATCH, start + count)))


def main(argv: list[str]) -> int:
    """Compare, and print a verdict; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--start", type=int, default=0, help="number of the first case and the first match")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--keep", type=Path, default=Path("disagreements"), help="folder for logs (default: %(default)s)"
    )
    parser.add_argument("--shown", type=int, default=10, help="disagreements that are printed")
    parser.add_argument("command", nargs=argparse.REMAINDER, help=f"the other engine (default: {OTHER})")
    args = parser.parse_args(argv)
    command = [word for word in args.command if word != "--"] or shlex.split(OTHER)
    args.keep.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    total: Counter[str] = Counter()
    found: list[Found] = []
    jobs = list(batches(args.cases, args.matches, args.start))
    with ProcessPoolExecutor(args.jobs) as pool:
        futures = [pool.submit(run_batch, job, command, args.keep) for job in jobs]
        for future in futures:
            counts, more = future.result()
            total += counts
            found += more
    for one in found[: args.shown]:
        print(f"--- {one.kind}: {one.what}\n{one.text}")
    for what, count in Counter((one.kind, one.what) for one in found).most_common():
        print(f"{count:>6} {what[0]}: {what[1]}")
    print(", ".join(f"{count:,} {name}" for name, count in total.items()))
    if not any(args.keep.iterdir()):
        args.keep.rmdir()
    print(f"differential: {len(found)} disagreements, {time.monotonic() - begun:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
