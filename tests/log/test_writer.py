"""The writer: bytes, salts, seals, and what is left behind when something goes wrong."""

import errno
import os
from pathlib import Path

import pytest

from referee.game.records import NO_SALT, Cards, Discard, Play, Record
from referee.log.canonical import encode
from referee.log.reader import decode, open_log, read_lines
from referee.log.records import PRIVATE, Refused, Ruling, Seal
from referee.log.seal import base64_root
from referee.log.tree import Tree
from referee.log.writer import FileSink, LogWriteError, LogWriter, MemorySink

PLAY = Play(card="Th", seat=1)


def salt_for(index: int) -> str:
    return f"{index:032x}"


def test_every_record_is_written_as_its_line(records: list[Record]) -> None:
    sink = MemorySink()
    writer = LogWriter(sink, match="m-1")
    writer.salt_for = salt_for
    assert [writer.append(record) for record in records] == list(range(len(records)))
    assert writer.lines == len(records)
    assert not sink.data
    writer.flush()
    lines = bytes(sink.data).split(b"\n")
    assert lines.pop() == b""
    for index, (line, record) in enumerate(zip(lines, records, strict=True)):
        if isinstance(record, Cards | Discard | Refused):
            assert f'"salt":"{salt_for(index)}"'.encode() in line
        else:
            assert line == encode(record)
    assert sum(b'"salt":' in line for line in lines) == sum(isinstance(record, PRIVATE) for record in records)


def test_a_private_record_needs_a_salt() -> None:
    writer = LogWriter(MemorySink(), match="m-1")
    with pytest.raises(LogWriteError, match="m-1"):
        writer.append(Cards(cards=["Th"], salt=NO_SALT, seat=0, why="deal"))
    assert writer.lines == 0


def test_a_line_that_is_too_long_is_refused() -> None:
    writer = LogWriter(MemorySink(), match="m-1")
    with pytest.raises(LogWriteError, match="16384"):
        writer.append(Ruling(why="a" * 16384))
    assert writer.lines == 0


def test_seals_cover_all_lines_before_them() -> None:
    sink = MemorySink()
    writer = LogWriter(sink, match="m-1")
    tree = Tree()
    for _ in range(5):
        tree.append(encode(PLAY))
        writer.append(PLAY)
        seal = writer.seal()
        assert seal == Seal(n=tree.size, root=base64_root(tree.root()), sig=[])
        tree.append(encode(seal))
        assert writer.root() == tree.root()
    assert writer.lines == 10


def test_a_flush_waits_for_the_disk_when_there_is_a_seal() -> None:
    sink = MemorySink()
    writer = LogWriter(sink, match="m-1")
    writer.flush()
    writer.append(PLAY)
    writer.flush()
    assert (len(sink.data), sink.synced) == (len(encode(PLAY)) + 1, 0)
    writer.seal()
    writer.append(PLAY)
    writer.flush()
    assert sink.synced == len(sink.data)
    written = bytes(sink.data)
    writer.flush()
    writer.append(PLAY)
    writer.close()
    assert sink.closed
    assert bytes(sink.data) == written + encode(PLAY) + b"\n"
    assert sink.synced == len(written)


class FullSink(MemorySink):
    """Takes ten bytes of a write and then has no room left."""

    def write(self, data: bytes) -> None:
        super().write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_after_a_failed_write_nothing_is_added() -> None:
    sink = FullSink()
    writer = LogWriter(sink, match="m-1")
    writer.append(PLAY)
    with pytest.raises(OSError, match="No space left"):
        writer.flush()
    writer.append(PLAY)
    with pytest.raises(LogWriteError, match="failed before"):
        writer.flush()
    writer.close()
    assert sink.closed
    assert bytes(sink.data) == encode(PLAY)[:10]


def test_a_file_is_written_and_read_back(tmp_path: Path, records: list[Record]) -> None:
    path = tmp_path / "one.toep"
    writer = LogWriter(FileSink(path), match="m-1")
    writer.salt_for = salt_for
    for record in records:
        writer.append(record)
    writer.seal()
    writer.close()
    with open_log(path) as stream:
        read = [decode(line) for line in read_lines(stream)]
    assert [type(record) for record in read] == [*(type(record) for record in records), Seal]


def test_an_existing_log_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "one.toep"
    path.write_bytes(b"precious\n")
    with pytest.raises(LogWriteError, match="never overwritten") as caught:
        FileSink(path)
    assert caught.value.errno == errno.EEXIST
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"precious\n"


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "one.toep"
    with pytest.raises(LogWriteError, match="missing") as caught:
        FileSink(path)
    assert caught.value.errno == errno.ENOENT


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data[:3])))
    sink = FileSink(tmp_path / "one.toep")
    sink.write(b"0123456789\n")
    sink.close()
    assert sink.path.read_bytes() == b"0123456789\n"


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_errors_of_the_system_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def broken(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    writer = LogWriter(FileSink(tmp_path / "one.toep"), match="m-1")
    writer.seal()
    monkeypatch.setattr(os, call, broken)
    with pytest.raises(LogWriteError, match="Input/output error") as caught:
        writer.flush()
    assert caught.value.errno == errno.EIO
    assert caught.value.filename == str(tmp_path / "one.toep")
    writer.close()


def test_a_file_closes_once(tmp_path: Path) -> None:
    sink = FileSink(tmp_path / "one.toep")
    sink.close()
    sink.close()
    with pytest.raises(LogWriteError, match="cannot write"):
        sink.write(b"x")


def test_a_file_and_its_directory_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    writer = LogWriter(FileSink(tmp_path / "one.toep"), match="m-1")
    for _ in range(2):
        writer.append(PLAY)
        writer.seal()
        writer.flush()
    writer.close()
    file, directory = (tmp_path / "one.toep").stat().st_ino, tmp_path.stat().st_ino
    assert synced == [file, directory, file]
