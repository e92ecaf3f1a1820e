"""Make fixtures/cases/generated: random games under rule sets that together have every pair of option values.

    python tools/pairwise.py              print how many rows and pairs there are
    python tools/pairwise.py --write DIR  write the cases into an empty folder

The games are played, and what is expected of them is written down, by the engine of this project: they are regression
cases. Nothing ever regenerates them but this command, and it writes into an empty folder only. The same version of
this program and of the engine makes the same files.
"""

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args, get_origin, get_type_hints

import msgspec

from referee.cards import NAMES, bits
from referee.conformance.cases import Case, Expect, Result, Sitting, run_case
from referee.game.game import Game
from referee.game.records import (
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Peek,
    Play,
    Resign,
    Signal,
    Stay,
    Toep,
)
from referee.game.setup import Start
from referee.ruleset import MAX_PLAYERS, OPTIONS, Ruleset, RulesetError, Value, check_sense

SEED: Final = 20260
CANDIDATES: Final = 40
"""How many rows are tried for each that is kept."""

GAMES: Final = 6
"""Cases for each row: every third ends in an act that is refused."""

NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "blind_stake": (2, 3, 9),
    "crosses": (0, 1, 2, 5),
    "folds_in_row": (0, 1, 2, 9),
    "limit": (1, 4, 10, 15),
    "min_players": (2, 3),
    "seats": tuple(range(2, MAX_PLAYERS + 1)),
}
"""The values that stand for all of an option that is a number; the number of seats is treated like one."""

WEIGHTS: Final = {"Blind": 4, "Challenge": 5, "Chance": 6, "Exchange": 2, "Play": 4, "Signal": 0.3}
"""How often a kind of act is chosen where several are legal; 1 for the others."""

Pair = tuple[tuple[str, Value], tuple[str, Value]]
Row = dict[str, Value]


def values() -> dict[str, tuple[Value, ...]]:
    """By option, the values that are to be combined."""
    hints = get_type_hints(Ruleset, include_extras=True)
    found: dict[str, tuple[Value, ...]] = {}
    for option in (*OPTIONS, "seats"):
        kind = hints.get(option)
        if option in NUMBERS:
            found[option] = NUMBERS[option]
        elif kind is bool:
            found[option] = (False, True)
        else:
            assert get_origin(kind) is not None
            found[option] = get_args(kind)
    return found


VALUES: Final = values()
NEEDED: Final = ("answers", "armoede", "folded_cards", "four_alike", "game_end")
"""Options that a value of another option may need to be something."""


def rules_of(row: Row) -> Ruleset:
    """The rule set of a row."""
    return msgspec.convert({option: row[option] for option in OPTIONS}, Ruleset)


def makes_sense(row: Row) -> bool:
    """Whether these rules can be played by so many seats."""
    try:
        check_sense(rules_of(row))
    except RulesetError:
        return False
    return int(row["min_players"]) <= int(row["seats"])


def pairs_of(row: Row) -> set[Pair]:
    """The pairs of values that a row has."""
    return set(itertools.combinations(sorted(row.items()), 2))


def possible_pairs() -> set[Pair]:
    """Every pair of values that some rule set that makes sense has."""
    return {
        pair
        for (a, firsts), (b, seconds) in itertools.combinations(sorted(VALUES.items()), 2)
        for pair in (((a, first), (b, second)) for first in firsts for second in seconds)
        if next(completions(dict(pair)), None)
    }


def completions(part: Row) -> Iterator[Row]:
    """Rows that make sense and have these values; the other values are the tamest."""
    tame: Row = {option: options[0] for option, options in VALUES.items()}
    tame |= {"exchange": "off", "finale": "off", "min_players": 2, "seats": 3, **part}
    if "seats" in part and "min_players" not in part:
        tame["min_players"] = 2
    free = [option for option in NEEDED if option not in part]
    for chosen in itertools.product(*(VALUES[option] for option in free)):
        row = {**tame, **dict(zip(free, chosen, strict=True))}
        if makes_sense(row):
            yield row


def covering_rows() -> list[Row]:
    """Rows that together have every possible pair, found greedily."""
    rng = random.Random(SEED)
    missing = possible_pairs()
    rows: list[Row] = []
    while missing:
        wanted = sorted(missing, key=repr)[rng.randrange(len(missing))]
        tries = [_random_row(dict(wanted), missing, rng) for _ in range(CANDIDATES)]
        best = max(tries, key=lambda row: len(pairs_of(row) & missing))
        missing -= pairs_of(best)
        rows.append(best)
    return rows


def _random_row(part: Row, missing: set[Pair], rng: random.Random) -> Row:
    """A row with these values: option by option, in any order, the value that has most of the missing pairs."""
    row = next(completions(part))
    settled = set(part)
    options = [option for option in VALUES if option not in settled]
    rng.shuffle(options)
    for option in options:
        best, most = row[option], -1
        choices = list(VALUES[option])
        rng.shuffle(choices)
        for value in choices:
            changed = {**row, option: value}
            if not makes_sense(changed):
                continue
            count = sum(
                (min((option, value), (other, row[other])), max((option, value), (other, row[other]))) in missing
                for other in settled
            )
            if count > most:
                best, most = value, count
        row[option] = best
        settled.add(option)
    return row


# -- a game for a row --------------------------------------------------------------------------------------------------


def games(rows: list[Row]) -> Iterator[Case]:
    """The cases of all rows."""
    for number, row in enumerate(rows):
        for game in range(GAMES):
            yield play(
                row, f"pair-{number:03}-{'abcdef'[game]}", random.Random(f"{SEED}/{number}/{game}"), game % 3 == 0
            )


