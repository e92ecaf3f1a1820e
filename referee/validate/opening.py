"""What a view hides, written anew once the seed is known: salts and cards follow from it, and a leaf tells whether the
line that was written is the one that is hidden."""

from base64 import b64decode
from collections.abc import Iterable
from typing import Final

import msgspec

from referee.deal import Deal, Deals
from referee.game.records import Record, Round
from referee.log.canonical import encode
from referee.log.records import Entropy, Head, Redacted, Refused
from referee.log.tree import leaf_hash
from referee.validate.findings import Fault, Place
from referee.validate.replay import Private, Replay

_SALT_FIELD: Final = b'"salt":"'
_NO_SALT_FIELD: Final = _SALT_FIELD + b'"'


class Opener:
    """Follows a view whose seed is known, and opens its hidden lines."""

    def __init__(self, seed: bytes) -> None:
        """``seed``: 32 bytes that open the commitment of the head."""
        self.opened = 0
        self.seed: Final = seed
        self._head: Head
        self._entropy: list[bytes | None] = []
        self._deal: Deal | None = None
        self._refusals: list[tuple[Private, bytes]] | None = None
        """What may have been refused in this round, each with its line; made once a round."""

    def step(self, record: Record) -> None:
        """Take a record of the view, before its hidden lines are asked for."""
        if isinstance(record, Round):
            self._deal = Deals(self.seed, self._head.deals, self._entropy).deal(record.round, record.try_)
            self._refusals = None
        elif isinstance(record, Head):
            self._head = record
        elif isinstance(record, Entropy):
            self._entropy = [bytes.fromhex(value) if value is not None else None for value in record.e]

    def open(self, hidden: Redacted, place: Place, replay: Replay) -> Private | None:
        """The line that is hidden here; None for a refusal that cannot be worked out.

        Raises `Fault`: E415 when it is not what the seed deals, E397 when it can be nothing that stands here.
        """
        if self._deal is None:
            raise _nothing()
        salt = self._deal.salt(self._head.match, place.index)
        wanted = b64decode(hidden.hash)
        possible = replay.private(self._deal.pack)
        if possible.kind is Refused:
            if self._refusals is None:
                self._refusals = [(record, encode(record)) for record in possible.records]
            candidates: Iterable[tuple[Private, bytes]] = self._refusals
        else:
            candidates = ((record, encode(record)) for record in possible.records)
        found = _search(candidates, salt, wanted)
        if found is not None:
            self.opened += 1
        elif possible.certain:
            raise Fault(
                "E415",
                "the hidden line is not the one that follows from the seed",
                pointer="/hash",
                expected=possible.kind.__struct_config__.tag,
                rule=possible.rule,
            )
        elif possible.kind is not Refused:
            raise _nothing()
        return found


def _nothing() -> Fault:
    return Fault("E397", "no private line that may stand here has this hash", pointer="/hash")


def _search(candidates: Iterable[tuple[Private, bytes]], salt: str, wanted: bytes) -> Private | None:
    """The record whose line has this leaf once it is salted."""
    field = _SALT_FIELD + salt.encode() + b'"'
    for record, line in candidates:
        if leaf_hash(line.replace(_NO_SALT_FIELD, field, 1)) == wanted:
            return msgspec.structs.replace(record, salt=salt)
    return None
