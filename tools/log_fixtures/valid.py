"""Logs in which nothing is wrong."""

from collections.abc import Iterator

import zstandard

from referee.log.records import Conduct, Rounds
from tests.support.forge import lines
from tools.log_fixtures.base import KEY, NUMBERS, VALID, Check, Fixture
from tools.log_fixtures.logs import (
    alike,
    blind,
    cafe,
    chance,
    contributed,
    crashed,
    extended,
    finale,
    forfeited,
    house_blind,
    last_point,
    late_kinds,
    lateness,
    left,
    left_game,
    named,
    old_hand,
    peek,
    plain,
    played,
    quiet,
    refusals,
    resigned,
    ruled,
    simultaneous,
)
from tools.log_fixtures.play import Table, rules, view
from tools.log_fixtures.policies import banked, by_lot, excused, slow_without_bank, stubborn, voided, waited


def trust(data: bytes, *, pinned: bool = False) -> tuple[str, ...]:
    """The warnings about a log that is right as far as it goes."""
    records = lines(data)
    head = records[0]
    found = {
        "W011": "open_seed" in head,
        "W010": "open_seed" not in head and all(record["_"] != "entropy" for record in records),
        "W012": head["isolation"] == "none",
        "W013": "key" not in head,
        "W014": "key" in head and not pinned,
    }
    return tuple(code for code, there in found.items() if there)


def valid(name: str, about: str, data: bytes, *parts: str) -> Fixture:
    """A log in which nothing is wrong, and in which these texts occur."""
    missing = [part for part in parts if part.encode() not in data]
    assert not missing, (name, missing)
    checks = [Check(VALID, warnings=trust(data))]
    if "key" in lines(data)[0]:
        checks.append(Check(VALID, warnings=trust(data, pinned=True), key=KEY.vkey))
        checks.append(Check(VALID, warnings=trust(data, pinned=True), key=KEY.vkey, level="L5"))
    return Fixture(f"valid/{name}.toep", about, data, tuple(checks))


