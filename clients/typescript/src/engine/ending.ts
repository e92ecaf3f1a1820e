/** Points, leaving, the end of rounds and games: chapters 14, 15, 18 and 20. */

import type { Log, OutWhy, VoidWhy } from "./records.js";
import { filterSeats, firstAfter, firstFrom, firstSeats, has, NOBODY, only, seatsOf, size } from "./seats.js";
import type { Seat, Seats } from "./seats.js";
import type { State } from "./state.js";

/** How a round was decided. */
export interface Decision {
  /** Who has won it, or nobody. */
  readonly winner: Seat;
  /** What every other seat in the round pays (R-SCORE-01, R-KANS-01). */
  readonly price: number;
  /** Whether a jack won the last trick, or four of them were shown (R-BOER-01, R-BOER-02). */
  readonly jack?: boolean;
  /** Whose folded card won the last trick (H-05). */
  readonly foldedWinner?: Seat;
}

/** Points as they are shown: under `clamp` never above the limit (R-SCORE-06, H-43). */
export function shownPoints(s: State, points: number): number {
  return s.rules.overshoot === "clamp" ? Math.min(points, s.limit) : points;
}

/** The totals of the match as they are shown. */
export function totals(s: State): number[] {
  return s.points.map((points, seat) => (s.sums[seat] ?? 0) + shownPoints(s, points));
}

function totalsBefore(s: State): number[] {
  return s.before.map((points, seat) => (s.sums[seat] ?? 0) + shownPoints(s, points));
}

/** Everybody in the game who has reached the limit (R-SCORE-07). */
function atLimit(s: State): Seats {
  return s.limitCounts ? filterSeats(s.inGame, (seat) => s.pointsOf(seat) >= s.limit) : 0;
}

/** Takes seats out of the game, all of them together (H-12). */
export function leaveGame(s: State, leavers: Seats, why: OutWhy, log: Log): void {
  if (leavers === 0) return;
  s.leaveOrder += 1;
  for (const seat of seatsOf(leavers)) {
    s.leavings[seat] = { order: s.leaveOrder, before: s.before[seat] ?? 0 };
    log.push({ _: "out", seat, why });
  }
  s.inGame &= ~leavers;
}

function score(s: State, winner: Seat, log: Log): void {
  const earlier = totalsBefore(s);
  const total = totals(s);
  const points = total.map((now, seat) => now - (earlier[seat] ?? 0));
  s.outcome = { points, winner };
  s.inRound = 0;
  s.asking = null;
  log.push({ _: "score", points, total });
}

/** Whether the limit, after `leavers` have left by it, ends the game (R-END-01, R-END-02). */
function endsGame(s: State, leavers: Seats): boolean {
  return s.rules.game_end === "first_out" ? leavers !== 0 : size(s.inGame) <= 1;
}

/** Passes the deal on to the next seat that can take it, if there is one (H-14). */
function dealFrom(s: State, seat: Seat): void {
  if (s.inGame !== 0) s.dealer = firstFrom(s.inGame, seat);
}

function nextDeal(s: State, over: boolean): void {
  if (over) s.stage = "over";
  else s.stage = s.single ? "done" : "shuffle";
}

/** Adds what a round of a rounds match has cost to the totals; the next one starts from 0 points (chapter 20). */
function addToTotals(s: State): void {
  for (let seat = 0; seat < s.seats; seat += 1) {
    s.sums[seat] = (s.sums[seat] ?? 0) + shownPoints(s, s.pointsOf(seat));
  }
  s.points.fill(0);
  s.before.fill(0);
}

/** Closes a round of a rounds match, and moves the deal (chapter 20). */
function closeIndependentRound(s: State): void {
  addToTotals(s);
  s.foldsInRow.fill(0);
  s.dealer = firstAfter(s.inGame, s.dealer);
}

function countWins(s: State, winner: Seat): void {
  for (let seat = 0; seat < s.seats; seat += 1) {
    s.winsInRow[seat] = seat === winner ? (s.winsInRow[seat] ?? 0) + 1 : 0;
  }
}

