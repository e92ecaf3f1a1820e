"""List, show and compare rule sets: six presets, and any of them with other values for some options.

example:
  toep rules list
  toep rules show cafe
  toep rules show '{"preset":"cafe","armoede":true}'
  toep rules diff cafe short --json
"""

import argparse
import json
from typing import Final

from referee.cli.exits import VALID, CommandError
from referee.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS, Ruleset, RulesetError, Value, differences, resolve

SUMMARIES: Final[dict[str, str]] = {
    "classic": "the old rules without their optional chapters, to 10, last one standing",
    "classic-all": "the old rules with every optional chapter on",
    "short": "the shortest rules: no exchange, first to 10 loses",
    "club": "club rules to 15, with armoede, a finale for two, and revokes penalised",
    "rubber": "nine lives counting down, last one standing, one exchange each",
    "cafe": "the rules played most: exchange as often as the stock allows, first to 10 loses",
}
"""What each preset is, in one line."""

MEANING: Final[dict[str, dict[Value, str]]] = {
    "answers": {
        "clockwise": "a toep is answered one by one, clockwise from the toeper",
        "simultaneous": "all answer a toep at the same time, sealed",
    },
    "armoede": {
        True: "a player one point before the limit opens the stake at two",
        False: "being one point before the limit opens nothing",
    },
    "armoede_leads": {True: "the armoede player leads", False: "armoede does not change who leads"},
    "blind": {
        True: "before anybody has seen a card one may toep blind",
        False: "nobody toeps before seeing his cards",
    },
    "blind_who": {
        "most_points": "only who has the most points may toep blind",
        "anyone": "anybody may toep blind",
    },
    "chance": {
        True: "who has three alike may draw one card for the fourth",
        False: "no draw for a fourth alike",
    },
    "count": {"up": "points are shown counting up", "lives": "lives are shown counting down"},
    "cut": {True: "the pack is offered for a cut", False: "the pack is not cut"},
    "deal_pattern": {
        "one_by_one": "cards are dealt one at a time",
        "two_two": "cards are dealt two and two",
        "four": "cards are dealt four at a time",
    },
    "dood": {
        "auto": "who plays for his last points goes along by himself",
        "free": "who plays for his last points is asked like anybody",
    },
    "exchange": {
        "off": "hands are not changed",
        "once": "a bad hand may be changed once a round",
        "until_empty": "a bad hand may be changed as often as the stock allows",
    },
    "exchange_caught": {
        "new_hand": "a caught bluffer plays with the new hand",
        "old_hand": "a caught bluffer takes the old hand back",
    },
    "exchange_seven": {
        True: "three pictures and a seven are a bad hand too",
        False: "only four pictures are a bad hand",
    },
    "finale": {
        "off": "no special last rounds",
        "both_poor": "the last two, both one point before the limit, play one long round",
        "two_left": "the last two play with eleven cards and lay three away",
    },
    "first_dealer": {"seat": "seat 0 deals first", "low_card": "the lowest card drawn deals first"},
    "folded_cards": {
        "excluded": "cards of players who folded win nothing",
        "win": "the card of a player who folded may win the trick",
    },
    "four_alike": {
        "off": "four alike mean nothing",
        "stand": "with four alike one stands up",
        "win": "four alike win at once",
    },
    "game_end": {
        "first_out": "the first to reach the limit loses, and the game is over",
        "last_standing": "who reaches the limit is out, and the last one in wins",
    },
    "grey_grave": {
        True: "the last three, all one point before the limit, play one round with eight cards",
        False: "no round with eight cards for three",
    },
    "jack_bonus": {True: "winning the last trick with a jack gives a point back", False: "a jack wins like any card"},
    "jacks_signal": {"must": "three jacks must whistle", "may": "three jacks may whistle"},
    "min_players": {2: "2 to 8 players", 3: "3 to 8 players"},
    "next_dealer": {"winner": "the winner of the round deals", "left": "the deal passes to the left"},
    "no_follower": {
        "rank_then_suit": "when nobody in has followed suit: higher rank, then higher suit",
        "suit_then_rank": "when nobody in has followed suit: higher suit, then higher rank",
    },
    "overshoot": {"clamp": "points stop at the limit", "record": "points beyond the limit are written down"},
    "overtoep_as_answer": {
        True: "a toep may be answered with a toep",
        False: "a toep waits until the last is answered",
    },
    "revoke": {
        "reject": "a card that does not follow suit is refused",
        "penalise": "a card that does not follow suit may cost points",
    },
    "signals": {
        "off": "no whistling and no standing",
        "announce": "three alike whistle, four stand",
        "penalty": "three alike whistle, four stand, and forgetting costs a point",
    },
    "toep_who": {"anyone": "anybody may toep at any time", "on_turn": "only the player on turn may toep"},
}
"""What each value of an option means, in a few words; `meaning` knows the numbers as well."""


