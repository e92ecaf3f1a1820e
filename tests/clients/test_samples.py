"""The sample bots, on drawn situations."""

import random
from collections import Counter
from pathlib import Path

import pytest
from toep_client import Act, Bot, Discard, Exchange, Fold, Match, Pass, Play, Stay, Toep, View
from toep_client.__main__ import SAMPLES, main
from toep_client.cards import NAMES
from toep_client.samples import careful, skill
from toep_client.samples.random import Random

from referee.v1 import acts_pb2, play_pb2
from referee.v1.acts_pb2 import ActKind

from .conftest import Maker

REQUIRED = (play_pb2.ASK_KIND_CARD, play_pb2.ASK_KIND_ANSWER, play_pb2.ASK_KIND_DISCARD)
NOT_IN_WINDOWS = (
    acts_pb2.ACT_KIND_UNSPECIFIED,
    acts_pb2.ACT_KIND_PASS,
    acts_pb2.ACT_KIND_STAY,
    acts_pb2.ACT_KIND_FOLD,
    acts_pb2.ACT_KIND_PLAY,
    acts_pb2.ACT_KIND_DISCARD,
    acts_pb2.ACT_KIND_RESIGN,
)


def drawn(make: Maker, seed: int) -> View:
    """Some situation in the middle of some round: not always one that a game would reach, but a well-formed one."""
    draw = random.Random(seed)
    seats = draw.randint(2, 8)
    seat = draw.randrange(seats)
    pack = draw.sample(NAMES, 32)
    in_round = {seat} | {other for other in range(seats) if draw.random() < 0.8}
    lead, trick = draw.randrange(seats), draw.randint(1, 4)
    plays = [(number, other, pack.pop()) for number in range(1, trick) for other in range(seats)]
    before = (seat - lead) % seats
    plays += [(trick, (lead + step) % seats, pack.pop()) for step in range(before)]
    hand = [pack.pop() for _ in range(min(5 - trick, len(pack)))]
    kind = draw.choice(play_pb2.AskKind.values()[1:])
    allowed: dict[int, list[int]] = {
        play_pb2.ASK_KIND_CARD: [acts_pb2.ACT_KIND_TOEP, acts_pb2.ACT_KIND_CONFESS, acts_pb2.ACT_KIND_SIGNAL],
        play_pb2.ASK_KIND_ANSWER: [acts_pb2.ACT_KIND_STAY, acts_pb2.ACT_KIND_FOLD],
        play_pb2.ASK_KIND_DISCARD: [acts_pb2.ACT_KIND_DISCARD],
    }
    others = [act for act in ActKind.values() if act not in NOT_IN_WINDOWS]
    may = allowed.get(kind) or [act for act in others if draw.random() < 0.3]
    if kind == play_pb2.ASK_KIND_DISCARD:
        hand = draw.sample(NAMES, 11)
    if kind not in REQUIRED:
        may = [*may, acts_pb2.ACT_KIND_PASS]
    legal = hand if kind == play_pb2.ASK_KIND_CARD else []
    if kind == play_pb2.ASK_KIND_BLIND:
        hand, plays = [], []
    state = make.state(
        *plays, trick=trick, lead=lead, turn=seat, accepted=[1] * seats, in_round=sum(1 << s for s in in_round)
    )
    ask = make.ask(" ".join(hand), " ".join(legal), tuple(may), kind, seat=seat, ask=seed)
    rules: dict[str, str | int | bool] = {"folded_cards": draw.choice(["win", "excluded"]), "signals": "penalty"}
    return View(Match(7, "drawn", seat, tuple("abcdefgh"[:seats]), rules, 0), ask, state)


def is_legal(act: Act, view: View) -> bool:
    if isinstance(act, Pass):
        return Pass() in view.legal
    if isinstance(act, Discard):
        return view.kind == "discard" and set(act.cards) <= set(view.hand)
    return act in view.legal


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_legal_and_repeatable(make: Maker, name: str) -> None:
    bot: Bot = SAMPLES[name]()
    for seed in range(400):
        act = bot.act(drawn(make, seed))
        assert isinstance(act, Act)
        assert is_legal(act, drawn(make, seed))
        assert act == SAMPLES[name]().act(drawn(make, seed))


