"""Lines from streams: bounded memory, exact offsets, compressed files, damage."""

import io
import random
import sys
import tracemalloc
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from referee.log.reader import LogReadError, RawLine, decode, open_log, read_lines
from referee.log.records import MAX_LINE


def read(data: bytes) -> list[RawLine]:
    return list(read_lines(io.BytesIO(data)))


@given(st.lists(st.binary(max_size=50).map(lambda line: line.replace(b"\n", b""))), st.binary(max_size=5))
def test_lines_are_those_of_the_stream(lines: list[bytes], rest: bytes) -> None:
    rest = rest.replace(b"\n", b"")
    data = b"".join(line + b"\n" for line in lines) + rest
    found = read(data)
    assert b"".join(raw.data + b"\n" * raw.complete for raw in found) == data
    assert [raw.index for raw in found] == list(range(len(found)))
    assert [raw.complete for raw in found] == [True] * len(lines) + [False] * bool(rest)
    for raw in found:
        assert data[raw.offset : raw.offset + len(raw.data)] == raw.data


def test_the_longest_line_and_one_more() -> None:
    fits, long = b"a" * MAX_LINE, b"b" * (MAX_LINE + 1)
    assert read(fits + b"\n") == [RawLine(0, 0, fits, True)]
    assert read(fits) == [RawLine(0, 0, fits, False)]
    assert read(long + b"\nc\n") == [RawLine(0, 0, long, False), RawLine(1, MAX_LINE + 2, b"c", True)]
    assert read(long) == [RawLine(0, 0, long, False)]


def test_a_line_without_end_takes_no_memory() -> None:
    class Endless(io.RawIOBase):
        left = 64 * 1024 * 1024

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            count = min(len(buffer), self.left)
            buffer[:count] = b"x" * count
            self.left -= count
            return count

    tracemalloc.start()
    try:
        (raw,) = read_lines(io.BufferedReader(Endless()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(raw.data), raw.complete) == (MAX_LINE + 1, False)
    assert peak < 1024 * 1024


def test_a_plain_file_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.toep"
    path.write_bytes(b"a\nb\n")
    with open_log(path) as stream:
        assert [raw.data for raw in read_lines(stream)] == [b"a", b"b"]
    assert stream.closed
    stdin = io.TextIOWrapper(io.BytesIO(b"c\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    with open_log("-") as stream:
        assert [raw.data for raw in read_lines(stream)] == [b"c"]
    assert not stdin.closed


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), open_log(tmp_path / "none.toep"):
        pass


def zst(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "one.toep.zst"
    path.write_bytes(data)
    return path


def content(path: Path) -> bytes:
    with open_log(path) as stream:
        return stream.read()


def lines_of_noise(count: int) -> bytes:
    source = random.Random(1)
    return b"".join(b"%d\n" % source.getrandbits(200) for _ in range(count))


@pytest.mark.parametrize("level", [1, 3, 19])
def test_compressed_files(tmp_path: Path, level: int) -> None:
    data = lines_of_noise(5000)
    path = zst(tmp_path, zstandard.ZstdCompressor(level=level, write_checksum=True).compress(data))
    assert content(path) == data


def test_several_frames_are_one_file(tmp_path: Path) -> None:
    compress = zstandard.ZstdCompressor().compress
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"
    path = zst(tmp_path, compress(b"a\n") + skippable + compress(b"") + compress(b"b" * 1000 + b"\n"))
    assert content(path) == b"a\n" + b"b" * 1000 + b"\n"


def test_damaged_compressed_files_are_errors(tmp_path: Path) -> None:
    good = zstandard.ZstdCompressor(write_checksum=True).compress(lines_of_noise(100))
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 1
    for bad in (b"", good[:3], good[:-1], good[: len(good) // 2], good + b"x", bytes(flipped), b'{"_":"head"}\n'):
        with pytest.raises(LogReadError) as caught:
            content(zst(tmp_path, bad))
        assert caught.value.filename == str(tmp_path / "one.toep.zst")


def test_a_bomb_takes_no_memory(tmp_path: Path) -> None:
    compressor = zstandard.ZstdCompressor().compressobj()
    parts = [compressor.compress(b"\x00" * 1024 * 1024) for _ in range(256)]
    path = zst(tmp_path, b"".join(parts) + compressor.flush())
    assert path.stat().st_size < 64 * 1024
    tracemalloc.start()
    try:
        with open_log(path) as stream:
            (raw,) = read_lines(stream)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(raw.data) == MAX_LINE + 1
    assert peak < 32 * 1024 * 1024


def test_a_huge_window_is_refused(tmp_path: Path) -> None:
    params = zstandard.ZstdCompressionParameters(window_log=27)
    compressor = zstandard.ZstdCompressor(compression_params=params).compressobj()
    path = zst(tmp_path, compressor.compress(b"a\n") + compressor.flush())
    with pytest.raises(LogReadError, match="memory"):
        content(path)


def test_a_log_is_read_to_its_torn_end() -> None:
    first, second = read(b'{"_":"void","why":"crash"}\n{"_":"void","why"')
    assert decode(first)
    assert not second.complete
