"""``make bench``, the validator: microseconds a line, beside the floor that no validator can be below.

The floor decodes and encodes every line and hashes it twice (its leaf, and one node of the tree). For a signed log the
floor of a seal is one bare Ed25519 check. What stands beside each other reads the same lines in the same run, by turns.
"""

import io
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.log.note import Signer
from referee.log.records import AnyRecord, Rounds
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import validate
from referee.validate.findings import Level

REPEATS = 15
ROUNDS = 100
FLOORS = 6
"""How often the floor is measured at a time, so that it takes about as long as what stands beside it."""

KEY: Final = Signer("bench.example/referee", bytes(range(32)))
LEVELS: Final[tuple[tuple[str, Level | None], ...]] = (
    ("L0", "L0"), ("L1", "L1"), ("L2", "L2"), ("L3", "L3"), ("L4", "L4"), ("roots", None),
)  # fmt: skip
"""The columns of the table, and the level that is asked for; each includes those before it."""


def log_of(seats: int, signer: Signer | None = None) -> bytes:
    sink = MemorySink()
    plan = MatchPlan(rules=resolve("cafe"), bots=[f"bot{i}" for i in range(seats)], length=Rounds(rounds=ROUNDS))
    write_match(plan, b"\x2a" * 32, sink, signer=signer)
    return bytes(sink.data)


def floor(data: bytes) -> None:
    decode, encode = msgspec.json.Decoder(AnyRecord).decode, msgspec.json.Encoder().encode
    node = bytes(32)
    for line in data.splitlines():
        assert encode(decode(line)) == line
        node = sha256(b"\x01" + node + sha256(b"\x00" + line).digest()).digest()


def floors(data: bytes) -> None:
    for _ in range(FLOORS):
        floor(data)


def bare_checks(count: int) -> None:
    """So many Ed25519 checks of a text as long as that of a seal, and nothing around them."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public, text = private.public_key(), b"x" * 90
    signature = private.sign(text)
    for _ in range(count):
        public.verify(signature, text)


def whole(data: bytes, level: Level | None = None) -> None:
    assert validate(io.BytesIO(data), "bench", level=level).verdict == "VALID"


def best_of(*works: Callable[[], None]) -> list[float]:
    """Seconds of processor time, each at its best; they take turns, so that a busy machine is busy for all of them."""
    best = [float("inf")] * len(works)
    for _ in range(REPEATS):
        for number, work in enumerate(works):
            start = time.thread_time()
            work()
            best[number] = min(best[number], time.thread_time() - start)
    return best


class Row(NamedTuple):
    """Microseconds a line for one number of seats."""

    seats: int
    lines: int
    levels: list[float]
    floor: float


def row(seats: int) -> Row:
    data = log_of(seats)
    lines = data.count(b"\n")
    works = [partial(whole, data, level) for _, level in LEVELS]
    *levels, least = (1e6 * seconds / lines for seconds in best_of(*works, partial(floors, data)))
    return Row(seats, lines, levels, least / FLOORS)


def by_level() -> None:
    rows = [row(seats) for seats in (4, 8)]
    print(f"validator at L0-L4 and the roots, one process; microseconds a line, the best of {REPEATS}")
    print("seats   lines  validator   floor   ratio")
    for seats, lines, levels, least in rows:
        print(f"{seats:>5} {lines:>7} {levels[-1]:>10.1f} {least:>7.1f} {levels[-1] / least:>7.2f}")
    print("\nup to and with each level; microseconds a line, and times the floor")
    print("seats" + "".join(f"{name:>14}" for name, _ in LEVELS))
    for seats, _, levels, least in rows:
        print(f"{seats:>5}" + "".join(f"{cost:>7.1f} ({cost / least:>4.1f})" for cost in levels), flush=True)


def signatures() -> None:
    print("\nL5 with signatures, beside one bare Ed25519 check a seal; milliseconds, and microseconds a seal")
    print("seats   seals  unsigned  signed  difference  bare checks   a seal  a bare check   ratio")
    for seats in (4, 8):
        plain, signed = log_of(seats), log_of(seats, KEY)
        seals = signed.count(b'{"_":"seal"')
        without, with_them, bare = best_of(partial(whole, plain), partial(whole, signed), partial(bare_checks, seals))
        more = with_them - without
        print(
            f"{seats:>5} {seals:>7} {1e3 * without:>9.1f} {1e3 * with_them:>7.1f} {1e3 * more:>11.1f}"
            f" {1e3 * bare:>12.1f} {1e6 * more / seals:>8.0f} {1e6 * bare / seals:>13.0f} {more / bare:>7.2f}",
            flush=True,
        )


def main() -> None:
    by_level()
    signatures()


if __name__ == "__main__":
    main()
