"""The engine protocol: JSON lines that let any program answer rule cases, so that engines can be compared.

Requests have an ``op`` and may have a ``seq``, which the answer repeats:

``hello``
    ``{"protocol": 1, "engine": "toep", "version": .., "options": {option: values it plays}}``
``run``
    a ``case``; the answer's ``result`` is what is true after its acts
``count``
    a ``case`` and a ``depth``; the ``result`` is ``{"count": n, "sub": [[act, n], ..]}``
``replay``
    the ``path`` of a log, and perhaps a ``key`` and a ``level`` as `toep verify` has them; the ``result`` is its
    verdict and the first line that does not follow
``bye``
    the engine ends, without an answer

An answer has ``result``, or ``skipped`` with the reason why this engine does not play it, or ``errored`` with what is
wrong with the request, and its ``code``.
"""

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType

from referee.conformance.cases import Case, CaseError, Result, convert_case, play_case, run_case
from referee.game.game import Game
from referee.game.records import AnyAct, Confess, Cut, Peek, Resign, Signal
from referee.ruleset import OPTIONS, Ruleset

PROTOCOL: Final = 1
NOT_COUNTED: Final = (Signal, Peek, Cut, Resign, Confess)
"""Acts that a count leaves out: they can be repeated or say nothing about the order of play."""

Seq = int | str
Level = Literal["L0", "L1", "L2", "L3", "L4", "L5"]


