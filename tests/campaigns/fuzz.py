"""``make fuzz``: bytes that nobody should ever have called a log, for the reader and the validator.

    python -m tests.campaigns.fuzz --seconds 60 --seed 1

Random bytes, logs with edited bytes and spliced lines, forged records with hashes right again, JSON that is huge, deep
or not UTF-8, and compressed files that are damaged, cut short or explode. Whatever comes, there must be a report with a
verdict and its exit code, within `SECONDS` and `MEMORY`. A failing input is written to a file, whose name is printed.
The inputs depend on the seed and their number only; how many there are depends on the time.
"""

import argparse
import io
import json
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import zstandard

from referee.log.canonical import LineError
from referee.log.note import Signer
from referee.log.reader import decode, read_lines
from referee.log.records import MAX_LINE, Rounds
from referee.log.writer import MemorySink
from referee.ruleset import PRESETS
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import Report, validate, validate_path
from referee.validate.report import EXIT, text
from tests.support import forge

KEY: Final = Signer("club.example/referee", bytes(range(32)))
SECONDS: Final = 5.0
"""An input takes no longer."""

MEMORY: Final = 64 * 1024
"""KiB by which an input may raise the peak of this process."""

GIB: Final = 1 << 30
LINES: Final = 500
"""So many lines of an input go through the reader alone, after the first fault too."""


class Input(NamedTuple):
    """Bytes to check, and what kind they are of.

    ``compressed``: the content of a file ``*.zst``; ``genuine``: maybe a log that the referee really wrote.
    """

    kind: str
    data: bytes
    compressed: bool = False
    genuine: bool = False


class Overtime(BaseException):
    """An input took too long; no code under test catches this."""


def logs() -> list[bytes]:
    """Short logs, signed and not."""
    found = []
    for number, (name, rules) in enumerate(PRESETS.items()):
        sink = MemorySink()
        plan = MatchPlan(
            rules=rules, bots=["a", "b", "c"], length=Rounds(rounds=2), clock="ms" if number % 2 else "none"
        )
        write_match(plan, name.encode().ljust(32), sink, eagerness=0.3, signer=KEY if number % 2 else None)
        found.append(bytes(sink.data))
    return found


# -- inputs ------------------------------------------------------------------------------------------------------------

_TOKENS: Final = (
    b"\n", b"\r\n", b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b'"', b"\\", b"\\u0000", b"\\ud800",
    b"{", b"}", b"[", b"]", b",", b":", b"-", b"0", b"00", b"1e9", b"1.0", b"null", b"true", b"NaN", b"-1",
    b"9007199254740992", b"9" * 400, b'"_":"seal",', b'"x_a":1,', b'{"_":"end"}\n', "\u202e\u0301é".encode(),
)  # fmt: skip


def random_bytes(rng: random.Random, samples: list[bytes]) -> bytes:
    if rng.random() < 0.5:
        return rng.randbytes(rng.randint(0, 2000))
    return b"".join(rng.choices(_TOKENS, k=rng.randint(1, 200)))


def edited_bytes(rng: random.Random, samples: list[bytes]) -> bytes:
    data = bytearray(rng.choice(samples))
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data) + 1)
        data[at : at + rng.choice((0, 0, 1, 1, 5, 100))] = rng.choice((rng.randbytes(rng.randint(0, 3)), *_TOKENS))
    return bytes(data)


def spliced_lines(rng: random.Random, samples: list[bytes]) -> bytes:
    lines = rng.choice(samples).splitlines(keepends=True)
    others = rng.choice(samples).splitlines(keepends=True)
    for _ in range(rng.randint(1, 4)):
        at, there = rng.randrange(len(lines) + 1), rng.randrange(len(others))
        lines[at : at + rng.randint(0, 3)] = others[there : there + rng.randint(0, 6)]
    return b"".join(lines)


def forged_records(rng: random.Random, samples: list[bytes]) -> bytes:
    """Records that no referee writes, with hashes right, so that the deeper levels see them."""
    records = forge.lines(rng.choice(samples))
    for _ in range(rng.randint(1, 3)):
        record = rng.choice(records)
        if rng.random() < 0.2:
            records.insert(rng.randrange(1, len(records)), dict(rng.choice(records)))
        elif rng.random() < 0.1 and len(records) > 2:
            records.remove(record)
        else:
            target = rng.choice([record, *(value for value in record.values() if isinstance(value, dict))])
            name = rng.choice([*target, "seat", "by", "ms", "x_note"])
            if name != "_" or rng.random() < 0.2:
                target[name] = _value(rng, records, target.get(name))
    if not all("_" in record for record in records):
        return b""
    return forge.seal(records)


