"""Presets, overrides, and rules that contradict themselves; and the commands that show them."""

import json
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from referee.cards import NAMES, PACK_SIZE
from referee.cli.main import run
from referee.cli.rules import MEANING, SUMMARIES, meaning
from referee.deal import Deals
from referee.game.game import Game
from referee.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS, Ruleset, RulesetError, allowed, differences, resolve

# A copy of the table in the rule book, in its own order: classic, classic-all, short, club, rubber, cafe.
TABLE = """
limit              10          10           10        15        9            10
count              up          up           up        up        lives        up
overshoot          clamp       clamp        clamp     record    clamp        clamp
game_end           last_standing last_standing first_out last_standing last_standing first_out
min_players        2           2            2         2         2            3
first_dealer       seat        seat         seat      seat      low_card     seat
cut                false       false        false     false     true         false
deal_pattern       two_two     two_two      four      four      one_by_one   four
next_dealer        winner      winner       winner    winner    winner       winner
folded_cards       excluded    excluded     excluded  excluded  win          win
no_follower        rank_then_suit rank_then_suit rank_then_suit rank_then_suit rank_then_suit rank_then_suit
toep_who           anyone      anyone       anyone    anyone    anyone       anyone
answers            clockwise   clockwise    clockwise clockwise clockwise    clockwise
overtoep_as_answer false       false        false     false     false        false
dood               auto        auto         free      free      free         free
armoede            true        true         false     true      false        false
armoede_leads      false       false        false     true      false        false
exchange           off         until_empty  off       off       once         until_empty
exchange_seven     false       true         false     false     false        false
exchange_caught    new_hand    old_hand     new_hand  new_hand  new_hand     new_hand
signals            off         announce     off       off       announce     off
jacks_signal       must        must         must      must      may          must
four_alike         off         win          off       off       stand        off
jack_bonus         false       true         false     false     false        false
chance             false       true         false     false     false        false
blind              false       true         false     false     false        false
blind_stake        3           3            3         3         3            3
blind_who          most_points most_points  most_points most_points most_points most_points
finale             off         both_poor    off       two_left  off          off
grey_grave         false       true         false     false     false        false
folds_in_row       0           2            0         0         0            0
crosses            0           5            0         0         0            0
revoke             reject      reject       reject    penalise  reject       reject
"""
ROWS = {words[0]: words[1:] for line in TABLE.split("\n") if (words := line.split())}
COLUMNS = ("classic", "classic-all", "short", "club", "rubber", "cafe")
SEED = "00112233445566778899aabbccddeeff" * 2


def value(word: str) -> str | int | bool:
    if word in ("true", "false"):
        return word == "true"
    return int(word) if word.isdigit() else word


@pytest.mark.parametrize(("column", "preset"), list(enumerate(COLUMNS)))
def test_presets_are_those_of_the_rule_book(column: int, preset: str) -> None:
    rules = resolve(preset)
    assert {option: getattr(rules, option) for option in OPTIONS} == {
        option: value(words[column]) for option, words in ROWS.items()
    }


def test_there_are_no_other_presets_and_options() -> None:
    assert set(PRESETS) == set(COLUMNS) == set(SUMMARIES)
    assert list(OPTIONS) == sorted(ROWS)
    assert resolve() == resolve({}) == resolve(DEFAULT_PRESET) == resolve("cafe")


def test_a_preset_with_overrides() -> None:
    rules = resolve({"preset": "short", "armoede": True, "limit": 99})
    assert differences(PRESETS["short"], rules) == [("armoede", False, True), ("limit", 10, 99)]
    assert resolve({"preset": "rubber", "limit": 9}) == PRESETS["rubber"]


@pytest.mark.parametrize(
    ("option", "rules"),
    [
        ("no_follower", {"preset": "cafe", "no_follower": "suit_then_rank"}),
        ("no_follower", {"preset": "short", "no_follower": "suit_then_rank", "folded_cards": "win"}),
        ("overtoep_as_answer", {"overtoep_as_answer": True, "answers": "simultaneous"}),
        ("armoede_leads", {"preset": "short", "armoede_leads": True}),
        ("armoede_leads", {"preset": "club", "armoede": False}),
        ("chance", {"preset": "short", "chance": True}),
        ("chance", {"preset": "rubber", "chance": True}),
        ("chance", {"preset": "classic-all", "four_alike": "stand"}),
        ("finale", {"preset": "short", "finale": "two_left"}),
        ("finale", {"preset": "short", "finale": "both_poor"}),
        ("finale", {"preset": "club", "game_end": "first_out"}),
        ("grey_grave", {"preset": "short", "grey_grave": True}),
        ("grey_grave", {"preset": "classic-all", "game_end": "first_out", "finale": "off", "crosses": 0}),
        ("crosses", {"preset": "short", "crosses": 1}),
    ],
)
def test_a_contradiction_is_refused_and_named(option: str, rules: dict[str, Any]) -> None:
    with pytest.raises(RulesetError) as error:
        resolve(rules)
    assert (error.value.code, error.value.option) == ("senseless", option)
    assert str(error.value).startswith(f"{option}:")


@pytest.mark.parametrize(
    "rules",
    [
        {"preset": "short", "no_follower": "suit_then_rank"},
        {"overtoep_as_answer": True},
        {"armoede": True, "armoede_leads": True},
        {"chance": True, "four_alike": "win"},
        {"game_end": "last_standing", "finale": "both_poor", "grey_grave": True, "crosses": 9},
    ],
)
def test_the_same_options_make_sense_together(rules: dict[str, Any]) -> None:
    assert isinstance(resolve(rules), Ruleset)


