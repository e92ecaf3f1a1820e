"""Level L4: do the cards and the salts of the private lines follow from the committed seed?

With a declared seed every deal is checked as it comes. Otherwise nothing can be checked before ``reveal``, and about
130 bytes are kept of each round until then: which card turned up at which place of the pack, in which line, and a
digest of the salts. Of the draw for the first deal its cards are kept.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from referee.cards import INDEX, NAMES, PACK_SIZE
from referee.deal import Deal, Deals, commit
from referee.game.records import Cards, Discard, Draw, Record, Round, Score
from referee.log.records import Entropy, Head, Refused, Reveal
from referee.validate.findings import Fault, Place
from referee.validate.replay import GIVEN_BACK

_PRIVATE: Final = (Cards, Refused, Discard)
_UNKNOWN: Final = 0xFF
_SALT_HEAD: Final = 2
"""Bytes of each salt that are kept besides the digest of all: enough to tell which line is wrong."""


WATCHED: Final = frozenset((Cards, Refused, Discard, Draw, Round, Score, Head, Entropy, Reveal))
"""Kinds of records that say something about the shuffle; `Shuffle.step` passes over others."""

_DRAW: Final = (0, 1)
"""The round and the try that the draw for the first deal is keyed by."""


_DEALT: Final = ("deal", "finale")
"""Reasons of hands, in contrast to cards drawn from the stock."""


class Line(NamedTuple):
    """A private line of a round."""

    place: Place
    salt: bytes


class Kept:
    """What is known of a round's deal: cards by place in the pack, and the private lines in their order."""

    def __init__(self, round_: int, try_: int) -> None:
        self.round: Final = round_
        self.try_: Final = try_
        self.hands = 0
        """The first so many private lines are the hands dealt."""

        self.chances = 0
        """Mask of the private lines that are chance draws."""

        self.cards: Final = bytearray([_UNKNOWN]) * PACK_SIZE
        self.owners: Final = bytearray(PACK_SIZE)
        """By place in the pack, which private line showed its card."""

        self.lines: Final[list[Line]] = []

    def packed(self) -> bytes:
        """All of it in about 100 bytes, the salts as a digest and their first bytes."""
        out = bytearray()
        for number in (self.round, self.try_, self.hands, self.chances, len(self.lines)):
            _put(out, number)
        index = offset = 0
        for line in self.lines:
            _put(out, line.place.index - index)
            _put(out, line.place.offset - offset)
            index, offset = line.place.index, line.place.offset
        out += self.cards
        known = [place for place, card in enumerate(self.cards) if card != _UNKNOWN]
        out += bytes(self.owners[place] for place in known)
        out += b"".join(line.salt[:_SALT_HEAD] for line in self.lines)
        return bytes(out + _digest(line.salt for line in self.lines))


class Unpacked(NamedTuple):
    """The other side of `Kept.packed`."""

    round: int
    try_: int
    hands: int
    chances: int
    places: list[Place]
    cards: bytes
    owners: dict[int, int]
    salt_heads: list[bytes]
    digest: bytes


def unpack(store: bytearray, at: int) -> tuple[Unpacked, int]:
    """The round that starts at a place in the store, and where the next one starts."""
    numbers = []
    for _ in range(5):
        number, at = _get(store, at)
        numbers.append(number)
    round_, try_, hands, chances, count = numbers
    places = []
    index = offset = 0
    for _ in range(count):
        step, at = _get(store, at)
        index += step
        step, at = _get(store, at)
        offset += step
        places.append(Place(index, offset))
    cards, at = bytes(store[at : at + PACK_SIZE]), at + PACK_SIZE
    known = [place for place, card in enumerate(cards) if card != _UNKNOWN]
    owners, at = dict(zip(known, store[at : at + len(known)], strict=True)), at + len(known)
    heads = [bytes(store[start : start + _SALT_HEAD]) for start in range(at, at + count * _SALT_HEAD, _SALT_HEAD)]
    at += count * _SALT_HEAD
    return Unpacked(round_, try_, hands, chances, places, cards, owners, heads, bytes(store[at : at + 32])), at + 32