def test_the_die_is_loaded(make: Maker) -> None:
    """Toeps about one time in twenty, stays about every other time."""
    bot = Random()
    cards = Counter(
        type(bot.act(make.view(make.ask("9h Jc", "9h Jc", (acts_pb2.ACT_KIND_TOEP,), ask=number))))
        for number in range(2000)
    )
    assert cards.keys() == {Play, Toep}
    assert 60 <= cards[Toep] <= 150
    may = (acts_pb2.ACT_KIND_STAY, acts_pb2.ACT_KIND_FOLD)
    answers = Counter(
        type(bot.act(make.view(make.ask("9h", "", may, play_pb2.ASK_KIND_ANSWER, ask=number))))
        for number in range(2000)
    )
    assert answers.keys() == {Stay, Fold}
    assert 900 <= answers[Stay] <= 1100


def test_chances(make: Maker) -> None:
    """The last trick: a ten that is led wins for certain, a card off suit loses for certain."""
    gone = [
        (number, seat, card) for number, seat, card in zip([1] * 4 + [2] * 4, [0, 1, 2, 3] * 2, NAMES, strict=False)
    ]
    third = [(3, seat, card) for seat, card in enumerate(["Jd", "Qd", "Kd", "Ad"])]
    leads = make.state(*gone, *third, trick=4, lead=1)
    assert skill.win_chance(make.view(make.ask("Th", "Th"), leads)) == 1
    assert skill.win_chance(make.view(make.ask("Js", "Js"), leads)) < 0.5
    follows = make.state(*gone, *third, (4, 0, "9h"), trick=4, lead=0)
    assert skill.win_chance(make.view(make.ask("Ts", "Ts"), follows)) == 0
    assert skill.win_chance(make.view(make.ask("Th", "Th"), follows)) == 1


def test_a_strong_hand_has_better_chances(make: Maker) -> None:
    start = make.state(turn=0)
    strong = skill.win_chance(make.view(make.ask("Th Ts Td 9h"), start), rollouts=200)
    weak = skill.win_chance(make.view(make.ask("Jh Qs Kd Jc"), start), rollouts=200)
    assert weak < 0.15
    assert strong > 0.5


def test_the_careful_bot(make: Maker) -> None:
    bot = careful.Careful()
    may = (acts_pb2.ACT_KIND_STAY, acts_pb2.ACT_KIND_FOLD)
    answer = play_pb2.ASK_KIND_ANSWER
    assert bot.act(make.view(make.ask("Jh Qs Kd Jc", "", may, answer))) == Fold()
    assert bot.act(make.view(make.ask("Th Ts Td 9h", "", may, answer))) == Stay()
    window = (acts_pb2.ACT_KIND_PASS, acts_pb2.ACT_KIND_EXCHANGE)
    exchange = play_pb2.ASK_KIND_EXCHANGE
    assert bot.act(make.view(make.ask("Jh Qs Kd Jc", "", window, exchange))) == Exchange()
    assert bot.act(make.view(make.ask("Jh Qs Kd 7c", "", window, exchange))) == Pass()
    toep = (acts_pb2.ACT_KIND_TOEP,)
    assert bot.act(make.view(make.ask("Th Ts Td 9h", "Th Ts Td 9h", toep))) == Toep()
    assert bot.act(make.view(make.ask("Jh Qs Kd 7c", "Jh Qs Kd 7c", toep))) == Play("Jh")
    window = (acts_pb2.ACT_KIND_TOEP, acts_pb2.ACT_KIND_PASS)
    assert bot.act(make.view(make.ask("Th Ts", "", window, play_pb2.ASK_KIND_WINDOW))) == Pass("round")


def test_suit_is_followed_even_where_the_rules_let_one_revoke(make: Maker) -> None:
    state = make.state((1, 0, "9h"))
    view = make.view(make.ask("Jh Th Js", "Jh Th Js"), state)
    assert skill.following(view) == ["Jh", "Th"]
    assert skill.following(make.view(make.ask("Js Jc", "Js Jc"), state)) == ["Jc", "Js"]
    assert skill.best_card(view) == "Jh"


def test_the_trick_before_the_last_is_worth_winning(make: Maker) -> None:
    state = make.state((3, 0, "9h"), trick=3)
    assert skill.best_card(make.view(make.ask("Jh Th", "Jh Th"), state)) == "Th"
    assert skill.best_card(make.view(make.ask("Jh 8h", "Jh 8h"), state)) == "Jh"


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in SAMPLES)
    assert main([]) == main(["nobody"]) == 2


def test_every_sample_is_a_module_that_can_be_run() -> None:
    folder = Path(skill.__file__).parent
    runnable = {path.stem for path in folder.glob("*.py") if "__main__" in path.read_text()}
    assert runnable == {*SAMPLES, "graded"}  # That one needs a level.