@pytest.mark.parametrize("option", OPTIONS)
def test_a_bad_value_names_the_option_and_what_it_may_be(option: str) -> None:
    worthless: list[object] = ["nonsense", 100, -1, 1.5, None, [], {}]
    for bad in worthless:
        with pytest.raises(RulesetError) as error:
            resolve({option: bad})
        assert (error.value.code, error.value.option) == ("bad_value", option)
        assert option in str(error.value)
        assert allowed(option) in str(error.value)


def test_numbers_are_not_truth_values() -> None:
    for rules in ({"armoede": 1}, {"limit": True}, {"limit": 10.0}, {"crosses": False}):
        with pytest.raises(RulesetError) as error:
            resolve(rules)
        assert error.value.code == "bad_value"


def test_what_may_be_said_of_an_option() -> None:
    assert allowed("exchange") == "off, once, until_empty"
    assert allowed("limit") == "1..99"
    assert allowed("blind_stake") == "2..9"
    assert allowed("cut") == "false, true"


def test_unknown_names_are_refused() -> None:
    for spec, code in (
        ("Cafe", "unknown_preset"),
        ({"preset": "Cafe"}, "unknown_preset"),
        ({"preset": 1}, "unknown_preset"),
        ({"preset": ["cafe"]}, "unknown_preset"),
        ({"Limit": 10}, "unknown_option"),
    ):
        with pytest.raises(RulesetError) as error:
            resolve(spec)
        assert error.value.code == code
    with pytest.raises(RulesetError, match="classic, classic-all, short, club, rubber, cafe"):
        resolve("Cafe")


# -- toep rules, toep deal ---------------------------------------------------------------------------------------------


def test_every_value_of_every_option_has_a_meaning() -> None:
    hints = get_type_hints(Ruleset, include_extras=True)
    for option in OPTIONS:
        kind = hints[option]
        if kind is bool:
            values: tuple[Any, ...] = (False, True)
        elif get_origin(kind) is not None and not hasattr(kind, "__metadata__"):
            values = get_args(kind)
        else:
            bounds = get_args(kind)[1]
            values = (bounds.ge, bounds.le)
        said = [meaning(option, each) for each in values]
        assert all(said)
        assert len(set(said)) == len(said)
        if option in MEANING:
            assert set(MEANING[option]) == set(values)


def test_show_prints_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "show", "club"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(OPTIONS)
    assert {line.split()[0]: value(line.split()[1]) for line in lines} == {
        option: value(words[COLUMNS.index("club")]) for option, words in ROWS.items()
    }
    assert run(["rules", "show", '{"preset":"cafe","armoede":true}', "--json"]) == 0
    assert resolve(json.loads(capsys.readouterr().out)) == resolve({"armoede": True})


def test_list_and_diff(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "list", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["presets"]) == set(COLUMNS)
    assert run(["rules", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(COLUMNS)
    assert run(["rules", "diff", "cafe", "short", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "exchange": ["until_empty", "off"],
        "folded_cards": ["win", "excluded"],
        "min_players": [3, 2],
    }
    assert run(["rules", "diff", "cafe", "cafe"]) == 0
    assert capsys.readouterr().out == "no differences\n"
    assert run(["rules", "diff", "cafe", '{"limit": 15}']) == 0
    assert capsys.readouterr().out.splitlines()[0] == "limit"


@pytest.mark.parametrize("dealer", [0, 2])
@pytest.mark.parametrize("preset", ["cafe", "classic", "rubber"])
def test_the_cards_shown_are_those_the_game_deals(
    preset: str, dealer: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["--rules", preset, "--seats", "3", "--round", "4", "--try", "2", "--deals", "x", "--dealer", str(dealer)]
    assert run(["deal", "--seed", SEED, *options, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    pack = Deals(bytes.fromhex(SEED), "x").deal(4, 2).pack
    assert shown["pack"] == [NAMES[card] for card in pack]
    game = Game(resolve({"deal_pattern": resolve(preset).deal_pattern, "exchange": "off"}), 3)
    game.dealer = dealer
    game.deal(pack)
    for seat in range(3):
        assert set(shown["hands"][seat]) == {NAMES[card] for card in range(PACK_SIZE) if game.hands[seat] >> card & 1}
    assert shown["stock"] == [NAMES[card] for card in game.stock if card is not None]

    file = tmp_path / "seed.hex"
    file.write_text(SEED.upper() + "\n")
    assert run(["deal", "--seed-file", str(file), *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[1:] == shown["pack"]
    assert [line.split()[0] for line in lines] == ["pack", "seat", "seat", "seat", "stock"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules", "show", "Cafe"], "is not one of classic"),
        (["rules", "show", "{"], "not JSON"),
        (["rules", "show", '{"limit": 0}'], "1..99"),
        (["deal", "--seed", "ab"], "64 hex digits"),
        (["deal", "--seed-file", "/no/such/file"], "No such file"),
        (["deal", "--seed", SEED, "--seats", "2"], "3..8"),
        (["deal", "--seed", SEED, "--dealer", "4"], "0..3"),
        (["deal", "--seed", SEED, "--round", "0"], "--round"),
        (["deal", "--seed", SEED, "--try", "4294967296"], "--try"),
        (["deal", "--seed", SEED, "--deals", "é"], "ASCII"),
    ],
)
def test_a_users_mistake_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1
    assert SEED not in said.err
