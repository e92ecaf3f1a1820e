"""Logs that are incomplete, of another version, or not readable."""

from collections.abc import Iterator

from referee.log.records import Rounds
from tests.support.forge import Line, find, lines
from tools.log_fixtures.base import INCOMPLETE, KEY, NUMBERS, UNREADABLE, UNSUPPORTED, Check, Fixture
from tools.log_fixtures.logs import cafe, plain, played, valid_open
from tools.log_fixtures.play import sealed, view
from tools.log_fixtures.valid import compressed, trust


def incomplete_logs() -> Iterator[Fixture]:
    """Logs in which nothing is wrong as far as they go."""

    def log(name: str, about: str, data: bytes, *warnings: str, key: str = "", level: str = "") -> Fixture:
        check = Check(INCOMPLETE, warnings=warnings, key=key, level=level)
        return Fixture(f"incomplete/{name}.toep", about, data, (check,))

    def cut(count: int) -> bytes:
        """The log without its last lines."""
        return b"".join(whole.splitlines(keepends=True)[:-count])

    whole = cafe()
    trusted = trust(whole)
    score = find(lines(whole), "score")
    for seat, name in ((1, "seat1"), (None, "spectator")):
        yield log(f"view-{name}", "A view of valid/cafe-3-round.toep before its seed is revealed.", view(cut(2), seat),
            "W004", "W005", *trusted)  # fmt: skip
    yield log("view-running", "A view of seat 0 in the middle of a round.",
        view(b"".join(whole.splitlines(keepends=True)[:score]), 0), "W002", "W003", "W005", *trusted)  # fmt: skip
    yield log("unrevealed", "The match is over, and its seed is not revealed.", cut(2), "W004", *trusted)
    yield log("unrevealed-open-seed", "Not revealed, but its seed is declared in the head, so the cards are checked.",
        b"".join(valid_open().splitlines(keepends=True)[:-2]), "W004", *trust(valid_open()))  # fmt: skip
    yield log("unsealed-reveal", "The last seal is missing.", cut(1), "W002", *trusted)
    yield log("unsealed-end", "The end is there, its seal is not.", cut(3), "W002", *trusted)
    yield log("no-end", "The log stops after the seal of a round.", cut(4), "W003", *trusted)
    yield log("unsealed-score", "The log stops before the seal of a round.", cut(5), "W002", "W003", *trusted)
    yield log("unsealed-round", "The log stops in the middle of a round.",
        b"".join(whole.splitlines(keepends=True)[:score]), "W002", "W003", *trusted)  # fmt: skip
    yield log("head-only", "A head and nothing else.", whole.splitlines(keepends=True)[0], "W002", "W003", *trusted)
    yield log("torn", "The last line is cut off in the middle of a round.",
        b"".join(whole.splitlines(keepends=True)[:score]) + whole.splitlines()[score][:9],
        "W001", "W002", "W003", *trusted)  # fmt: skip
    yield log("torn-last-seal", "Only the LF of the last line is missing.", whole[:-1], "W001", "W002", *trusted)
    yield log("torn-head", "A part of a head.", whole[:100], "W001", "W003")
    yield log("torn-nonsense", "What is cut off is not looked at, though it could not become a line.",
        cut(4) + b"\xff\r\n"[:1], "W001", "W003", *trusted)  # fmt: skip
    yield log("empty", "No bytes at all.", b"", "W003")
    signed = played("cafe", 5, NUMBERS["cafe5"], Rounds(rounds=2), clock="ms", signer=KEY, engine="referee 1",
        event="cup")  # fmt: skip
    yield log("signed-cut", "A signed log that stops after the seal of a round.",
        b"".join(signed.splitlines(keepends=True)[:-4]), "W003", *trust(signed, pinned=True), key=KEY.vkey)  # fmt: skip
    yield log("l5-no-key", "Signatures are asked for, and no key is given.", signed, *trust(signed), level="L5")
    yield log("l5-unsigned", "Signatures are asked for, and there are none.", plain(), *trust(plain()), level="L5")


def unsupported_logs() -> Iterator[Fixture]:
    """Logs of another version, which this one does not judge; every hash is right."""

    def log(name: str, about: str, line: int, data: bytes) -> Fixture:
        return Fixture(f"unsupported/{name}.toep", about, data, (Check(UNSUPPORTED, name[:4], line),))

    def head(**fields: object) -> bytes:
        records = lines(plain())
        return sealed([records[0] | fields, *records[1:]])

    def with_line(at: int, record: Line) -> bytes:
        records: list[Line | bytes] = [*lines(plain())]
        return sealed([*records[:at], record, *records[at:]])

    play = find(lines(plain()), "play")
    yield log("E101-dance", "A kind of record that is not known.", play + 1,
        with_line(play, {"_": "dance", "seat": 0}))  # fmt: skip
    yield log("E101-first-line", "A first line of a kind that is not known.", 1, with_line(0, {"_": "prelude"}))
    yield log("E101-refused", "A refused act of a kind that is not known.", score_line(plain()), with_line(
        find(lines(plain()), "score"),
        {"_": "refused", "at": 0, "code": "R-TURN-01", "got": {"_": "dance", "seat": 0}, "salt": "0" * 32, "seat": 0},
    ))  # fmt: skip
    yield log("E102-format", "Another format.", 1, head(fmt="toep/999"))
    yield log("E102-newer-head", "Another format, whose head has a field that this one does not know.", 1,
        head(fmt="toep/999", mood="good"))  # fmt: skip
    yield log("E103-edition", "Another edition of the rules.", 1, head(edition=999))
    yield log("E104-shuffle", "Another shuffle.", 1, head(shuffle="dice/1"))


def score_line(data: bytes) -> int:
    """The 1-based line of the first score."""
    return find(lines(data), "score") + 1


def unreadable_logs() -> Iterator[Fixture]:
    """Compressed files that cannot be decompressed."""
    data = compressed(plain())
    yield Fixture("unreadable/cut.toep.zst", "A compressed log that is cut off in the middle of a frame.", data[:-20],
        (Check(UNREADABLE),))  # fmt: skip
    yield Fixture("unreadable/not-zstd.toep.zst", "A log that is named as if it were compressed.", plain(),
        (Check(UNREADABLE),))  # fmt: skip
