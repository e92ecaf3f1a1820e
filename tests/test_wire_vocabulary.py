"""One vocabulary in three spellings: protobuf, the structs of the game, and the numbers in between."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from msgspec import UNSET

from referee.cards import INDEX, NAMES, PACK_SIZE
from referee.game import records as game
from referee.game.game import BIT, PASS_BIT
from referee.game.records import ACTS, Act, AnyAct, Record
from referee.log import records as log
from referee.log.policy import make_conduct
from referee.log.records import PRIVATE, AnyRecord, Conduct, Late
from referee.ruleset import OPTIONS, PRESETS
from referee.service import edge
from referee.table.messages import AskKind, RefusalCode
from referee.table.steps import PASS, STEP_ACTS, Pass
from referee.table.table import Malformed
from referee.v1 import acts_pb2, cards_pb2, events_pb2, play_pb2, rules_pb2

ROOT = Path(__file__).parents[1]

NOT_NEWS = {"head", "entropy", "ruling", "end", "reveal", "seal", "~"}
"""Public records that are no news of a running table."""


def tag(kind: type[Record]) -> str:
    return str(kind.__struct_config__.tag)


def numbers(enum: EnumTypeWrapper, prefix: str) -> dict[str, int]:
    """The values of a protobuf enum by name without prefix, the unspecified one left out."""
    found = {name.removeprefix(prefix): number for name, number in enum.items()}
    assert all(name.startswith(prefix) for name in enum.keys())  # noqa: SIM118 - not a mapping
    assert found.pop("UNSPECIFIED") == 0
    return found


# -- acts --------------------------------------------------------------------------------------------------------------


def test_the_acts_of_the_wire_are_the_acts_of_the_game() -> None:
    fields = play_pb2.Answer.DESCRIPTOR.oneofs_by_name["act"].fields
    on_the_wire = {field.message_type.name.lower() for field in fields if field.message_type is not None}
    assert on_the_wire - {"pass"} == {tag(kind) for kind in ACTS}
    assert {field.name for field in fields} == set(edge.READERS)
    assert set(get_args(AnyAct)) == set(ACTS)


def test_act_kinds_are_the_bits_of_asks() -> None:
    kinds = numbers(acts_pb2.ActKind, "ACT_KIND_")
    assert 1 << kinds.pop("PASS") == PASS_BIT
    assert {name: 1 << number for name, number in kinds.items()} == {tag(kind).upper(): BIT[kind] for kind in ACTS}


def answer_of(kind: type[Act]) -> play_pb2.Answer:
    """An answer with this act and, where it needs one, a value."""
    answer = play_pb2.Answer()
    getattr(answer, tag(kind)).SetInParent()
    if kind is game.Play:
        answer.play.card = cards_pb2.CARD_TH
    elif kind is game.Discard:
        answer.discard.cards.extend((cards_pb2.CARD_TH, cards_pb2.CARD_JC))
    elif kind is game.Cut:
        answer.cut.at = 7
    elif kind is game.Signal:
        answer.signal.sign = acts_pb2.SIGN_SING
    return answer


@pytest.mark.parametrize("kind", ACTS, ids=tag)
def test_every_act_can_be_read(kind: type[Act]) -> None:
    act = edge.read_answer(play_pb2.Answer.FromString(answer_of(kind).SerializeToString()), 5)
    assert type(act) is kind
    assert act.seat == 5
    values = {"play": "Th", "discard": ["Jc", "Th"], "cut": 7, "signal": "sing"}
    if tag(kind) in values:
        (field,) = (name for name in ("card", "cards", "at", "sign") if name in kind.__struct_fields__)
        assert getattr(act, field) == values[tag(kind)]


def test_every_pass_can_be_read() -> None:
    untils = {number for _, number in acts_pb2.PassUntil.items()}
    assert untils == {0, 1, 2}
    for until in sorted(untils):
        answer = play_pb2.Answer()
        message = next(
            field.name for field in answer.DESCRIPTOR.fields if field.message_type is acts_pb2.Pass.DESCRIPTOR
        )
        getattr(answer, message).until = until
        assert edge.read_answer(answer, 0) == (Pass(until) if until else PASS)


def unreadable() -> Mapping[str, play_pb2.Answer]:
    """Answers that the schema of the wire lets through and the referee cannot read."""
    bad = {
        "no act": play_pb2.Answer(table=1, ask=1),
        "card 0": play_pb2.Answer(play=acts_pb2.Play()),
        "card 33": play_pb2.Answer(play=acts_pb2.Play(card=33)),  # type: ignore[arg-type]
        "card 99": play_pb2.Answer(play=acts_pb2.Play(card=99)),  # type: ignore[arg-type]
        "card -1": play_pb2.Answer(play=acts_pb2.Play(card=-1)),  # type: ignore[arg-type]
        "cut 0": play_pb2.Answer(cut=acts_pb2.Cut()),
        "cut 32": play_pb2.Answer(cut=acts_pb2.Cut(at=32)),
        "no sign": play_pb2.Answer(signal=acts_pb2.Signal()),
        "sign 4": play_pb2.Answer(signal=acts_pb2.Signal(sign=4)),  # type: ignore[arg-type]
        "card twice": play_pb2.Answer(discard=acts_pb2.Discard(cards=[1, 1, 2])),  # type: ignore[list-item]
        "no card": play_pb2.Answer(discard=acts_pb2.Discard(cards=[0, 1, 2])),  # type: ignore[list-item]
        "33 cards": play_pb2.Answer(discard=acts_pb2.Discard(cards=range(1, 34))),  # type: ignore[arg-type]
    }
    passing = play_pb2.Answer()
    field = next(field.name for field in passing.DESCRIPTOR.fields if field.message_type is acts_pb2.Pass.DESCRIPTOR)
    getattr(passing, field).until = 3
    bad["until 3"] = passing
    bad["an act of the future"] = play_pb2.Answer.FromString(b"\x08\x01\x10\x01\xfa\x07\x00")
    return bad


@pytest.mark.parametrize("name", unreadable())
def test_an_answer_that_cannot_be_read_is_malformed(name: str) -> None:
    answer = unreadable()[name]
    read = edge.read_answer(play_pb2.Answer.FromString(answer.SerializeToString()), 0)
    assert isinstance(read, Malformed)
    assert read.code is RefusalCode.MALFORMED
    assert read.why.isascii()
    assert len(read.why) < 100


# -- enums -------------------------------------------------------------------------------------------------------------


def test_kinds_of_ask() -> None:
    assert numbers(play_pb2.AskKind, "ASK_KIND_") == {kind.name: kind.value for kind in AskKind}


def test_refusal_codes() -> None:
    assert numbers(play_pb2.RefusalCode, "REFUSAL_CODE_") == {code.name: code.value for code in RefusalCode}


def test_every_step_asks_for_acts_of_the_game() -> None:
    assert set(STEP_ACTS) <= set(AskKind)
    assert {act for acts in STEP_ACTS.values() for act in acts} <= set(ACTS)


def test_cards_are_numbered_by_their_indexes() -> None:
    cards = numbers(cards_pb2.Card, "CARD_")
    assert cards == {name.upper(): INDEX[name] + 1 for name in NAMES}
    assert sorted(cards.values()) == list(range(1, PACK_SIZE + 1))


def test_signs() -> None:
    signs = numbers(acts_pb2.Sign, "SIGN_")
    assert {number: name.lower() for name, number in signs.items()} == edge.SIGNS
    assert set(edge.SIGN_NUMBERS) == set(get_args(game.Signal.__annotations__["sign"]))
    for name, number in edge.SIGN_NUMBERS.items():
        assert edge.SIGNS[number] == name


def test_reasons_to_be_out() -> None:
    assert numbers(events_pb2.OutReason, "OUT_REASON_") == {
        name.upper(): number for name, number in edge.OUT_REASONS.items()
    }
    assert set(edge.OUT_REASONS) == set(get_args(game.Out.__annotations__["why"]))


def test_statuses() -> None:
    assert numbers(play_pb2.MatchStatus, "MATCH_STATUS_") == {
        name.upper(): number for name, number in edge.STATUS.items()
    }
    assert set(edge.STATUS) == {"waiting", "playing", *get_args(log.End.__annotations__["status"])}


# -- events ------------------------------------------------------------------------------------------------------------

SAMPLES: tuple[Record, ...] = (
    game.Cut(at=7, seat=1),
    game.Blind(seat=1, stake=3),
    game.Peek(seat=1),
    game.Chance(seat=1),
    game.Exchange(seat=1),
    game.Challenge(genuine=True, seat=1, shown=["Qc", "Th"]),
    game.Signal(seat=1, sign="stand"),
    game.Toep(seat=1, stake=2),
    game.Stay(seat=1),
    game.Fold(pay=1, seat=1),
    game.Play(card="Th", seat=1),
    game.Confess(card="Th", seat=1),
    game.Confess(pay=2, seat=1),
    game.Resign(seat=1),
    game.Forfeit(seat=1, why="left"),
    game.Void(why="cancelled"),
    game.Round(dealer=1, round=3, try_=2),
    game.Draw(cards=[(0, "Jc"), (7, "Th")]),
    game.Auto(seats=[0, 2]),
    game.Open(seats=[0, 2], stake=2),
    game.Show(cards=["Jc", "Jd"], seat=1),
    game.Penalty(points=1, seat=1, why="R-WAS-07"),
    game.Trick(lead=2, win=1),
    game.Trick(win=1),
    game.Score(points=[0, -1], total=[1, -2]),
    game.Out(seat=1, why="limit"),
    Late(budget=10, seat=1, verdict="bot"),
)


def test_every_public_record_of_a_table_has_an_event() -> None:
    news = {kind for kind in get_args(AnyRecord) if tag(kind) not in NOT_NEWS} - set(PRIVATE)
    assert set(edge.WRITERS) == news
    assert {type(sample) for sample in SAMPLES} == news


def test_every_event_can_come() -> None:
    events = {field.name for field in events_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields}
    assert {edge.event(sample).WhichOneof("event") for sample in SAMPLES} == events


@pytest.mark.parametrize("record", SAMPLES, ids=lambda record: tag(type(record)))
def test_an_event_says_what_its_record_says(record: Record) -> None:
    event = edge.event(record)
    name = event.WhichOneof("event")
    assert name is not None
    body = getattr(event, name)
    seat = record.win if isinstance(record, game.Trick) else None
    seat = record.dealer if isinstance(record, game.Round) else getattr(record, "seat", seat)
    assert event.HasField("seat") is (seat is not None)
    assert event.seat == (seat or 0)
    assert not event.by_referee
    renamed = {"try_": "attempt", "budget": "budget_ms"}
    for field in record.__struct_fields__:
        value = getattr(record, field)
        spelled = renamed.get(field, field)
        if spelled not in body.DESCRIPTOR.fields_by_name or isinstance(value, str):
            continue
        told = getattr(body, spelled)
        if isinstance(record, game.Draw):
            assert list(told) == [0, 7 << 5 | 31]
        elif field in ("cards", "shown"):
            assert told == sum(1 << INDEX[card] for card in value)
        elif isinstance(value, list):
            assert list(told) == value
        elif isinstance(value, int):
            assert told == value
    if isinstance(record, game.Play):
        assert body.card == cards_pb2.CARD_TH
    elif isinstance(record, game.Confess):
        assert body.card == (cards_pb2.CARD_TH if isinstance(record.card, str) else 0)
    elif isinstance(record, game.Trick):
        assert body.HasField("lead") is isinstance(record.lead, int)
    elif isinstance(record, game.Forfeit | game.Void):
        assert body.reason == record.why
    elif isinstance(record, game.Penalty):
        assert body.rule == record.why
    elif isinstance(record, game.Signal):
        assert body.sign == acts_pb2.SIGN_STAND


@pytest.mark.parametrize(
    "record",
    [sample for sample in SAMPLES if isinstance(sample, Act)],
    ids=lambda record: tag(type(record)),
)
def test_an_event_says_when_the_referee_acted(record: Act) -> None:
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    assert edge.event(type(record)(**{**fields, "by": "ref"})).by_referee


# -- rules and conduct -------------------------------------------------------------------------------------------------


def test_every_option_travels_both_ways() -> None:
    for rules in PRESETS.values():
        options = edge.rule_options(rules)
        assert [option.name for option in options] == list(OPTIONS)
        assert edge.read_options(options) == {option: getattr(rules, option) for option in OPTIONS}
        for option in options:
            kind = {bool: "flag", int: "number", str: "choice"}[type(getattr(rules, option.name))]
            assert option.WhichOneof("value") == kind


def test_every_field_of_conduct_travels_both_ways() -> None:
    assert {field.name for field in rules_pb2.Conduct.DESCRIPTOR.fields} == set(Conduct.__struct_fields__)
    conduct = Conduct(act_ms=1, faults=0, max_deals=2, tries=3, window_ms=4)
    read = edge.read_conduct(rules_pb2.Conduct.FromString(edge.conduct_message(conduct).SerializeToString()))
    assert make_conduct(read) == conduct
    every = make_conduct(
        {"bank_ms": 1, "increment_ms": 2, "late_faults": 3, "left": "wait", "link_faults": 4, "ready_ms": 5}
        | {"refused_faults": 6, "stall": "void"}
    )
    assert UNSET not in [getattr(every, name) for name in Conduct.__struct_fields__]
    again = edge.read_conduct(rules_pb2.Conduct.FromString(edge.conduct_message(every).SerializeToString()))
    assert make_conduct(again) == every
    assert edge.read_conduct(rules_pb2.Conduct(faults=0)) == {"faults": 0}


# -- the generated code ------------------------------------------------------------------------------------------------


def test_generated_code_is_what_the_generator_makes(tmp_path: Path) -> None:
    protos = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "proto" / "referee" / "v1").glob("*.proto"))
    out = str(tmp_path)
    protoc = (sys.executable, "-m", "grpc_tools.protoc", "-Iproto")
    subprocess.run([*protoc, f"--python_out={out}", f"--pyi_out={out}", *protos], cwd=ROOT, check=True)
    subprocess.run(
        [*protoc, f"--grpc_python_out={out}", "proto/referee/v1/referee_service.proto"], cwd=ROOT, check=True
    )
    made = {path.name: path.read_bytes() for path in (tmp_path / "referee" / "v1").iterdir()}
    committed = {path.name: path.read_bytes() for path in (ROOT / "referee" / "v1").glob("*_pb2*.py*")}
    assert set(committed) == set(made), "run `make proto`"
    stale = [name for name, content in made.items() if committed[name] != content]
    assert not stale, "run `make proto`"
