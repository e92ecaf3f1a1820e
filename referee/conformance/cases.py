"""Rule cases: one start, the acts from there, and what must then be true.

A case is a JSON object, so that an engine in any language can be tested with it; the folder ``fixtures/cases`` holds
one a file, and its README describes the format for authors of engines.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType

from referee.cards import CardName, names
from referee.deal import Deals
from referee.game.game import Game
from referee.game.records import ACTS, AnyAct, Discard, RuleId, Seat, Whole
from referee.game.setup import Start, StartError, replace_lead, start_game, start_round
from referee.game.state import NOBODY
from referee.ruleset import DEFAULT_PRESET, RulesetError, resolve


class CaseError(ValueError):
    """A case that cannot be run. ``code`` is stable: ``"format"``, or that of a `StartError` or a `RulesetError`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: str = code


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must be true after the acts; what is not mentioned is not looked at, but a refusal always counts.

    Same fields as `Result`. ``legal`` needs to name only some seats; None for ``points`` means: no round has ended.
    """

    points: list[Whole] | UnsetType | None = UNSET
    total: list[Whole] | UnsetType = UNSET
    dealer: Seat | UnsetType = UNSET
    lead: Seat | UnsetType | None = UNSET
    winner: Seat | UnsetType | None = UNSET
    out: list[Seat] | UnsetType = UNSET
    ended: bool | UnsetType = UNSET
    refused: tuple[int, RuleId] | UnsetType = UNSET
    hands: list[list[CardName]] | UnsetType = UNSET
    legal: dict[int, list[AnyAct]] | UnsetType = UNSET


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case. ``id`` is its file's name, ``refs`` are rule ids and lines of the sources (``"S4:55"``)."""

    id: str = ""
    title: str = ""
    rules: str | dict[str, Any] = DEFAULT_PRESET
    seats: int
    start: Start
    acts: list[AnyAct] = []
    expect: Expect | UnsetType = UNSET
    refs: list[str] = []


class Result(Struct, frozen=True, kw_only=True):
    """The state after the last act that was not refused.

    ``points``: what the last finished round added, unset before any. ``dealer``, ``lead``: of the running round (who
    leads its running trick), else of the next; None when nobody is left to lead. ``winner``: of the last round.
    ``ended``: the game, not just the round, is over. ``refused``: index of the act and the rule it breaks.
    ``legal``: by seat, every legal act but resigning.
    """

    points: list[int] | UnsetType = UNSET
    total: list[int]
    dealer: int
    lead: int | None
    winner: int | None
    out: list[int]
    ended: bool
    refused: tuple[int, str] | UnsetType = UNSET
    hands: list[list[CardName]]
    legal: dict[int, list[AnyAct]]


class Outcome(NamedTuple):
    """A case that was run: the game as it stands, and the refusal that stopped it."""

    game: Game
    refused: tuple[int, str] | None


FIELDS: Final = Expect.__struct_fields__
FORMAT: Final = "format"


def parse_case(data: bytes | str) -> Case:
    """A case from JSON, strictly: raises `CaseError` (code ``format``) that names the path and the key at fault."""
    try:
        return msgspec.json.decode(data, type=Case)
    except (msgspec.DecodeError, RecursionError) as error:
        raise CaseError(FORMAT, str(error)) from None


def load_case(path: Path) -> Case:
    """A case from a file; its id must be the file's name, and it must expect something. Raises `CaseError`."""
    try:
        case = parse_case(path.read_bytes())
    except CaseError as error:
        raise CaseError(error.code, f"{path.name}: {error}") from None
    if case.id != path.stem:
        raise CaseError(FORMAT, f"{path.name}: the id is {case.id!r}, and not the file's name - at `$.id`")
    if not isinstance(case.expect, Expect) or not case.title or not case.refs:
        raise CaseError(FORMAT, f"{path.name}: title, expect or refs is missing")
    return case