class Shuffle:
    """Follows the private lines of a log."""

    def __init__(self, seed: bytes | None = None) -> None:
        """``seed``: what the match was dealt from, if that is known before ``reveal`` is read."""
        self._known = seed.hex() if seed else None
        self._head: Head
        self._entropy: list[bytes | None] = []
        self._open: Deals | None = None
        self._deal: Deal | None = None
        self._kept: Kept | None = None
        self._drawn: tuple[Place, list[int]] | None = None
        """The draw for the first deal: its line and its cards."""

        self._store = bytearray()

    def step(self, record: Record, place: Place, places: tuple[int, ...]) -> None:
        """Take the next record; ``places`` are those of the cards in the pack when it has some. Raises `Fault`."""
        if isinstance(record, _PRIVATE):
            self._private(record, place, places)
        elif isinstance(record, Round):
            self._round(record)
        elif isinstance(record, Score):
            if self._kept is not None:
                self._store += self._kept.packed()
                self._kept = None
        elif isinstance(record, Head):
            self._start(record)
        elif isinstance(record, Entropy):
            self._entropy = [bytes.fromhex(value) if value is not None else None for value in record.e]
        elif isinstance(record, Reveal):
            self._reveal(record)
        elif isinstance(record, Draw):
            self._draw(record, place)

    def _start(self, record: Head) -> None:
        self._head = record
        if isinstance(record.open_seed, str) and commit(bytes.fromhex(record.open_seed)) != record.commit:
            raise Fault(
                "E403",
                "the declared seed does not open the commitment",
                pointer="/open_seed",
                expected=f"a seed with commitment {record.commit}",
                actual=commit(bytes.fromhex(record.open_seed)),
            )

    def _round(self, record: Round) -> None:
        seed = self._seed_now()
        if seed is None:
            self._kept = Kept(record.round, record.try_)
            return
        self._deal = self._declared(seed).deal(record.round, record.try_)

    def _seed_now(self) -> str | None:
        """The seed in hex, when cards can be checked as they come."""
        return self._head.open_seed if isinstance(self._head.open_seed, str) else self._known

    def _declared(self, seed: str) -> Deals:
        if self._open is None:
            self._open = Deals(bytes.fromhex(seed), self._head.deals, self._entropy)
        return self._open

    def _draw(self, record: Draw, place: Place) -> None:
        self._drawn = place, [INDEX[name] for _seat, name in record.cards]
        if (seed := self._seed_now()) is not None:
            self._check_draw(self._declared(seed))

    def _check_draw(self, deals: Deals) -> None:
        if self._drawn is None:
            return
        place, drawn = self._drawn
        top = list(deals.deal(*_DRAW).pack[: len(drawn)])
        if drawn != top:
            raise _wrong_cards("E413", top, drawn, place)

    def _private(self, record: Cards | Refused | Discard, place: Place, places: tuple[int, ...]) -> None:
        if self._deal is not None:
            self._check_now(self._deal, record, place, places)
        elif self._kept is not None:
            kept = self._kept
            number = len(kept.lines)
            kept.lines.append(Line(place, bytes.fromhex(str(record.salt))))
            if isinstance(record, Cards):
                if record.why == "chance":
                    kept.chances |= 1 << number
                kept.hands += record.why in _DEALT
                for where, name in zip(places, record.cards, strict=True):
                    if where != GIVEN_BACK:
                        kept.cards[where], kept.owners[where] = INDEX[name], number

    def _check_now(self, deal: Deal, record: Cards | Refused | Discard, place: Place, places: tuple[int, ...]) -> None:
        if isinstance(record, Cards):
            for where, name in zip(places, record.cards, strict=True):
                if where != GIVEN_BACK and deal.pack[where] != INDEX[name]:
                    known = [at for at in places if at != GIVEN_BACK]
                    actual = [INDEX[card] for at, card in zip(places, record.cards, strict=True) if at != GIVEN_BACK]
                    code = "E410" if record.why in _DEALT else "E414" if record.why == "chance" else "E411"
                    raise _wrong_cards(code, [deal.pack[at] for at in known], actual)
        salt = deal.salt(self._head.match, place.index)
        if record.salt != salt:
            raise _wrong_salt(salt, str(record.salt))

    def _reveal(self, record: Reveal) -> None:
        head = self._head
        require_opens(head, record)
        deals = Deals(bytes.fromhex(record.seed), head.deals, self._entropy)
        self._check_draw(deals)
        at = 0
        while at < len(self._store):
            kept, at = unpack(self._store, at)
            self._check_kept(kept, deals.deal(kept.round, kept.try_))

    def _check_kept(self, kept: Unpacked, deal: Deal) -> None:
        wrong = [owner for place, owner in kept.owners.items() if kept.cards[place] != deal.pack[place]]
        first = min(wrong, default=len(kept.places))
        salts = [bytes.fromhex(deal.salt(self._head.match, place.index)) for place in kept.places]
        if _digest(salts) != kept.digest:
            heads = zip(salts, kept.salt_heads, strict=True)
            # Two bytes can agree by chance; then the round is all that can be said, and its first line stands for it.
            odd = next((number for number, (salt, head) in enumerate(heads) if salt[:_SALT_HEAD] != head), 0)
            if odd < first:
                raise _wrong_salt(salts[odd].hex(), f"{kept.salt_heads[odd].hex()}...", kept.places[odd], kept.round)
        if wrong:
            places = [place for place, owner in kept.owners.items() if owner == first]
            raise _wrong_cards(
                "E410" if first < kept.hands else "E414" if kept.chances >> first & 1 else "E411",
                [deal.pack[place] for place in places],
                [kept.cards[place] for place in places],
                kept.places[first],
                kept.round,
            )