def valid_logs() -> Iterator[Fixture]:
    """Every preset and every kind of record, in few lines."""
    yield valid("cafe-3-round", "One round of three seats with an exchange, a challenge and a toep.", cafe(),
        '"_":"exchange"', '"_":"challenge"', '"_":"penalty"', '"_":"toep"')  # fmt: skip
    yield valid("cafe-5-signed-ms", "Two rounds of five seats, with a clock, signed, engine and event named.",
        played("cafe", 5, NUMBERS["cafe5"], Rounds(rounds=2), clock="ms", signer=KEY, engine="referee 1", event="cup"),
        '"ms":', '"engine"', '"event"')  # fmt: skip
    yield valid("cafe-3-game", "A whole game of three seats to the first one who has ten points.",
        played("cafe", 3, NUMBERS["cafegame"], "game", 30), '"_":"out"', '"why":"limit"')  # fmt: skip
    yield valid("short-2-plain", "The least that a round can be: two seats, eight cards.", plain())
    yield valid(
        "short-3-game-signed",
        "A game to three points, signed, with a clock.",
        played(rules("short", limit=3), 3, NUMBERS["short3"], "game", clock="ms", signer=KEY),
        '"_":"fold"',
        '"_":"out"',
    )
    yield valid("short-8-open-seed", "Eight seats; the seed is declared in the head.",
        played("short", 8, NUMBERS["short8"], declared=True, isolation="none"), '"open_seed"')  # fmt: skip
    yield valid("club-2-finale", "Two seats under a rule by which two play a finale: eleven cards, three laid away.",
        finale(), '"why":"finale"', '"_":"discard"')  # fmt: skip
    yield valid("club-3-revokes", "Revokes: one is taken back, one is paid for, one is proven and voids the round.",
        played("club", 3, NUMBERS["revokes"], Rounds(rounds=3), 40),
        '"confess","card"', '"confess","pay":2', '"void","why":"revoke"', '"try":2')  # fmt: skip
    yield valid("club-3-game", "Armoede in which the poor lead, and totals beyond the limit.",
        played(rules("club", limit=3), 3, NUMBERS["clubgame"], "game"), '"_":"open"', '"_":"out"')  # fmt: skip
    yield valid(
        "classic-4-armoede",
        "The poor open the stake; who has no points left goes along by himself.",
        played(rules("classic", limit=3), 4, NUMBERS["armoede"], "game"),
        '"_":"open"',
        '"_":"auto"',
        '"_":"stay"',
    )
    yield valid("classic-3-round", "One round of the classic rules, with a toep.",
        played("classic", 3, NUMBERS["classic"]), '"_":"toep"')  # fmt: skip
    yield valid("classic-all-5-blind", "Looking too early, a blind toep that is declined, and a look after that.",
        blind(), '"_":"peek"', '"_":"blind"', '"R-BLIND-04"')  # fmt: skip
    yield valid("classic-all-4-peek", "A look at one's cards too early, which costs a point.", peek(), '"R-DEAL-04"')
    yield valid("classic-all-4-chance-miss", "A card is drawn to three alike and does not fit.", chance(hit=False),
        '"_":"chance"')  # fmt: skip
    yield valid("classic-all-4-chance-hit", "A card is drawn to three alike, and four alike are shown.",
        chance(hit=True), '"_":"chance"', '"_":"show"')  # fmt: skip
    yield valid("classic-all-8-four-alike", "Four alike are dealt and shown when hands are picked up.", alike(),
        '"_":"show"')  # fmt: skip
    yield valid("classic-all-4-game", "A game with crosses: who has lost often enough is out.",
        played(rules("classic-all", limit=4, crosses=1), 4, NUMBERS["crosses"], "game"), '"why":"crosses"')  # fmt: skip
    yield valid("classic-all-3-old-hand", "A caught bluffer takes his old hand back.", old_hand(), '"genuine":false')
    yield valid("rubber-4-cut-draw", "The first dealer is drawn, the pack is cut, somebody whistles or stands up.",
        played("rubber", 4, NUMBERS["rubber"], declared=True), '"_":"draw"', '"_":"cut"', '"_":"signal"')  # fmt: skip
    yield valid(
        "rubber-5-game",
        "A game of the rubber preset down to the last one.",
        played(rules("rubber", limit=2), 5, NUMBERS["rubbergame"], "game"),
        '"_":"draw"',
        '"_":"cut"',
        '"_":"out"',
    )
    yield valid("sealed-answers", "Answers are given by all at once and listed by seat; one seat is stood in for after "
        "three refusals.", simultaneous())  # fmt: skip
    yield valid(
        "jack-bonus",
        "Who wins the last trick with a jack gets a point back.",
        played(rules("short", jack_bonus=True, deal_pattern="one_by_one"), 3, NUMBERS["jack"]),
        '"points":[-1,',
    )
    yield valid("over-toep", "A toep is answered by a toep.",
        played(rules("short", overtoep_as_answer=True), 3, NUMBERS["overtoep"]))  # fmt: skip
    yield valid(
        "signs-owed",
        "A sign was forgotten, which costs a point.",
        played(rules("short", signals="penalty", four_alike="stand"), 8, NUMBERS["signs"], eager=5),
        '"R-FLUIT-04"',
    )
    yield valid("refusals", "Refused acts of every kind, in the order of at, then seat.", refusals(), '"not_asked"',
        '"malformed"', '"too_large"', '"unknown"', '"R-CARD-01"')  # fmt: skip
    yield valid("late-ms", "A seat is late, with a clock, and the referee plays for it.", lateness("ms"), '"elapsed"')
    yield valid("late-none", "A seat is late, without a clock.", lateness("none"), '"_":"late"')
    yield valid("forfeit-faults", "A seat is forfeited after two acts of the referee in its place.",
        forfeited(), '"why":"faults"')  # fmt: skip
    yield valid("forfeit-left", "A bot hangs up, and its seat is forfeited.", left(), '"why":"left"')
    yield valid("forfeit-game", "A bot hangs up in a game of three, and the two others play on.", left_game(),
        '"out","seat":0,"why":"forfeit"')  # fmt: skip
    yield valid("late-kinds", "Four causes of a late answer; the referee lays cards away and folds.",
        late_kinds(), '"host"', '"referee"', '"link"', '"sandbox"')  # fmt: skip
    yield valid("late-bank", "Banks, an increment and more time for the first act; a bank is used up.",
        banked(), '"bank_ms":500', '"_":"late"', '"budget":1')  # fmt: skip
    yield valid("late-excused", "Lateness of the host and the referee is no fault, and the seat's own forfeits it.",
        excused(), '"stall":"excuse"', '"host"', '"referee"', '"why":"faults"')  # fmt: skip
    yield valid("late-void", "The host stood still: the round is void and dealt again.",
        voided(), '"stall":"void"', '"void","why":"crash"', '"try":2')  # fmt: skip
    yield valid("left-waited", "A bot leaves and is waited for; it is forfeited for what it missed.",
        waited(), '"left":"wait"', '"link_faults":2', '"link"', '"why":"faults"')  # fmt: skip
    yield valid("late-lot-excused", "Late, refused and toeping by lot, with banks; what the host does is excused.",
        by_lot("excuse", 4, 6, stall="excuse"), '"host"', '"bot"', '"refused"', '"_":"toep"')  # fmt: skip
    yield valid("late-lot-void", "The same, where the host's doing makes the round void.",
        by_lot("void", 3, 8, stall="void"), '"host"', '"bot"', '"refused"', '"why":"crash"')  # fmt: skip
    yield valid("late-lot-counted", "The same, where it counts, and a seat is forfeited.",
        by_lot("count", 5, 8, late_faults=3), '"host"', '"bot"', '"why":"faults"')  # fmt: skip
    yield valid(
        "late-no-bank", "Without a bank a seat saves nothing.", slow_without_bank(), '"ms":999', '"budget":1000'
    )
    yield valid("refused-faults", "A seat is forfeited for what was refused; being late is another kind of fault.",
        stubborn(), '"refused_faults":2', '"late"', '"why":"faults"')  # fmt: skip
    yield valid("out-by-penalty", "A look at one's cards too early costs the last point.", last_point(),
        '"why":"penalty"')  # fmt: skip
    house = rules("short", next_dealer="left", no_follower="suit_then_rank", toep_who="on_turn")
    yield valid("house-rules", "Options that no preset has: who deals next, who may toep, which card wins.",
        played(house, 4, 0, Rounds(rounds=2)))  # fmt: skip
    yield valid("house-blind", "A blind toep to two, by whoever likes.", house_blind(), '"blind","seat":3,"stake":2')
    yield valid("resign-game", "A player gives up, and the game goes on.", resigned(), '"_":"resign"')
    yield valid("void-crash", "The table crashed; the round is dealt again as try 2, and a later round counts.",
        crashed(), '"void","why":"crash"', '"try":2')  # fmt: skip
    yield valid("void-cancelled", "The only round is called off, and the match is abandoned.", quiet(),
        '"void","why":"cancelled"', '"abandoned"')  # fmt: skip
    yield valid("max-deals", "The match has used up its deals and is abandoned.",
        played("short", 2, 0, "game", 0, conduct=Conduct(max_deals=2)), '"abandoned"')  # fmt: skip
    yield valid("nothing-played", "A match that was over before its first round.", Table(name="nothing").close())
    yield valid("entropy", "Two of three players added to the shuffle.", contributed(), '"_":"entropy"', "null")
    yield valid("rulings", "Decisions of the organiser, which change nothing.", ruled(), '"_":"ruling"')
    yield valid("names", "Display names beyond ASCII, with quotation marks; a bot with a key.", named())
    yield valid("extensions", "Fields that begin with x_, and a line of exactly 16384 bytes.", extended(), '"x_note"')
    for seat, name in ((1, "seat1"), (None, "spectator")):
        yield valid(f"view-{name}", "A view of cafe-3-round.toep with its seed, from which every hidden line follows.",
            view(cafe(), seat), '"_":"~"')  # fmt: skip
    yield valid("view-blind", "A view of a seat that never looked at its hand, so that this is hidden from it too.",
        view(blind(), 4), '"_":"~"')  # fmt: skip
    yield valid("cafe-4-long", "Many rounds: seals over some hundred lines.",
        played("cafe", 4, 1, Rounds(rounds=20), 20, clock="ms", signer=KEY))  # fmt: skip
    yield valid("classic-all-8-long", "A whole game of eight seats under the richest preset.",
        played("classic-all", 8, 1, "game", 15))  # fmt: skip
    yield valid("club-5-long", "A whole game of five seats under the rules of a club, with a clock.",
        played("club", 5, 1, "game", 15, clock="ms"))  # fmt: skip
    yield valid("rubber-5-long", "A whole game of five seats for a rubber.", played("rubber", 5, 1, "game", 15))
    yield Fixture("valid/cafe-3-round.toep.zst", "The same as cafe-3-round.toep, compressed with zstd in two frames.",
        compressed(cafe()), (Check(VALID, warnings=trust(cafe())),))  # fmt: skip


def compressed(data: bytes) -> bytes:
    """Two frames of zstd, divided within a line."""
    half = len(data) // 2
    return b"".join(zstandard.ZstdCompressor(level=9).compress(part) for part in (data[:half], data[half:]))
