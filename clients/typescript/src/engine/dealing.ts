/** The draw, the cut and the deal (chapter 2), and the beginning of a round. */

import { pickUpHands } from "./blind.js";
import { cardSet, nameOf, PACK_SIZE, rankOf, UNKNOWN, type Card, type CardName } from "./cards.js";
import { cardsDealt, FINALE_TRICKS, nextFinale, TRICKS } from "./finale.js";
import { refusedOutsideRound } from "./phases.js";
import type { CutAct, Log, RuleId } from "./records.js";
import type { Ruleset } from "./ruleset.js";
import { clockwiseAfter, firstAfter, firstBefore, firstFrom, NOBODY, seatsOf, type Seat } from "./seats.js";
import type { State } from "./state.js";

const PACKETS: Readonly<Record<Ruleset["deal_pattern"], number>> = { one_by_one: 1, two_two: 2, four: 4 };

/** Draws for the first deal; the lowest card deals, and ties draw again among themselves (R-SEAT-01, H-48). */
export function drawDealer(s: State, pack: readonly Card[], log: Log): void {
  const drawn: [Seat, CardName][] = [];
  let tied = seatsOf(s.inGame);
  let next = 0;
  while (tied.length > 1) {
    const ranks = tied.map((seat): [Seat, number] => {
      const card = pack[next++];
      if (card === undefined) throw new Error("the pack is too short for the draw");
      drawn.push([seat, nameOf(card)]);
      return [seat, rankOf(card)];
    });
    const lowest = Math.min(...ranks.map(([, rank]) => rank));
    tied = ranks.filter(([, rank]) => rank === lowest).map(([seat]) => seat);
  }
  s.dealer = tied[0] ?? s.dealer;
  s.stage = "shuffle";
  log.push({ _: "draw", cards: drawn });
}

/** Clears what belongs to a round, and says who is in it and who leads (R-LEAD-01, H-14, chapter 21). */
export function beginRound(s: State): void {
  s.finale = nextFinale(s);
  s.inRound = s.inGame;
  s.before = s.points.slice();
  s.foldsBefore = s.foldsInRow.slice();
  s.foldPaid.fill(0);
  s.hands.fill(0);
  s.stock = [];
  s.plays = [];
  s.trickAt = 0;
  s.lead =
    s.round === 1 && s.givenLead !== NOBODY ? firstFrom(s.inRound, s.givenLead) : firstAfter(s.inRound, s.dealer);
  s.played = 0;
  s.tricksLeft = s.finale === "none" ? TRICKS : FINALE_TRICKS;
  s.begun = 0;
  s.cardFell = false;
  s.stake = 1;
  s.accepted.fill(1);
  s.lastToeper = NOBODY;
  s.asking = null;
  s.blindOpen = s.rules.blind;
  s.chanceOpen = true;
  s.exchangeOpen = true;
  s.armoedeShut = false;
  s.blindToeper = NOBODY;
  s.declined = 0;
  s.peeked = 0;
  s.peekedLate = 0;
  s.drew = 0;
  s.exchanged = 0;
  s.laidDown = null;
  s.discarded = 0;
  s.opened = 0;
  s.whistled = 0;
  s.stood = 0;
  s.midway = false;
  s.revokes = [];
  s.denials.fill(0);
  s.mustFollow = 0;
  s.stage = "round";
}

/** Hands out cards in packets from the top of a pack, and leaves the stock (R-DEAL-01, R-DEAL-02, R-DEAL-03). */
export function distribute(
  pack: readonly Card[],
  order: readonly Seat[],
  size: number,
  pattern: Ruleset["deal_pattern"],
): { readonly hands: ReadonlyMap<Seat, readonly Card[]>; readonly stock: readonly Card[] } {
  const hands = new Map(order.map((seat): [Seat, Card[]] => [seat, []]));
  const packet = PACKETS[pattern];
  let next = 0;
  for (let missing = size; missing > 0; missing -= packet) {
    const count = Math.min(packet, missing);
    for (const cards of hands.values()) {
      cards.push(...pack.slice(next, next + count));
      next += count;
    }
  }
  return { hands, stock: pack.slice(next) };
}

/** Gives each seat in the game its cards, in packets from the top of the pack (R-DEAL-01, R-DEAL-02, R-DEAL-03). */
function dealCards(s: State, log: Log): void {
  beginRound(s);
  const order = clockwiseAfter(s.inGame, s.dealer);
  const { hands: received, stock } = distribute(s.pack, order, cardsDealt(s.finale), s.rules.deal_pattern);
  s.stock = stock;
  for (const seat of seatsOf(s.inGame)) {
    const cards = received.get(seat) ?? [];
    s.hands[seat] = cardSet(cards);
    log.push({ _: "cards", cards: cards.map(nameOf), seat, why: s.finale === "none" ? "deal" : "finale" });
  }
  if (!s.blindOpen) pickUpHands(s, log);
}

/** Gives each seat in the game the hand that it is said to have had; the stock is not known (R-DEAL-01). */
export function layHands(s: State, hands: readonly (readonly Card[])[], log: Log): void {
  beginRound(s);
  let dealt = 0;
  for (const seat of seatsOf(s.inGame)) {
    const cards = hands[seat] ?? [];
    s.hands[seat] = cardSet(cards);
    dealt += cards.length;
  }
  s.stock = new Array<Card>(PACK_SIZE - dealt).fill(UNKNOWN);
  if (!s.blindOpen) pickUpHands(s, log);
}

/** Begins a deal with a shuffled pack; without a cut it is dealt at once (R-CUT-01). */
export function offerPack(s: State, pack: readonly Card[], log: Log): void {
  s.pack = pack;
  log.push({ _: "round", dealer: s.dealer, round: s.round, try: s.attempt });
  if (s.rules.cut) s.stage = "cut";
  else dealCards(s, log);
}

/** Deals a pack that was not cut (R-CUT-01). */
export function dealUncut(s: State, log: Log): void {
  dealCards(s, log);
}

/** Whose is the cut: the nearest seat in the game on the dealer's right (R-CUT-01). */
export function cutter(s: State): Seat {
  return s.stage === "cut" ? firstBefore(s.inGame, s.dealer) : NOBODY;
}

/** Why a cut is refused (R-CUT-01, R-TURN-01, R-OUT-01). */
export function refuseCut(s: State, seat: Seat): RuleId | null {
  if (!s.rules.cut) return "R-CUT-01";
  if (s.stage === "cut" && cutter(s) === seat) return null;
  return refusedOutsideRound(s, seat, "R-CUT-01") ?? "R-CUT-01";
}

/** Puts the first cards of the pack under the rest, and deals (R-CUT-01). */
export function cut(s: State, act: CutAct, log: Log): void {
  s.pack = [...s.pack.slice(act.at), ...s.pack.slice(0, act.at)];
  log.push({ _: "cut", at: act.at, seat: act.seat });
  dealCards(s, log);
}
