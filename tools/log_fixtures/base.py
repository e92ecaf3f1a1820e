"""What a fixture is, and what is expected of it."""

import hashlib
from base64 import b64encode
from typing import Any, Final, NamedTuple

from referee.log.note import Signer
from referee.log.records import Rounds
from referee.ruleset import PRESETS

KEY: Final = Signer("test-key.example/not-secret", hashlib.sha256(b"test key of fixtures/log, not secret").digest())
"""A key for these files only. Everybody has its private half, so its signature on anything else means nothing."""


OTHER: Final = Signer(KEY.name, hashlib.sha256(b"another test key of fixtures/log, not secret").digest())


ONE: Final = Rounds(rounds=1)


SHORT: Final = PRESETS["short"]


ALL: Final = PRESETS["classic-all"]


CLUB: Final = PRESETS["club"]


VALID, INVALID, UNREADABLE, UNSUPPORTED, INCOMPLETE = "VALID", "INVALID", "UNREADABLE", "UNSUPPORTED", "INCOMPLETE"


EXIT: Final = {VALID: 0, INVALID: 1, UNREADABLE: 2, UNSUPPORTED: 3, INCOMPLETE: 4}


NUMBERS: Final = {
    "cafe": 1131,
    "cafe5": 805,
    "cafegame": 278,
    "short3": 8,
    "short8": 834,
    "revokes": 58,
    "clubgame": 85,
    "armoede": 45,
    "classic": 13,
    "crosses": 623,
    "rubber": 820,
    "rubbergame": 698,
    "jack": 883,
    "overtoep": 18,
    "signs": 932,
}
"""Of matches by lot: found by trying, for the records in them and for being short."""


WRONG_ROOT: Final = b64encode(bytes(32)).decode()


class Check(NamedTuple):
    """What is expected of a file, checked with some options."""

    verdict: str
    code: str = ""
    """Of the first error."""

    line: int = 0
    rule: str = ""
    warnings: tuple[str, ...] = ()
    key: str = ""
    level: str = ""

    def fields(self, file: str, about: str) -> dict[str, Any]:
        """An entry of ``verify`` in the expectations."""
        fields: dict[str, Any] = {"about": about, "exit": EXIT[self.verdict], "file": file, "findings": []}
        if self.code:
            finding: dict[str, Any] = {"code": self.code, "level": f"L{self.code[1]}", "line": self.line}
            fields["findings"] = [finding | ({"rule": self.rule} if self.rule else {})]
        options = {name: value for name, value in (("key", self.key), ("level", self.level)) if value}
        return fields | ({"options": options} if options else {}) | {
            "verdict": self.verdict, "warnings": sorted(self.warnings),
        }  # fmt: skip


class Fixture(NamedTuple):
    """A file, and what is expected of it."""

    file: str
    about: str
    data: bytes
    checks: tuple[Check, ...]


class Pair(NamedTuple):
    """Two files for ``toep diff --fork``."""

    about: str
    a: str
    b: str
    result: str
    line: int = 0
    """The first one that differs."""

    n: tuple[int, int] | None = None
    """Of the seals that contradict each other."""

    key: str = ""

    def fields(self) -> dict[str, Any]:
        """An entry of ``fork`` in the expectations."""
        exits = {"FORK": 5, "NO FORK": 0, "NOTHING PROVEN": 4, "DIFFERENT MATCHES": 2}
        return {
            "a": self.a, "about": self.about, "b": self.b, "exit": exits[self.result],
            **({"line": self.line} if self.line else {}), **({"n": list(self.n)} if self.n else {}),
            **({"options": {"key": self.key}} if self.key else {}), "result": self.result,
        }  # fmt: skip
