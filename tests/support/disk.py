"""Disks that fail: what is left of a match's files when the referee, or its machine, stops at some moment.

`Disk` stands for one machine. What is written is in the files at once; what is synced stays whatever happens. When only
the process ends, everything written is left, and perhaps a part of what was being written. When the power is cut, any
beginning of what was not synced is left of each file: files lose what they lose each by itself, so that a later line of
one may be left where an earlier one of another is not.
"""

import random
from typing import Final


class DiskFile:
    """A sink on such a disk."""

    def __init__(self, disk: "Disk", data: bytes = b"") -> None:
        self._disk = disk
        self.data: Final = bytearray(data)
        self.synced = len(data)
        self.under_way = b""
        """What was being written when everything stopped: any part of it may be left."""
        self.closed = False

    def write(self, data: bytes) -> None:
        try:
            self._disk.spend()
        except PowerCut:
            self.under_way = data
            raise
        self.data.extend(data)

    def sync(self) -> None:
        self._disk.spend()
        self.synced = len(self.data)

    def close(self) -> None:
        self.closed = True


class PowerCut(Exception):
    """Everything stops here."""


class Disk:
    """A machine's disk: it works for so many writes and syncs, and then the process is gone."""

    def __init__(self, operations: int | None = None) -> None:
        """``operations``: None, it works for ever."""
        self.left = operations
        self.files: Final[dict[str, DiskFile]] = {}

    def open(self, name: str) -> DiskFile:
        """A file, new or as it stands."""
        stands = bytes(self.files[name].data) if name in self.files else b""
        self.files[name] = DiskFile(self, stands)
        return self.files[name]

    def spend(self) -> None:
        """One operation more; raises `PowerCut` instead of the one that is too many."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise PowerCut

    def crash(self, rng: random.Random, *, power: bool) -> "Disk":
        """The disk that the next process finds."""
        after = Disk()
        for name, file in self.files.items():
            data = bytes(file.data) + file.under_way
            first = file.synced if power else len(file.data)
            after.files[name] = DiskFile(after, data[: rng.randint(min(first, len(data)), len(data))])
        return after
