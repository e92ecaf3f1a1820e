"""Rule cases: one start, the acts from there, and what must then be true.

A case is a JSON object, so that an engine in any language can be tested with it; the folder ``fixtures/cases`` holds
one a file, and its README describes the format for authors of engines.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType

from referee.cards import CardName, names
from referee.deal import Deals
from referee.game.game import Game
from referee.game.records import ACTS, AnyAct, Cut, RuleId, Seat, Whole
from referee.game.refusal import Refusal
from referee.game.setup import Start, StartError, replace_lead, start_game, start_round
from referee.game.state import NOBODY, Phase
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
    """The state after the last act that was not refused, with P1 and P2 closed (nobody used them any more).

    ``points``: what the last finished round added, unset before any. ``dealer``, ``lead``: of the running round (who
    leads its running trick), else of the next; None when nobody is left to lead. ``winner``: of the last round.
    ``ended``: the game, not just the round, is over. ``refused``: index of the act and the rule it breaks.
    ``legal``: by seat, every legal act but resigning, those of P1 and P2 included.
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
    """A case that was played: the game as it stands, and the refusal that stopped it."""

    game: Game
    refused: tuple[int, str] | None


FORMAT: Final = "format"
MAX_EMPTY_DEALS: Final = 100
"""Rounds in a row that may end before anybody acts; more than ever happens with a shuffled pack."""


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


class Sitting:
    """A case that is being played: the game, and where its packs come from.

    Raises `CaseError` for an impossible start.
    """

    def __init__(self, case: Case) -> None:
        start = case.start
        seeded = start.seed is not None and start.hands is None
        try:
            rules = resolve(case.rules)
            self.game: Final = (start_game if seeded else start_round)(rules, case.seats, start)
        except (RulesetError, StartError) as error:
            raise CaseError(error.code, str(error)) from None
        self._deals = Deals(bytes.fromhex(start.seed), "") if seeded and start.seed else None
        self._lead = start.lead

    def act(self, act: AnyAct) -> Refusal | None:
        """Carry out the next act, or say why it is refused. Any act but a cut means that the pack is not cut."""
        game = self.game
        if not isinstance(act, Cut):
            self.deal()
        elif self._deals is not None and game.needs_deal and game.rules.cut and not game.cut_open:
            game.open_deal()
        if refusal := game.check(act):
            return refusal
        game.apply(act)
        return None

    def deal(self) -> list[AnyAct]:
        """Deal until a round is running, where the case has a seed; returns the cuts that nobody made.

        A round may end as soon as it is dealt (R-KANS-01); the cuts are those of the last one.
        """
        game, deals = self.game, self._deals
        cuts: list[AnyAct] = []
        for _ in range(MAX_EMPTY_DEALS):
            if deals is None or not game.needs_deal:
                return cuts
            if not game.cut_open:
                game.open_deal()
            cuts = [act for seat in range(game.seats) for act in game.legal(seat)]
            game.deal(deals.deal(*game.next_deal()).pack)
            if self._lead is not None and game.round == 1 and not game.needs_deal and not game.over:
                replace_lead(game, game.next_seat(self._lead - 1, game.in_round))
        raise CaseError("endless", "start: every round ends as soon as it is dealt")

    def close(self) -> dict[int, list[AnyAct]]:
        """No act follows: deal, and close P2, so that four alike are shown; returns what would be legal, by seat.

        That is what the windows still allow as well, unless closing them has ended the round.
        """
        game = self.game
        for _ in range(MAX_EMPTY_DEALS):
            cuts = self.deal()
            legal = {
                seat: [*(cut for cut in cuts if cut.seat == seat), *game.legal(seat)] for seat in range(game.seats)
            }
            if game.phase is not Phase.BLIND or game.answer_queue:
                return legal
            game.close(Phase.BLIND)
            if not game.needs_deal and not game.over:
                return legal
        raise CaseError("endless", "start: every round ends as soon as it is dealt")


def play_case(case: Case) -> Outcome:
    """Carry out the acts of a case up to the first that is refused; windows stay open. Raises `CaseError`."""
    sitting, refused = _play(case)
    sitting.deal()
    return Outcome(sitting.game, refused)


def _play(case: Case) -> tuple[Sitting, tuple[int, str] | None]:
    sitting = Sitting(case)
    for index, act in enumerate(case.acts):
        if refusal := sitting.act(act):
            return sitting, (index, refusal.rule)
    return sitting, None


def run_case(case: Case) -> Result:
    """What is true after the acts of a case. Raises `CaseError` for an impossible start."""
    sitting, refused = _play(case)
    game, legal = sitting.game, sitting.close()
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
        legal=legal,
    )


_KNOWN: Final = {kind.__struct_config__.tag: {"_", *kind.__struct_encode_fields__} for kind in ACTS}


def _known_fields(act: object) -> object:
    if not isinstance(act, dict):
        return act
    tag = act.get("_")
    known = _KNOWN.get(tag) if isinstance(tag, str) else None
    return act if known is None else {key: value for key, value in act.items() if key in known}