def load_cases(folder: Path) -> list[Case]:
    """Every case of a folder, by id. Raises `CaseError` for the first that is none."""
    return [load_case(path) for path in sorted(folder.glob("*.json"))]


def convert_case(value: object) -> Case:
    """A case from decoded JSON; fields of an act that this engine does not know are ignored. Raises `CaseError`."""
    if isinstance(value, dict) and isinstance(acts := value.get("acts"), list):
        value = {**value, "acts": [_known_fields(act) for act in acts]}
    try:
        return msgspec.convert(value, Case)
    except msgspec.ValidationError as error:
        raise CaseError(FORMAT, str(error)) from None


def play_case(case: Case) -> Outcome:
    """Carry out the acts of a case up to the first that is refused. Raises `CaseError` for an impossible start."""
    try:
        rules = resolve(case.rules)
        seeded = case.start.seed is not None and case.start.hands is None
        game = (start_game if seeded else start_round)(rules, case.seats, case.start)
    except (RulesetError, StartError) as error:
        raise CaseError(error.code, str(error)) from None
    deals = Deals(bytes.fromhex(case.start.seed), "") if seeded and case.start.seed else None
    if deals is not None:
        game.deal(deals.deal(*game.next_deal()).pack)
        if case.start.lead is not None:
            replace_lead(game, case.start.lead)
    for index, act in enumerate(case.acts):
        if refusal := game.check(act):
            return Outcome(game, (index, refusal.rule))
        game.apply(act)
        if deals is not None and game.needs_deal:
            game.deal(deals.deal(*game.next_deal()).pack)
    return Outcome(game, None)


def run_case(case: Case) -> Result:
    """What is true after the acts of a case. Raises `CaseError` for an impossible start."""
    game, refused = play_case(case)
    lead = game.lead_if_unasked()
    return Result(
        points=UNSET if game.last_points is None else game.last_points.copy(),
        total=game.totals(),
        dealer=game.dealer,
        lead=None if lead == NOBODY else lead,
        winner=None if game.winner == NOBODY else game.winner,
        out=[seat for seat in range(game.seats) if not game.in_game >> seat & 1],
        ended=game.over,
        refused=UNSET if refused is None else refused,
        hands=[names(hand) for hand in game.hands],
        legal={seat: game.legal(seat) for seat in range(game.seats)},
    )


def differences(expect: Expect, result: Result) -> list[str]:
    """One line for each thing that is not as expected; the order of cards in hands and of legal acts means nothing."""
    found: list[str] = []
    for name in FIELDS:
        wanted, got = getattr(expect, name), getattr(result, name)
        if name == "refused" and wanted is UNSET:
            wanted = None
        if wanted is UNSET:
            continue
        if name == "legal":
            for seat, acts in wanted.items():
                _compare(found, f"legal[{seat}]", _spelled(acts), _spelled(result.legal.get(seat, [])))
        elif name == "hands":
            _compare(found, name, [sorted(hand) for hand in wanted], [sorted(hand) for hand in result.hands])
        else:
            _compare(found, name, wanted, None if got is UNSET else got)
    return found


def _compare(found: list[str], name: str, wanted: object, got: object) -> None:
    if wanted != got:
        found.append(f"{name}: expected {_json(wanted)}, got {_json(got)}")


def _spelled(acts: Sequence[AnyAct]) -> list[str]:
    return sorted(
        _json(msgspec.structs.replace(act, cards=sorted(act.cards)) if isinstance(act, Discard) else act)
        for act in acts
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


_KNOWN: Final = {kind.__struct_config__.tag: {"_", *kind.__struct_encode_fields__} for kind in ACTS}


def _known_fields(act: object) -> object:
    if not isinstance(act, dict):
        return act
    tag = act.get("_")
    known = _KNOWN.get(tag) if isinstance(tag, str) else None
    return act if known is None else {key: value for key, value in act.items() if key in known}