/** Lets the winner of enough rounds in a row take the seat with the fewest points out (R-KRUIS-01, H-35). */
function applyCrosses(s: State, winner: Seat, log: Log): void {
  const needed = s.rules.crosses;
  if (needed === 0 || (s.winsInRow[winner] ?? 0) < needed) return;
  const others = s.inGame & ~only(winner);
  if (!has(s.inGame, winner) || others === 0) return;
  const fewest = Math.min(...seatsOf(others).map((seat) => s.pointsOf(seat)));
  const victim = firstAfter(filterSeats(others, (seat) => s.pointsOf(seat) === fewest), winner);
  leaveGame(s, only(victim), "crosses", log);
  s.winsInRow[winner] = 0;
}

/** Says who deals the next round, and names a seat also where nobody is left in the game (R-DEAL-05, H-05, H-14). */
function chooseDealer(s: State, decision: Decision): void {
  if (s.rules.next_dealer === "left") return dealFrom(s, s.dealer + 1);
  const won = decision.winner !== NOBODY ? decision.winner : (decision.foldedWinner ?? NOBODY);
  const named = won === NOBODY ? s.dealer : won;
  if (s.inGame === 0) s.dealer = named;
  else dealFrom(s, named);
}

/**
 * Books a decided round (P8) and goes through P9 in its order: jack bonus, limit, crosses, end of the game, next dealer
 * (R-SCORE-01, R-BOER-01, H-31, R-END-01, R-END-02, R-DEAL-05, H-05).
 */
export function finishRound(s: State, decision: Decision, log: Log): void {
  const { winner } = decision;
  for (const seat of seatsOf(s.inRound & ~only(winner))) s.charge(seat, decision.price);
  if (s.rules.jack_bonus && decision.jack === true) s.charge(winner, -1);
  score(s, winner, log);
  if (s.rounds > 0) {
    closeIndependentRound(s);
    nextDeal(s, s.round === s.rounds);
  } else {
    const leavers = atLimit(s);
    leaveGame(s, leavers, "limit", log);
    countWins(s, winner);
    applyCrosses(s, winner, log);
    chooseDealer(s, decision);
    nextDeal(s, endsGame(s, leavers));
  }
  s.round += 1;
  s.attempt = 1;
}

/** Ends the round if at most one seat is left in it; says whether it did (R-FOLD-04, H-40, H-42). */
export function finishIfAlone(s: State, log: Log): boolean {
  if (size(s.inRound) > 1) return false;
  finishRound(s, { winner: firstFrom(s.inRound, 0), price: 0 }, log);
  return true;
}

/**
 * Stops the match in the middle of a round: a first-out game by a penalty (H-11) or a resignation (H-47), a rounds
 * match by a resignation. The round has no winner, and the dealer stays.
 */
export function stopMatch(s: State, log: Log): void {
  score(s, NOBODY, log);
  leaveGame(s, atLimit(s), "limit", log);
  s.stage = "over";
}

/**
 * Makes the running round void: prices for folding are cancelled, but for who has left the game in it, and the same
 * dealer deals again (chapter 20).
 */
export function voidRound(s: State, why: VoidWhy, log: Log): void {
  log.push({ _: "void", why });
  for (const seat of seatsOf(s.inGame)) s.charge(seat, -(s.foldPaid[seat] ?? 0));
  s.foldsInRow = s.foldsBefore.slice();
  score(s, NOBODY, log);
  const leavers = atLimit(s);
  leaveGame(s, leavers, "limit", log);
  if (s.rounds > 0) addToTotals(s);
  dealFrom(s, s.dealer);
  s.attempt += 1;
  nextDeal(s, s.rounds === 0 && endsGame(s, leavers));
}

/** Compares two seats by what decides places: negative when the first one is better (R-END-03). */
function compareSeats(s: State, total: readonly number[], one: Seat, two: Seat): number {
  const [first, second] = [s.leavings[one] ?? null, s.leavings[two] ?? null];
  const byTotal = (total[one] ?? 0) - (total[two] ?? 0);
  if (s.rounds > 0 || s.rules.game_end === "first_out") return byTotal;
  if (first === null || second === null) {
    if (first === second) return byTotal;
    return first === null ? -1 : 1;
  }
  return second.order - first.order || s.pointsOf(one) - s.pointsOf(two) || first.before - second.before;
}

/** The place of each seat, from 1; equal seats share one, and the places after it are skipped (R-END-03, H-12). */
export function places(s: State): number[] {
  const total = totals(s);
  const seats = seatsOf(firstSeats(s.seats));
  return seats.map((seat) => 1 + seats.filter((other) => compareSeats(s, total, other, seat) < 0).length);
}
