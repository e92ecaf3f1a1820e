/** Starting anywhere: points, counts, and the hands of a round (chapter 21). */

import { pickUpHands } from "./blind.js";
import { cardSet, countCards, type Card } from "./cards.js";
import { beginRound } from "./dealing.js";
import { cardsDealt, FINALE_TRICKS, TRICKS } from "./finale.js";
import type { Ruleset } from "./ruleset.js";
import { filterSeats, firstFrom, MOST_SEATS, seatsOf, size, type Seat } from "./seats.js";
import { State } from "./state.js";

/** Where a match or a single round starts; lists have one entry a seat. */
export interface Start {
  readonly points?: readonly number[] | undefined;
  /** Who deals first; where it is not said the rules decide (R-SEAT-01). */
  readonly dealer?: Seat | undefined;
  readonly lead?: Seat | undefined;
  readonly folds?: readonly number[] | undefined;
  readonly run?: readonly number[] | undefined;
  /** With hands the match is this one round. */
  readonly hands?: readonly (readonly Card[])[] | undefined;
  readonly stock?: readonly Card[] | undefined;
  readonly stake?: number | undefined;
  readonly last?: Seat | undefined;
}

/** A game to the end by the rules, or a fixed number of independent rounds (chapter 20). */
export type Length = "game" | { readonly rounds: number };

/** A start that no table can be in. */
export class StartError extends Error {
  override readonly name = "StartError";
}

function demand(good: boolean, message: string): asserts good {
  if (!good) throw new StartError(message);
}

function checkSeat(seat: Seat | undefined, seats: number, what: string): void {
  demand(seat === undefined || (Number.isInteger(seat) && seat >= 0 && seat < seats), `${what} is no seat`);
}

function perSeat(list: readonly number[] | undefined, seats: number, what: string): number[] {
  demand(list === undefined || list.length === seats, `${what} must have one entry a seat`);
  return list?.slice() ?? new Array<number>(seats).fill(0);
}

function checkCards(hands: readonly (readonly Card[])[], stock: readonly Card[], seats: number): void {
  demand(hands.length === seats, "hands must have one entry a seat");
  const all = [...hands.flat(), ...stock];
  demand(countCards(cardSet(all)) === all.length, "a card is given twice");
}

/** Who is out from the start: whoever is at the limit, and with hands whoever has no cards (chapter 21). */
function removeWhoIsOut(s: State, hands: Start["hands"]): void {
  const atLimit = filterSeats(s.inGame, (seat) => s.pointsOf(seat) >= s.limit);
  const empty = hands === undefined ? 0 : filterSeats(s.inGame, (seat) => hands[seat]?.length === 0);
  demand(hands === undefined || (atLimit & ~empty) === 0, "a seat at the limit has cards");
  const out = atLimit | empty;
  demand(out === 0 || s.rules.game_end === "last_standing", "in a first-out game nobody is out");
  s.inGame &= ~out;
  demand(size(s.inGame) >= 2, "fewer than two seats are in the game");
  for (const seat of seatsOf(out)) s.leavings[seat] = { order: 0, before: s.pointsOf(seat) };
}

/** Puts a round on the table, at its first trick or a later one. */
function layOut(s: State, start: Start, hands: readonly (readonly Card[])[]): void {
  s.single = true;
  beginRound(s);
  s.stock = start.stock?.slice() ?? [];
  for (let seat = 0; seat < s.seats; seat += 1) s.hands[seat] = cardSet(hands[seat] ?? []);
  s.stake = start.stake ?? 1;
  s.accepted.fill(s.stake);
  s.lastToeper = start.last ?? s.lastToeper;
  const held = countCards(s.handOf(firstFrom(s.inGame, 0)));
  demand(seatsOf(s.inGame).every((seat) => hands[seat]?.length === held), "hands are not equally large");
  if (held === cardsDealt(s.finale)) {
    if (!s.blindOpen) pickUpHands(s, []);
    return;
  }
  demand(held <= (s.finale === "none" ? TRICKS : FINALE_TRICKS), "no round has hands of this size");
  s.tricksLeft = held;
  s.midway = true;
  s.blindOpen = false;
  s.chanceOpen = false;
  s.exchangeOpen = false;
  s.armoedeShut = true;
  s.discarded = s.inGame;
  s.begun = s.inGame;
  s.cardFell = true;
}

/** The state in which a match starts (R-PLAY-01, R-SEAT-01, chapter 21). */
export function startState(rules: Ruleset, seats: number, start: Start, length: Length): State {
  demand(Number.isInteger(seats) && seats >= rules.min_players && seats <= MOST_SEATS, "too few or too many seats");
  demand(length === "game" || (Number.isInteger(length.rounds) && length.rounds > 0), "no number of rounds");
  demand(length === "game" || start.points === undefined, "in a rounds match everybody starts with 0 points");
  const s = new State(rules, seats, length === "game" ? 0 : length.rounds);
  checkSeat(start.dealer, seats, "the dealer");
  checkSeat(start.lead, seats, "the lead");
  checkSeat(start.last, seats, "the last toeper");
  s.points = perSeat(start.points, seats, "points");
  s.before = s.points.slice();
  s.foldsInRow = perSeat(start.folds, seats, "folds");
  s.winsInRow = perSeat(start.run, seats, "run");
  s.givenLead = start.lead ?? s.givenLead;
  const { hands } = start;
  if (hands !== undefined) checkCards(hands, start.stock ?? [], seats);
  if (s.limitCounts) removeWhoIsOut(s, hands);
  const drawn = start.dealer === undefined && rules.first_dealer === "low_card";
  s.dealer = start.dealer ?? 0;
  if (hands !== undefined) layOut(s, start, hands);
  else s.stage = drawn ? "draw" : "shuffle";
  return s;
}
