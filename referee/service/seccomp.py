"""A filter of system calls for bots in a sandbox: the kernel's store of keys is closed to them.

Keys belong to a user, not to a process or a namespace of files: what one bot of a user keeps there is found by the next
bot that gets this user, days later. The filter is a program for the kernel's classic packet filter, as ``bwrap
--seccomp`` takes it (seccomp(2); the numbers are from the kernel's ``unistd.h`` and ``audit.h``).
"""

import os
import struct
from typing import Final

_LOAD: Final = 0x20
"""Load a word of ``struct seccomp_data``: the number of the call is at 0, the architecture at 4."""
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06

_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | 38
"""ENOSYS, as from a kernel that has no such call."""

_X32: Final = 0x40000000
"""Calls of programs with short pointers, on x86-64 only: the same calls by other numbers."""

_MACHINES: Final = {"x86_64": (0xC000003E, (248, 249, 250)), "aarch64": (0xC00000B7, (217, 218, 219))}
"""By machine: its number, and add_key, request_key and keyctl."""


def no_keys(machine: str = os.uname().machine) -> bytes:
    """The filter for this machine; empty where none is known. Programs for another machine can do nothing at all."""
    if machine not in _MACHINES:
        return b""
    number, calls = _MACHINES[machine]
    # To jump: how many instructions further if it is so, and if not. The last two are to allow and to refuse.
    tests = [(_EQUAL, call) for call in calls] + [(_AT_LEAST, _X32)]
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, number), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, 0)]
    program += [(test, len(tests) - place, 0, value) for place, (test, value) in enumerate(tests)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *one) for one in program)