class Count(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many sequences of acts there are, and how many of them begin with each act."""

    count: int
    sub: list[tuple[AnyAct, int]]


class CountCase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A count that is known: the file format of ``fixtures/counts``."""

    id: str
    title: str
    case: Case
    depth: int
    expect: Count


class Hello(Struct, frozen=True, kw_only=True):
    """Who answers. ``options``: the values it plays; ``[low, high]`` for an option that is a number."""

    protocol: int
    engine: str
    version: str
    options: dict[str, list[str | bool | int]]


class Replayed(Struct, frozen=True, kw_only=True):
    """What became of a log. ``line`` and ``code``: of the first finding that is an error, where it has them."""

    verdict: str
    line: int | UnsetType = UNSET
    code: str | UnsetType = UNSET


class Answer(Struct, frozen=True, kw_only=True):
    """One line of output."""

    seq: Seq | UnsetType = UNSET
    result: Result | Count | Hello | Replayed | UnsetType = UNSET
    skipped: str | UnsetType = UNSET
    errored: str | UnsetType = UNSET
    code: str | UnsetType = UNSET


class Request(Struct, frozen=True, kw_only=True):
    """One line of input. Fields that this version does not know are ignored."""

    op: str
    seq: Seq | UnsetType = UNSET
    case: Any = None
    depth: int | UnsetType = UNSET
    path: str | UnsetType = UNSET
    key: str | UnsetType = UNSET
    level: Level | UnsetType = UNSET


def serve(lines: Iterable[bytes], output: BinaryIO) -> None:
    """Answer requests line by line until ``bye`` or the end of the input; the output is flushed after every line."""
    for line in lines:
        if not line.strip():
            continue
        answer = respond(line)
        if answer == "bye":
            return
        output.write(msgspec.json.encode(answer) + b"\n")
        output.flush()


def respond(line: bytes) -> Answer | Literal["bye"]:
    """The answer to one line. Never raises: what is wrong with a request is in its answer."""
    seq: Seq | UnsetType = UNSET
    try:
        message = msgspec.json.decode(line)
        seq = _seq_of(message)
        request = msgspec.convert(message, Request)
        return "bye" if request.op == "bye" else _answer(request)
    except (msgspec.DecodeError, RecursionError) as error:
        return Answer(seq=seq, errored=str(error), code="format")
    except CaseError as error:
        return Answer(seq=seq, errored=str(error), code=error.code)
    except Exception as error:  # an engine that dies takes all later answers with it
        return Answer(seq=seq, errored=f"the engine failed: {type(error).__name__}", code="internal")


def _answer(request: Request) -> Answer:
    seq = request.seq
    match request.op:
        case "hello":
            return Answer(seq=seq, result=hello())
        case "run":
            return Answer(seq=seq, result=run_case(convert_case(request.case)))
        case "count":
            depth = request.depth
            if not isinstance(depth, int) or depth < 0:
                return Answer(seq=seq, errored="depth: a number from 0 up is needed", code="format")
            return Answer(seq=seq, result=count_case(convert_case(request.case), depth))
        case "replay":
            if not isinstance(request.path, str):
                return Answer(seq=seq, errored="path: the path of a log is needed", code="format")
            return _replay(seq, Path(request.path), request)
        case op:
            return Answer(seq=seq, errored=f"op: {op!r} is unknown", code="unknown_op")


def hello() -> Hello:
    """What this engine is and plays."""
    return Hello(protocol=PROTOCOL, engine="toep", version=_version(), options=options_played())


def _replay(seq: Seq | UnsetType, path: Path, request: Request) -> Answer:
    """The verdict on a log. A missing file, or a key that is none, is a mistake of the request."""
    try:
        from referee.validate import validate_path  # noqa: PLC0415  (cases need no validator)
    except ImportError as error:
        return Answer(seq=seq, skipped=f"the validator is not installed: {error}")
    if not path.is_file():
        return Answer(seq=seq, errored=f"path: there is no file {str(path)!r}", code="no_file")
    key = request.key if isinstance(request.key, str) else None
    try:
        report = validate_path(path, key=key, level=request.level if isinstance(request.level, str) else None)
    except ValueError as error:
        return Answer(seq=seq, errored=str(error), code="option")
    first = report.errors[0] if report.errors else None
    line = UNSET if first is None or first.line is None else first.line
    return Answer(seq=seq, result=Replayed(verdict=report.verdict, line=line, code=first.code if first else UNSET))


def options_played() -> dict[str, list[str | bool | int]]:
    """By option, the values it plays: all of them; the lowest and the highest for an option that is a number."""
    hints = get_type_hints(Ruleset, include_extras=True)
    played: dict[str, list[str | bool | int]] = {}
    for option in OPTIONS:
        kind = hints[option]
        if kind is bool or get_origin(kind) is Literal:
            played[option] = list((False, True) if kind is bool else get_args(kind))
        else:
            bounds = get_args(kind)[1]
            played[option] = [bounds.ge, bounds.le]
    return played


def count_case(case: Case, depth: int) -> Count:
    """How many sequences of ``depth`` acts are legal after the acts of a case, whoever acts.

    A sequence stops when its round ends, and counts once. Raises `CaseError`, also when an act of the case is refused.
    """
    game, refused = play_case(case)
    if refused is not None:
        raise CaseError("refused", f"acts: number {refused[0]} is refused by {refused[1]}, there is nothing to count")
    if depth == 0 or _stands_still(game):
        return Count(count=1, sub=[])
    sub: list[tuple[AnyAct, int]] = []
    for act in _counted(game):
        after = game.clone()
        after.apply(act)
        sub.append((act, count(after, depth - 1)))
    return Count(count=sum(number for _, number in sub), sub=sub)


def count(game: Game, depth: int) -> int:
    """Sequences of ``depth`` acts from here within the running round."""
    if depth == 0 or _stands_still(game):
        return 1
    acts = _counted(game)
    if depth == 1:
        return len(acts)
    total = 0
    for act in acts:
        after = game.clone()
        after.apply(act)
        total += count(after, depth - 1)
    return total


def _stands_still(game: Game) -> bool:
    return game.needs_deal or game.over


def _counted(game: Game) -> list[AnyAct]:
    return [act for seat in range(game.seats) for act in game.legal(seat) if not isinstance(act, NOT_COUNTED)]


def _seq_of(message: object) -> Seq | UnsetType:
    seq = message.get("seq") if isinstance(message, dict) else None
    return seq if isinstance(seq, int | str) and not isinstance(seq, bool) else UNSET


def _version() -> str:
    try:
        return version("toep")
    except PackageNotFoundError:
        return "unknown"
