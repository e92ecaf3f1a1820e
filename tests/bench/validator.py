"""``make bench``, the validator: microseconds a line, beside the floor that no validator can be below.

The floor decodes and encodes every line and hashes it twice (its leaf, and one node of the tree). Both read the same
lines in the same run.
"""

import io
import time
from hashlib import sha256

import msgspec

from referee.log.records import AnyRecord, Rounds
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import validate

REPEATS = 5


def log_of(seats: int) -> bytes:
    sink = MemorySink()
    plan = MatchPlan(rules=resolve("cafe"), bots=[f"bot{i}" for i in range(seats)], length=Rounds(rounds=200))
    write_match(plan, b"\x2a" * 32, sink)
    return bytes(sink.data)


def floor(data: bytes) -> None:
    decode, encode = msgspec.json.Decoder(AnyRecord).decode, msgspec.json.Encoder().encode
    node = bytes(32)
    for line in data.splitlines():
        assert encode(decode(line)) == line
        node = sha256(b"\x01" + node + sha256(b"\x00" + line).digest()).digest()


def whole(data: bytes) -> None:
    assert validate(io.BytesIO(data), "bench").verdict == "VALID"


def main() -> None:
    print("validator at L0-L4 and the roots, one process; microseconds a line, the best of 5")
    print("seats   lines  validator   floor   ratio")
    for seats in (4, 8):
        data = log_of(seats)
        lines = data.count(b"\n")
        best = []
        for work in (whole, floor):
            times = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                work(data)
                times.append(time.perf_counter() - start)
            best.append(1e6 * min(times) / lines)
        print(f"{seats:>5} {lines:>7} {best[0]:>10.1f} {best[1]:>7.1f} {best[0] / best[1]:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
