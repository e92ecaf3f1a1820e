/** Starting anywhere: points, counts, and the hands of a round (chapter 21). */

import { pickUpHands } from "./blind.js";
import { cardSet, countCards, type Card } from "./cards.js";
import { beginRound } from "./dealing.js";
import { cardsDealt, FINALE_TRICKS, TRICKS } from "./finale.js";
import type { Ruleset } from "./ruleset.js";
import { filterSeats, firstFrom, has, MOST_SEATS, seatsOf, size, type Seat } from "./seats.js";
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

/** Which part of a start is wrong. */
export type StartFault =
  | "bad_seats"
  | "bad_points"
  | "bad_dealer"
  | "bad_lead"
  | "bad_hands"
  | "bad_stake"
  | "bad_last"
  | "bad_folds"
  | "bad_run"
  | "card_twice"
  | "no_cards"
  | "not_enough_players";

/** A start that no table can be in. */
export class StartError extends Error {
  override readonly name = "StartError";

  constructor(
    message: string,
    readonly code: StartFault,
  ) {
    super(message);
  }
}

function demand(good: boolean, code: StartFault, message: string): asserts good {
  if (!good) throw new StartError(message, code);
}

function checkSeat(seat: Seat | undefined, seats: number, code: StartFault, what: string): void {
  demand(seat === undefined || (Number.isInteger(seat) && seat >= 0 && seat < seats), code, `${what} is no seat`);
}

function perSeat(list: readonly number[] | undefined, seats: number, code: StartFault): number[] {
  demand(list === undefined || list.length === seats, code, "a list must have one entry a seat");
  return list?.slice() ?? new Array<number>(seats).fill(0);
}

function checkCards(hands: readonly (readonly Card[])[], stock: readonly Card[], seats: number): void {
  demand(hands.length === seats, "bad_hands", "hands must have one entry a seat");
  const all = [...hands.flat(), ...stock];
  demand(countCards(cardSet(all)) === all.length, "card_twice", "a card is given twice");
}

/** Who is out from the start: whoever is at the limit, and with hands whoever has no cards (chapter 21). */
function removeWhoIsOut(s: State, hands: Start["hands"]): void {
  const atLimit = filterSeats(s.inGame, (seat) => s.pointsOf(seat) >= s.limit);
  const empty = hands === undefined ? 0 : filterSeats(s.inGame, (seat) => hands[seat]?.length === 0);
  demand(hands === undefined || (atLimit & ~empty) === 0, "bad_hands", "a seat at the limit has cards");
  const out = atLimit | empty;
  const fault = atLimit === 0 ? "bad_hands" : "bad_points";
  demand(out === 0 || s.rules.game_end === "last_standing", fault, "in a first-out game nobody is out");
  s.inGame &= ~out;
  demand(size(s.inGame) >= 2, "not_enough_players", "fewer than two seats are in the game");
  for (const seat of seatsOf(out)) s.leavings[seat] = { order: 0, before: s.pointsOf(seat) };
}

/** Seats that a start names lead, or have toeped, in its first round: they are in it. */
function checkPlayers(s: State, { lead, last }: Start): void {
  demand(lead === undefined || has(s.inGame, lead), "bad_lead", "who leads is out");
  demand(last === undefined || has(s.inGame, last), "bad_last", "the last toeper is out");
}

/** What only hands can be given with (chapter 21). */
function checkWithoutHands({ stock, stake, last }: Start): void {
  demand(stock === undefined || stock.length === 0, "no_cards", "a stock without hands");
  demand(stake === undefined || stake === 1, "bad_stake", "a stake without hands");
  demand(last === undefined, "bad_last", "a last toeper without hands");
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
  demand(seatsOf(s.inGame).every((seat) => hands[seat]?.length === held), "bad_hands", "hands are not equally large");
  if (held === cardsDealt(s.finale)) {
    demand(!s.blindOpen || s.stake === 1, "bad_stake", "the stake is 1 while hands lie unseen");
    if (!s.blindOpen) pickUpHands(s, []);
    return;
  }
  demand(held <= (s.finale === "none" ? TRICKS : FINALE_TRICKS), "bad_hands", "no round has hands of this size");
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
  demand(Number.isInteger(seats) && seats >= rules.min_players && seats <= MOST_SEATS, "bad_seats", "too few or too many seats");
  demand(length === "game" || (Number.isInteger(length.rounds) && length.rounds > 0), "bad_seats", "no number of rounds");
  demand(length === "game" || start.points === undefined, "bad_points", "in a rounds match everybody starts with 0 points");
  const s = new State(rules, seats, length === "game" ? 0 : length.rounds);
  checkSeat(start.dealer, seats, "bad_dealer", "the dealer");
  checkSeat(start.lead, seats, "bad_lead", "the lead");
  checkSeat(start.last, seats, "bad_last", "the last toeper");
  s.points = perSeat(start.points, seats, "bad_points");
  s.before = s.points.slice();
  s.foldsInRow = perSeat(start.folds, seats, "bad_folds");
  s.winsInRow = perSeat(start.run, seats, "bad_run");
  s.givenLead = start.lead ?? s.givenLead;
  const { hands } = start;
  if (hands === undefined) checkWithoutHands(start);
  else checkCards(hands, start.stock ?? [], seats);
  if (s.limitCounts) removeWhoIsOut(s, hands);
  checkPlayers(s, start);
  const drawn = start.dealer === undefined && rules.first_dealer === "low_card";
  s.dealer = start.dealer ?? 0;
  if (hands !== undefined) layOut(s, start, hands);
  else s.stage = drawn ? "draw" : "shuffle";
  return s;
}