def play(row: Row, name: str, rng: random.Random, to_refusal: bool) -> Case:
    """A random game under the rules of a row; ``to_refusal``: it ends in an act that is refused."""
    rules, seats = rules_of(row), int(row["seats"])
    case = Case(
        id=name,
        title=f"Random acts, {seats} seats" + (", the last one refused" if to_refusal else ""),
        rules={option: row[option] for option in OPTIONS},
        seats=seats,
        start=random_start(rules, seats, rng),
    )
    sitting, acts = Sitting(case), list[AnyAct]()
    for _ in range(rng.randint(2, 25) if to_refusal else rng.randint(10, 80)):
        if sitting.game.over:
            break
        act = choose(sitting, seats, rng)
        assert sitting.act(act) is None
        acts.append(act)
    if to_refusal:
        acts.append(choose_refused(sitting, seats, rng))
    case = msgspec.structs.replace(case, acts=acts)
    result = run_case(case)
    rules_named = [result.refused[1]] if isinstance(result.refused, tuple) else ["R-PLAY-02"]
    return msgspec.structs.replace(case, expect=expect_all(result), refs=rules_named)


def random_start(rules: Ruleset, seats: int, rng: random.Random) -> Start:
    """Often somebody is near the end, because that is where rules meet."""
    near = [rules.limit - 1] * seats if rng.random() < 0.2 else [rng.randrange(rules.limit) for _ in range(seats)]
    return Start(
        points=near if rng.random() < 0.7 else None,
        dealer=rng.randrange(seats),
        lead=rng.randrange(seats) if rng.random() < 0.2 else None,
        seed=rng.randbytes(32).hex(),
        folds=[rng.randrange(3) for _ in range(seats)] if rng.random() < 0.3 else None,
        run=[rng.randrange(3) for _ in range(seats)] if rng.random() < 0.3 else None,
    )


def choose(sitting: Sitting, seats: int, rng: random.Random) -> AnyAct:
    """A legal act: first the kind, so that rare kinds are not drowned by cards."""
    game = sitting.game
    if game.needs_deal and game.rules.cut and not game.cut_at and rng.random() < 0.5:
        if not game.cut_open:
            game.open_deal()
        return Cut(at=rng.randint(1, 31), seat=next(seat for seat in range(seats) if game.legal(seat)))
    sitting.deal()
    legal = [act for seat in range(seats) for act in game.legal(seat)]
    legal += [Resign(seat=seat) for seat in range(seats) if rng.random() < 0.01 and game.in_game >> seat & 1]
    kinds = sorted({type(act).__name__ for act in legal})
    weights = [WEIGHTS.get(kind, 1) for kind in kinds]
    kind = rng.choices(kinds, weights)[0]
    return rng.choice([act for act in legal if type(act).__name__ == kind])


def choose_refused(sitting: Sitting, seats: int, rng: random.Random) -> AnyAct:
    """An act that is refused: first the reason, so that rare reasons are not drowned by cards."""
    sitting.deal()
    game = sitting.game
    reasons: dict[str, list[AnyAct]] = {}
    for act in spelled_out(game, seats, rng):
        refusal = game.check(act)
        # That an option is off, or the round no finale, would drown all other reasons as well.
        if refusal and not refusal.why.startswith(("these rules do not have it", "cards are laid away only")):
            reasons.setdefault(refusal.rule, []).append(act)
    return rng.choice(reasons[rng.choice(sorted(reasons))])


def spelled_out(game: Game, seats: int, rng: random.Random) -> Iterator[AnyAct]:
    """Every act that a seat can spell, but only a few cuts and discards."""
    for seat in range(seats):
        yield from (Blind(seat=seat), Peek(seat=seat), Chance(seat=seat), Exchange(seat=seat), Challenge(seat=seat))
        yield from (Signal(seat=seat, sign="sing"), Toep(seat=seat), Stay(seat=seat), Fold(seat=seat))
        yield from (Confess(seat=seat), Cut(at=rng.randint(1, 31), seat=seat))
        yield from (Play(card=card, seat=seat) for card in NAMES)
        hand = [NAMES[card] for card in bits(game.hands[seat])] or list(NAMES)
        yield Discard(cards=hand[:3], seat=seat)
        yield Discard(cards=hand[:2], seat=seat)
        yield Discard(cards=rng.sample(NAMES, 3), seat=seat)


def expect_all(result: Result) -> Expect:
    """All of a result."""
    fields = {name: getattr(result, name) for name in Expect.__struct_fields__}
    if fields["points"] is msgspec.UNSET:
        fields["points"] = None
    return Expect(**fields)


def spelled(case: Case) -> str:
    """A case as text: a line for each field, and for each act."""
    plain = msgspec.to_builtins(case, str_keys=True)
    lines = [f"  {_json(key)}: {_json(value)}" for key, value in plain.items() if key not in ("acts", "expect")]
    acts = ",\n".join(f"    {_json(act)}" for act in plain["acts"])
    expect = ",\n".join(f"    {_json(key)}: {_json(value)}" for key, value in plain["expect"].items())
    lines[5:5] = [f'  "acts": [\n{acts}\n  ]', f'  "expect": {{\n{expect}\n  }}']
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def main(arguments: list[str]) -> int:
    """Print the counts, or write the cases; returns the exit code."""
    if arguments and (len(arguments) != 2 or arguments[0] != "--write"):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[1]) if arguments else None
    if folder and (not folder.is_dir() or any(folder.iterdir())):
        print(f"{folder}: not an empty folder", file=sys.stderr)
        return 2
    rows = covering_rows()
    print(f"{len(VALUES)} options, {len(possible_pairs())} pairs of values, {len(rows)} rows")
    if folder:
        cases = list(games(rows))
        for case in cases:
            (folder / f"{case.id}.json").write_text(spelled(case))
        print(f"{len(cases)} cases written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
