"""The options of the game, the six presets, and their validation.

Toepen is played by house rules. A rule set is a flat object with one value for every option; a preset is a named rule
set; a user writes a preset, or ``{"preset": "cafe", "armoede": true}``: a preset with overrides.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

Digit = Annotated[int, Meta(ge=0, le=9)]


class Ruleset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One value for every option, in alphabetical order (the canonical spelling in a log's head)."""

    answers: Literal["clockwise", "simultaneous"]
    armoede: bool
    armoede_leads: bool
    blind: bool
    blind_stake: Annotated[int, Meta(ge=2, le=9)]
    blind_who: Literal["most_points", "anyone"]
    chance: bool
    count: Literal["up", "lives"]
    crosses: Digit
    cut: bool
    deal_pattern: Literal["one_by_one", "two_two", "four"]
    dood: Literal["free", "auto"]
    exchange: Literal["off", "once", "until_empty"]
    exchange_caught: Literal["new_hand", "old_hand"]
    exchange_seven: bool
    finale: Literal["off", "both_poor", "two_left"]
    first_dealer: Literal["seat", "low_card"]
    folded_cards: Literal["excluded", "win"]
    folds_in_row: Digit
    four_alike: Literal["off", "stand", "win"]
    game_end: Literal["first_out", "last_standing"]
    grey_grave: bool
    jack_bonus: bool
    jacks_signal: Literal["must", "may"]
    limit: Annotated[int, Meta(ge=1, le=99)]
    min_players: Annotated[int, Meta(ge=2, le=3)]
    next_dealer: Literal["winner", "left"]
    no_follower: Literal["rank_then_suit", "suit_then_rank"]
    overshoot: Literal["clamp", "record"]
    overtoep_as_answer: bool
    revoke: Literal["reject", "penalise"]
    signals: Literal["off", "announce", "penalty"]
    toep_who: Literal["anyone", "on_turn"]


Value = str | int | bool
DEFAULT_PRESET: Final = "cafe"
MAX_PLAYERS: Final = 8

CAFE: Final = Ruleset(
    answers="clockwise",
    armoede=False,
    armoede_leads=False,
    blind=False,
    blind_stake=3,
    blind_who="most_points",
    chance=False,
    count="up",
    crosses=0,
    cut=False,
    deal_pattern="four",
    dood="free",
    exchange="until_empty",
    exchange_caught="new_hand",
    exchange_seven=False,
    finale="off",
    first_dealer="seat",
    folded_cards="win",
    folds_in_row=0,
    four_alike="off",
    game_end="first_out",
    grey_grave=False,
    jack_bonus=False,
    jacks_signal="must",
    limit=10,
    min_players=3,
    next_dealer="winner",
    no_follower="rank_then_suit",
    overshoot="clamp",
    overtoep_as_answer=False,
    revoke="reject",
    signals="off",
    toep_who="anyone",
)
SHORT: Final = msgspec.structs.replace(CAFE, exchange="off", folded_cards="excluded", min_players=2)
CLUB: Final = msgspec.structs.replace(
    SHORT,
    armoede=True,
    armoede_leads=True,
    finale="two_left",
    game_end="last_standing",
    limit=15,
    overshoot="record",
    revoke="penalise",
)
CLASSIC: Final = msgspec.structs.replace(
    SHORT, armoede=True, deal_pattern="two_two", dood="auto", game_end="last_standing"
)
CLASSIC_ALL: Final = msgspec.structs.replace(
    CLASSIC,
    blind=True,
    chance=True,
    crosses=5,
    exchange="until_empty",
    exchange_caught="old_hand",
    exchange_seven=True,
    finale="both_poor",
    folds_in_row=2,
    four_alike="win",
    grey_grave=True,
    jack_bonus=True,
    signals="announce",
)
RUBBER: Final = msgspec.structs.replace(
    SHORT,
    count="lives",
    cut=True,
    deal_pattern="one_by_one",
    exchange="once",
    first_dealer="low_card",
    folded_cards="win",
    four_alike="stand",
    game_end="last_standing",
    jacks_signal="may",
    limit=9,
    signals="announce",
)
PRESETS: Final[dict[str, Ruleset]] = {
    "classic": CLASSIC,
    "classic-all": CLASSIC_ALL,
    "short": SHORT,
    "club": CLUB,
    "rubber": RUBBER,
    "cafe": CAFE,
}