def require_opens(head: Head, record: Reveal) -> None:
    """Raise `Fault` unless the revealed seed is the declared one, if one was declared, and opens the commitment."""
    if isinstance(head.open_seed, str) and record.seed != head.open_seed:
        raise Fault("E402", "not the declared seed", pointer="/seed", expected=head.open_seed, actual=record.seed)
    if commit(bytes.fromhex(record.seed)) != head.commit:
        raise Fault(
            "E401",
            "the seed does not open the commitment",
            pointer="/seed",
            expected=f"a seed with commitment {head.commit}",
            actual=commit(bytes.fromhex(record.seed)),
        )


def _wrong_cards(
    code: str, expected: list[int], actual: list[int], place: Place | None = None, deal: int | None = None
) -> Fault:
    return Fault(
        code,
        _NOT_FROM_THE_SEED[code],
        pointer="/cards",
        expected=" ".join(NAMES[card] for card in expected),
        actual=" ".join(NAMES[card] for card in actual),
        place=place,
        deal=deal,
    )


_NOT_FROM_THE_SEED: Final = {
    "E410": "the hand does not follow from the seed",
    "E411": "the cards drawn are not the top of the stock",
    "E413": "the draw does not follow from the seed",
    "E414": "the card drawn is not the top of the stock",
}


def _wrong_salt(expected: str, actual: str, place: Place | None = None, deal: int | None = None) -> Fault:
    return Fault(
        "E412",
        "the salt does not follow from the seed",
        pointer="/salt",
        expected=expected,
        actual=actual,
        place=place,
        deal=deal,
    )


def _digest(salts: Iterator[bytes] | list[bytes]) -> bytes:
    return sha256(b"".join(salts)).digest()


def _put(out: bytearray, number: int) -> None:
    """Append a number from 0 in seven bits a byte."""
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _get(store: bytearray, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = store[at]
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at
