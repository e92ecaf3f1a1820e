"""Acts, their JSON and their protobuf forms."""

import pytest
from toep_client import acts
from toep_client.acts import (
    Act,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Malformed,
    Pass,
    Peek,
    Play,
    Resign,
    Signal,
    Stay,
    Toep,
    from_plain,
    to_answer,
    to_plain,
)

from referee.v1 import acts_pb2, play_pb2

EXAMPLES: list[tuple[Act, dict[str, object]]] = [
    (Pass(), {"_": "pass"}),
    (Pass("trick"), {"_": "pass", "until": "trick"}),
    (Pass(until="round"), {"_": "pass", "until": "round"}),
    (Cut(31), {"_": "cut", "at": 31}),
    (Blind(), {"_": "blind"}),
    (Peek(), {"_": "peek"}),
    (Chance(), {"_": "chance"}),
    (Exchange(), {"_": "exchange"}),
    (Challenge(), {"_": "challenge"}),
    (Signal("whistle"), {"_": "signal", "sign": "whistle"}),
    (Toep(), {"_": "toep"}),
    (Stay(), {"_": "stay"}),
    (Fold(), {"_": "fold"}),
    (Play("Th"), {"_": "play", "card": "Th"}),
    (Discard(("Jc", "Qd", "Th")), {"_": "discard", "cards": ["Jc", "Qd", "Th"]}),
    (Confess(), {"_": "confess"}),
    (Resign(), {"_": "resign"}),
]


def test_every_act_of_the_wire_has_a_constructor_and_an_example() -> None:
    fields = play_pb2.Answer.DESCRIPTOR.oneofs_by_name["act"].fields
    on_the_wire = {field.message_type.name for field in fields if field.message_type is not None}
    numbers = [number for number in acts_pb2.ActKind.values() if number]
    kinds = {acts_pb2.ActKind.Name(number).removeprefix("ACT_KIND_").title() for number in numbers}
    assert on_the_wire == kinds == {kind.__name__ for kind in acts.ACTS}
    assert {type(act) for act, _ in EXAMPLES} == set(acts.ACTS)


@pytest.mark.parametrize(("act", "plain"), EXAMPLES, ids=str)
def test_forms_of_an_act(act: Act, plain: dict[str, object]) -> None:
    assert to_plain(act) == plain
    assert from_plain(plain) == act
    answer = to_answer(act, 7, 40)
    assert (answer.table, answer.ask) == (7, 40)
    field = answer.WhichOneof("act")
    assert field is not None
    assert type(getattr(answer, field)).__name__ == type(act).__name__
    assert play_pb2.Answer.FromString(answer.SerializeToString()) == answer


def test_values_on_the_wire() -> None:
    assert to_answer(Play("Jc"), 1, 2).play.card == 1
    assert to_answer(Play("Th"), 1, 2).play.card == 32
    assert to_answer(Cut(5), 1, 2).cut.at == 5
    assert to_answer(Signal("stand"), 1, 2).signal.sign == acts_pb2.SIGN_STAND
    assert list(to_answer(Discard(("Jc", "Qc", "Th")), 1, 2).discard.cards) == [1, 2, 32]


def test_malformed_has_no_act() -> None:
    assert to_answer(Malformed(), 7, 40) == play_pb2.Answer(table=7, ask=40)


def test_what_is_not_an_act_is_not_sent() -> None:
    with pytest.raises(TypeError, match="not an act: 'toep'"):
        to_answer("toep", 7, 40)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({}, '"_" must be one of'),
        ({"_": "knock"}, "not 'knock'"),
        ({"_": ["play"]}, "must be one of"),
        ({"_": "malformed"}, "must be one of"),
        ({"_": "play"}, "play needs 'card'"),
        ({"_": "play", "card": "10h"}, "not '10h'"),
        ({"_": "play", "card": 31}, "not 31"),
        ({"_": "play", "card": "Th", "seat": 1}, "play has no 'seat'"),
        ({"_": "pass", "until": "tomorrow"}, "tomorrow"),
        ({"_": "pass", "until": [1]}, "until"),
        ({"_": "pass", "until": {}}, "until"),
        ({"_": "cut", "at": 32}, "1 to 31"),
        ({"_": "cut", "at": True}, "1 to 31"),
        ({"_": "signal", "sign": "cough"}, "cough"),
        ({"_": "discard", "cards": ["Th", "Th", "Jc"]}, "three different cards"),
        ({"_": "discard", "cards": "Th"}, "are a list"),
        ({"_": "discard", "cards": [["Th"], "9h", "8h"]}, "not \\['Th'\\]"),
    ],
)
def test_bad_acts_are_explained(plain: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_plain(plain)