OPTIONS: Final = Ruleset.__struct_fields__
"""Every option's name, in alphabetical order."""

_TYPES: Final = get_type_hints(Ruleset, include_extras=True)


class RulesetError(ValueError):
    """A rule set that cannot be played. ``option`` names the culprit; ``code`` is stable."""

    def __init__(self, code: str, option: str, message: str) -> None:
        super().__init__(message)
        self.code: str = code
        self.option: str = option


def allowed(option: str) -> str:
    """The values an option may have, for people: ``"off, once, until_empty"``, ``"1..99"``, ``"false, true"``."""
    kind = _TYPES[option]
    if kind is bool:
        return "false, true"
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    bounds = get_args(kind)[1]
    return f"{bounds.ge}..{bounds.le}"


def resolve(spec: str | Mapping[str, object] | None = None) -> Ruleset:
    """The whole rule set that a preset name or an object of overrides means.

    Raises `RulesetError` with code ``unknown_preset``, ``unknown_option``, ``bad_value`` or ``senseless``; the message
    names the option and what it may be.
    """
    overrides = {"preset": spec} if isinstance(spec, str) else dict(spec or {})
    preset = overrides.pop("preset", DEFAULT_PRESET)
    if not isinstance(preset, str) or preset not in PRESETS:
        raise RulesetError("unknown_preset", "preset", f"preset: {preset!r} is not one of {', '.join(PRESETS)}")
    for option, value in overrides.items():
        if option not in _TYPES:
            raise RulesetError("unknown_option", option, f"{option}: no such option; there are {', '.join(OPTIONS)}")
        try:
            msgspec.convert(value, _TYPES[option])
        except msgspec.ValidationError:
            raise RulesetError(
                "bad_value", option, f"{option}: {value!r} is not allowed; it may be {allowed(option)}"
            ) from None
    rules = msgspec.structs.replace(PRESETS[preset], **overrides)
    check_sense(rules)
    return rules


def check_sense(rules: Ruleset) -> None:
    """Raise `RulesetError` (code ``senseless``) for a combination of options that contradicts itself."""
    conflicts = (
        (rules.no_follower != "rank_then_suit" and rules.folded_cards == "win", "no_follower",
         "no_follower: suit_then_rank needs folded_cards = excluded; with win there is always a follower"),
        (rules.overtoep_as_answer and rules.answers == "simultaneous", "overtoep_as_answer",
         "overtoep_as_answer: needs answers = clockwise; sealed answers have no order in which to raise"),
        (rules.armoede_leads and not rules.armoede, "armoede_leads", "armoede_leads: needs armoede = true"),
        (rules.chance and rules.four_alike != "win", "chance", "chance: needs four_alike = win"),
        (rules.finale != "off" and rules.game_end != "last_standing", "finale",
         f"finale: {rules.finale} needs game_end = last_standing"),
        (rules.grey_grave and rules.game_end != "last_standing", "grey_grave",
         "grey_grave: needs game_end = last_standing"),
        (rules.crosses > 0 and rules.game_end != "last_standing", "crosses",
         "crosses: needs game_end = last_standing"),
    )  # fmt: skip
    for broken, option, message in conflicts:
        if broken:
            raise RulesetError("senseless", option, message)


def differences(a: Ruleset, b: Ruleset) -> list[tuple[str, Value, Value]]:
    """The options in which two rule sets differ, with both values, in alphabetical order."""
    return [
        (option, getattr(a, option), getattr(b, option))
        for option in OPTIONS
        if getattr(a, option) != getattr(b, option)
    ]
