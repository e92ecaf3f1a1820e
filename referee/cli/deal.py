"""Show the pack that a public, declared seed deals, and who gets which cards.

example:
  toep deal --seed 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff --seats 4 --rules cafe
  toep deal --seed-file seed.hex --round 3 --json

The seed is 64 hex digits. Whoever knows it knows every card: never give the seed of a match that is still to be
played. The cards are those of a match whose players gave no entropy.
"""

import argparse
import json
from pathlib import Path
from typing import Final

from referee.cards import NAMES
from referee.cli.exits import VALID, CommandError
from referee.cli.options import read_seed
from referee.cli.rules import read_rules
from referee.deal import Deals
from referee.game.dealing import packets
from referee.game.game import require_seats
from referee.ruleset import DEFAULT_PRESET, RulesetError

HAND: Final = 4
MOST: Final = 2**32 - 1
"""Rounds and tries are keyed by four bytes."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The seed, and which of its deals."""
    seed = parser.add_mutually_exclusive_group(required=True)
    seed.add_argument("--seed", metavar="HEX", help="the seed, 64 hex digits")
    seed.add_argument("--seed-file", metavar="FILE", type=Path, help="a file with the seed in hex")
    parser.add_argument("--deals", metavar="NAME", default="", help="the name of the deal set (default: none)")
    parser.add_argument("--round", metavar="N", type=int, default=1, help="the round, from 1 (default: 1)")
    parser.add_argument("--try", metavar="N", type=int, default=1, dest="try_", help="the try, from 1 (default: 1)")
    parser.add_argument("--seats", metavar="N", type=int, default=4, help="how many players (default: 4)")
    parser.add_argument("--dealer", metavar="SEAT", type=int, default=0, help="who deals (default: seat 0)")
    parser.add_argument("--rules", metavar="R", default=DEFAULT_PRESET, help="a preset or a JSON object of options")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the deal. Raises `CommandError` for a seed, a name or a number that is none."""
    rules = read_rules(args.rules)
    try:
        require_seats(rules, args.seats)
    except RulesetError as error:
        raise CommandError(str(error)) from None
    if not 0 <= args.dealer < args.seats:
        raise CommandError(f"--dealer: {args.dealer} is not a seat; there are 0..{args.seats - 1}")
    for option, number in (("--round", args.round), ("--try", args.try_)):
        if not 1 <= number <= MOST:
            raise CommandError(f"{option}: {number} is not allowed; it may be 1..{MOST}")
    if not args.deals.isascii():
        raise CommandError("--deals: only ASCII characters are allowed in the name of a deal set")
    pack = Deals(_seed(args), args.deals).deal(args.round, args.try_).pack
    hands, stock = hand_out(pack, args.seats, args.dealer, rules.deal_pattern)
    if args.json:
        names = [[NAMES[card] for card in hand] for hand in hands]
        print(json.dumps({"pack": [NAMES[c] for c in pack], "hands": names, "stock": [NAMES[c] for c in stock]}))
        return VALID
    print(f"pack    {_spelled(pack)}")
    for seat, hand in enumerate(hands):
        print(f"seat {seat}  {_spelled(hand)}{'  (dealer)' if seat == args.dealer else ''}")
    print(f"stock   {_spelled(stock)}")
    return VALID


def _seed(args: argparse.Namespace) -> bytes:
    seed = read_seed(args)
    if seed is None:
        raise CommandError("give --seed HEX or --seed-file FILE")
    return seed


def hand_out(pack: tuple[int, ...], seats: int, dealer: int, pattern: str) -> tuple[list[list[int]], list[int]]:
    """(hands by seat, stock), as card indexes in the order of the pack; everybody gets four cards."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    top = 0
    for packet in packets(pattern, HAND):
        for step in range(1, seats + 1):
            hands[(dealer + step) % seats].extend(pack[top : top + packet])
            top += packet
    return hands, list(pack[top:])


def _spelled(cards: list[int] | tuple[int, ...]) -> str:
    return " ".join(NAMES[card] for card in cards)