def _value(rng: random.Random, records: list[forge.Line], old: Any) -> Any:
    if isinstance(old, int) and rng.random() < 0.6:
        return rng.choice((old + 1, old - 1, 0, 7, 8, 99, 2**53 - 1, 2**53, -(2**53), 10**400, not old))
    if isinstance(old, list) and old and rng.random() < 0.6:
        return rng.choice((old[:-1], old[::-1], old * 2, old * 500, [], [old], [rng.choice(old)] * len(old)))
    record = rng.choice(records)
    return rng.choice((*record.values(), None, "", "\x00", "é" * 70, "A" * MAX_LINE, [], {}, [[]], {"_": "play"}))


def odd_json(rng: random.Random, samples: list[bytes]) -> bytes:
    """A valid log with one line that is doubled keys, huge, deep, or full of digits."""
    size = rng.choice((9, 100, 5_000, 16_300, 20_000, 200_000, 2_000_000))
    filler = rng.choice((b"[", b'{"a":', b"9", b'"', b"a", b"[],", b'"x_a":1,', b"\\", b"\xff", b"0", b" ", b"\x00"))
    body = (filler * (size // len(filler) + 1))[:size]
    shape = rng.choice((b"%b", b'{"_":"play","card":%b}', b'{"_":"end","n":%b}', b'{"_":"ruling","why":"%b"}', b"{%b}"))
    closing = rng.choice((b"", b"]" * body.count(b"["), b"}" * body.count(b"{")))
    lines = rng.choice(samples).splitlines(keepends=True)
    lines.insert(rng.randrange(len(lines) + 1), shape.replace(b"%b", body + closing) + rng.choice((b"", b"\n")))
    return b"".join(lines)


def many_lines(rng: random.Random, samples: list[bytes]) -> bytes:
    """The same few lines over and over."""
    lines = rng.choice(samples).splitlines(keepends=True)
    at = rng.randrange(len(lines))
    lines[at : at + 1] = lines[at : at + rng.randint(1, 3)] * rng.choice((10, 1000, 5000))
    return b"".join(lines)


def compressed(rng: random.Random, samples: list[bytes]) -> bytes:
    """A compressed log, often damaged."""
    parts = [zstandard.compress(rng.choice((rng.choice(samples), edited_bytes(rng, samples), b"")), rng.randint(1, 9))]
    if rng.random() < 0.3:
        parts.append(rng.choice((zstandard.compress(b"\n"), b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd", rng.randbytes(9))))
    data = bytearray(b"".join(parts))
    kind = rng.random()
    if kind < 0.4:
        del data[rng.randrange(len(data)) :]
    elif kind < 0.8:
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(min(len(data), rng.choice((12, 10_000))))] = rng.randrange(256)
    elif kind < 0.9:
        data[:] = b"\x28\xb5\x2f\xfd" + rng.randbytes(rng.randint(0, 200))
    return bytes(data)


PLAIN: Final[tuple[Callable[[random.Random, list[bytes]], bytes], ...]] = (
    random_bytes, edited_bytes, spliced_lines, forged_records, forged_records, odd_json, many_lines,
)  # fmt: skip


def made(seed: int, number: int, samples: list[bytes]) -> Input:
    """The input with this number."""
    rng = random.Random(f"{seed}/{number}")
    if rng.random() < 0.15:
        return Input("compressed", compressed(rng, samples), compressed=True, genuine=True)
    make = rng.choice(PLAIN)
    data = make(rng, samples)
    return Input(make.__name__.replace("_", " "), data, genuine=data in samples)


def bombs(size: int = GIB) -> Iterator[Input]:
    """Small files that decompress to so many bytes: one line, blank lines, digits, a window that is too large."""
    block = 1 << 20
    for unit in (b"\x00", b"\n", b"9", b'{"_":"seal","n":1}\n'):
        compressor = zstandard.ZstdCompressor(level=1).compressobj()
        chunk = (unit * (block // len(unit) + 1))[:block]
        data = b"".join(compressor.compress(chunk) for _ in range(size // block))
        yield Input("bomb", data + compressor.flush(), compressed=True)
    wide = zstandard.ZstdCompressionParameters(window_log=27, enable_ldm=False)
    stream = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    yield Input("bomb", stream.compress(b"0" * block) + stream.flush(), compressed=True)
    yield Input("bomb", zstandard.compress(b"") * 100_000, compressed=True)


# -- checking ----------------------------------------------------------------------------------------------------------


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `Overtime` after so many seconds, for what would go on for ever too."""

    def ring(*_: object) -> None:
        raise Overtime(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def peak() -> int:
    """The most memory that this process ever had, in KiB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size // 1024 if sys.platform == "darwin" else size


def pinned(number: int) -> bool:
    """Whether the key is given for an input."""
    return number % 3 == 0


def report_on(given: Input, number: int, folder: Path) -> Report:
    """Read and validate an input, with and without a key and `keep_going`."""
    keep_going, key = bool(number % 2), KEY.vkey if pinned(number) else None
    if given.compressed:
        path = folder / "input.toep.zst"
        path.write_bytes(given.data)
        return validate_path(path, keep_going=keep_going, key=key)
    for raw, _ in zip(read_lines(io.BytesIO(given.data)), range(LINES), strict=False):
        try:
            decode(raw)
        except LineError as error:
            str(error)
    return validate(io.BytesIO(given.data), "input", keep_going=keep_going, key=key)


def check(given: Input, number: int, folder: Path) -> tuple[str, str]:
    """The verdict on an input, and what is wrong with how it came about."""
    before = peak()
    try:
        with at_most(SECONDS):
            report = report_on(given, number, folder)
            json.loads(report.json())
            shown = text(report)
    except (Exception, Overtime) as error:
        return "none", f"{type(error).__name__}: {error}"
    if report.exit != EXIT[report.verdict] or not shown.endswith(report.verdict):
        return report.verdict, f"{report.verdict} with exit code {report.exit}"
    if report.verdict in ("INVALID", "UNSUPPORTED") and not report.errors:
        return report.verdict, f"{report.verdict} without a finding"
    if report.verdict == "VALID" and pinned(number) and not given.genuine:
        return report.verdict, "VALID, though the referee did not sign it"
    grown = peak() - before
    return report.verdict, f"{grown // 1024} MiB more memory" if grown > MEMORY else ""


def inputs(seed: int) -> Iterator[Input]:
    """The bombs, and then inputs without end."""
    yield from bombs()
    samples = logs()
    number = 0
    while True:
        yield made(seed, number, samples)
        number += 1


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    began = time.monotonic()
    counts: dict[str, Counter[str]] = {}
    slowest: dict[str, float] = {}
    tried = failures = 0
    with tempfile.TemporaryDirectory(prefix="toep-fuzz-") as name:
        validate(io.BytesIO(logs()[0]), "warm-up")
        start = peak()
        for number, given in enumerate(inputs(args.seed)):
            since = time.monotonic()
            if since - began > args.seconds:
                break
            verdict, wrong = check(given, number, Path(name))
            counts.setdefault(given.kind, Counter())[verdict] += 1
            slowest[given.kind] = max(slowest.get(given.kind, 0), time.monotonic() - since)
            tried += 1
            if wrong:
                failures += 1
                suffix = ".toep.zst" if given.compressed else ".toep"
                with tempfile.NamedTemporaryFile(prefix=f"fuzz-{number}-", suffix=suffix, delete=False) as file:
                    file.write(given.data)
                print(f"FAILED seed {args.seed}, input {number}, {given.kind}: {wrong}\n  {file.name}", flush=True)
    verdicts = [*EXIT, "none"]
    print(f"{'input':<16}{'tried':>8}" + "".join(f"{verdict:>13}" for verdict in verdicts) + f"{'slowest':>10}")
    for kind, count in counts.items():
        cells = "".join(f"{count[verdict] or '-':>13}" for verdict in verdicts)
        print(f"{kind:<16}{count.total():>8}{cells}{slowest[kind]:>8.2f} s")
    print(f"memory: {start // 1024} MiB before, {peak() // 1024} MiB at most")
    print(f"fuzz: {tried} inputs, {failures} failures, {time.monotonic() - began:.0f} s")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