def configure(parser: argparse.ArgumentParser) -> None:
    """``list``, ``show NAME`` and ``diff A B``."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="the presets")
    show = actions.add_parser("show", help="every option of a rule set, with its value and what it means")
    show.add_argument("rules", metavar="NAME", help="a preset, or a JSON object of options")
    diff = actions.add_parser("diff", help="the options in which two rule sets differ")
    diff.add_argument("a", metavar="A", help="a preset, or a JSON object of options")
    diff.add_argument("b", metavar="B", help="another")
    for action in (listing, show, diff):
        action.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print what was asked for. Raises `CommandError` for rules that are none."""
    if args.action == "list":
        _list(args.json)
    elif args.action == "show":
        _show(read_rules(args.rules), args.json)
    else:
        _diff(args.a, args.b, args.json)
    return VALID


def read_rules(text: str) -> Ruleset:
    """The rule set a user means: the name of a preset, or a JSON object. Raises `CommandError`."""
    spec: object = text
    if text.lstrip().startswith("{"):
        try:
            spec = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise CommandError(f"the rules are not JSON: {error}") from None
    try:
        return resolve(spec)  # type: ignore[arg-type]
    except RulesetError as error:
        raise CommandError(str(error)) from None


def meaning(option: str, value: Value) -> str:
    """What a value of an option means, in a few words."""
    if option in MEANING:
        return MEANING[option][value]
    number = int(value)
    match option:
        case "limit":
            return f"the game is about {number} point{'s'[: number != 1]}"
        case "blind_stake":
            return f"a blind toep is for {number}"
        case "crosses":
            return f"{number} rounds won in a row take out whoever has the fewest points" if number else "no crosses"
        case "folds_in_row":
            return f"after {number} folds in a row one must go along" if number else "one may fold every time"
        case _:
            raise KeyError(option)


def spelled(value: Value) -> str:
    """A value as it is written in JSON, strings without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(as_json: bool) -> None:
    if as_json:
        print(json.dumps({"default": DEFAULT_PRESET, "presets": SUMMARIES}))
        return
    for name, summary in SUMMARIES.items():
        print(f"{name:<12} {summary}{' (default)' if name == DEFAULT_PRESET else ''}")


def _show(rules: Ruleset, as_json: bool) -> None:
    values: dict[str, Value] = {option: getattr(rules, option) for option in OPTIONS}
    if as_json:
        print(json.dumps(values))
        return
    for option, value in values.items():
        print(f"{option:<18}  {spelled(value):<14}  {meaning(option, value)}")


def _diff(a: str, b: str, as_json: bool) -> None:
    found = differences(read_rules(a), read_rules(b))
    if as_json:
        print(json.dumps({option: [left, right] for option, left, right in found}))
        return
    if not found:
        print("no differences")
        return
    names = [name if name in PRESETS else "these rules" for name in (a, b)]
    width = max(len(name) for name in names)
    for option, left, right in found:
        print(option)
        print(f"  {names[0]:<{width}}  {spelled(left):<14}  {meaning(option, left)}")
        print(f"  {names[1]:<{width}}  {spelled(right):<14}  {meaning(option, right)}")
