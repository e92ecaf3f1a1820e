"""What a table writes, and when: lines before messages, private lines in no message."""

import contextlib

import pytest

from referee.cards import INDEX, mask_of
from referee.game.records import Cards, Discard, Exchange, Record, Toep
from referee.log.canonical import encode
from referee.log.records import Conduct, End, Head, Reveal, Rounds, Seal
from referee.log.records import Refused as RefusedLine
from referee.log.writer import LogWriteError, MemorySink
from referee.ruleset import CAFE, SHORT
from referee.table.messages import Ask, Message, Over, RefusalCode, Refused, Update
from referee.table.table import Malformed
from tests.support.tables import Sim, foreign_card, news, only, records_of, said, started


class Watched(Sim):
    """A match in which everything a message rests on must be in the file when the message is there."""

    def take(self, said_now: object) -> list[Message]:
        assert isinstance(said_now, list | tuple)
        messages = super().take(said_now)
        lines = set(bytes(self.sink.data).splitlines())
        for message in messages:
            if isinstance(message, Update):
                assert {encode(record) for record in message.records} <= lines
            elif isinstance(message, Ask):
                assert message.hand & ~self.dealt() == 0
            elif isinstance(message, Over):
                assert any(isinstance(record, Reveal) for record in records_of(bytes(self.sink.data)))
                assert self.sink.synced == len(self.sink.data)
        return messages

    def dealt(self) -> int:
        """The mask of all cards that the file says were given out."""
        cards = only(Cards, records_of(bytes(self.sink.data)))
        return mask_of(INDEX[card] for record in cards for card in record.cards)


def watched() -> Watched:
    sim = Watched(CAFE, length=Rounds(rounds=2))
    sim.start()
    sim.act(2, Exchange(seat=2))
    sim.rest()
    sim.rest()
    sim.rest()
    sim.act(1, foreign_card(sim, 1))
    sim.act(3, Toep(seat=3))
    sim.rest()
    return sim


def test_lines_are_written_before_messages_leave() -> None:
    sim = watched()
    sim.finish()


def test_messages_hold_nothing_private() -> None:
    sim = watched()
    records = sim.finish()
    assert only(RefusedLine, records)
    told = news(sim.heard)
    assert not [record for record in told if isinstance(record, Cards | Discard | RefusedLine)]
    assert not [record for record in told if hasattr(record, "salt") or hasattr(record, "seed")]


def test_every_public_record_is_told_in_the_order_of_the_log() -> None:
    sim = watched()
    silent: tuple[type[Record], ...] = (Head, Seal, End, Reveal, Cards, RefusedLine)
    assert [record for record in sim.finish() if not isinstance(record, silent)] == news(sim.heard)


def test_a_refusal_says_nothing_about_cards_of_others() -> None:
    sim = started()
    for _ in range(2):
        sim.act(1, foreign_card(sim, 1))
    first, second = said(Refused, sim.heard)
    assert first.message == second.message
    assert first.seat == second.seat == 1


def test_seals_stand_where_the_format_wants_them_and_on_disk() -> None:
    sim = started(length=Rounds(rounds=2))
    assert isinstance(records_of(bytes(sim.sink.data))[1], Seal)
    records = sim.finish()
    kinds = [type(record) for record in records]
    assert kinds[:2] == [Head, Seal]
    assert kinds[-4:] == [End, Seal, Reveal, Seal]
    assert kinds.count(Seal) == 1 + 2 + 1 + 1
    assert sim.sink.synced == len(sim.sink.data)
    for index, record in enumerate(records):
        if isinstance(record, Seal):
            assert record.n == index
        if isinstance(record, End):
            assert record.n == index


def test_the_seed_is_not_told_before_the_end() -> None:
    sim = Sim()
    sim.start()
    # The seed of these tests is declared in the head, so it is only looked for in what is told.
    while sim.table.over is None:
        sim.rest()
    assert "000102030405" not in repr(sim.heard)


class Full(MemorySink):
    """A disk that fills up."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: bytes) -> None:
        if len(self.data) + len(data) > self.room:
            raise LogWriteError(28, "no space left")
        super().write(data)


def play_through(sim: Sim) -> None:
    sim.start()
    for _ in sim.steps():
        pass


def whole() -> int:
    """The size of the log that a meek match writes."""
    sim = Sim()
    play_through(sim)
    return len(sim.sink.data)


@pytest.mark.parametrize("percent", [0, 40, 70, 90, 99])
def test_no_message_leaves_when_its_lines_cannot_be_written(percent: int) -> None:
    sim = Sim(sink=Full(whole() * percent // 100))
    with pytest.raises(LogWriteError):
        play_through(sim)
    lines = bytes(sim.sink.data)
    assert {encode(record) for record in news(sim.heard)} <= set(lines.splitlines())
    # Neither does anything leave or get written later, but that an answer comes too late.
    messages: list[Message] = []
    for seat, ask in list(sim.open.items()):
        for _ in range(4):
            with contextlib.suppress(LogWriteError):
                messages += sim.table.on_act(seat, ask.id, Malformed("again"), sim.now)
    with contextlib.suppress(LogWriteError):
        messages += sim.table.on_time(sim.now + 10**6)
    with contextlib.suppress(LogWriteError):
        messages += sim.table.abandon()
    assert {refused.code for refused in said(Refused, messages)} <= {RefusalCode.STALE}
    assert len(said(Refused, messages)) == len(messages)
    assert bytes(sim.sink.data) == lines


def test_the_private_lines_of_a_round_have_the_salts_of_its_deal() -> None:
    sim = started(length=Rounds(rounds=2))
    salts = [record.salt for record in only(Cards, sim.finish())]
    assert len(set(salts)) == len(salts) == 8


def test_a_match_of_the_largest_size_fits_its_lines() -> None:
    sim = started(SHORT, 8, conduct=Conduct(act_ms=86_400_000, max_deals=100_000))
    sim.finish()
    assert max(map(len, bytes(sim.sink.data).splitlines())) < 4096
