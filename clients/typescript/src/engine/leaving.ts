/** Penalties in the middle of a round, giving up, and being taken out: H-11, H-47 and chapter 20. */

import { goOnWithout } from "./answers.js";
import { leaveGame, stopMatch } from "./ending.js";
import type { ForfeitWhy, Log, OutWhy, RuleId } from "./records.js";
import { only, type Seat } from "./seats.js";
import type { State } from "./state.js";

/**
 * Takes one seat out in the middle of a round, and the match with it where nobody plays on (H-11, H-47). In a rounds
 * match nobody is out: it stops with what is booked (chapter 20).
 */
function takeOut(s: State, seat: Seat, why: OutWhy, log: Log): void {
  if (s.rounds > 0) return stopMatch(s, log);
  leaveGame(s, only(seat), why, log);
  if (s.rules.game_end === "first_out") stopMatch(s, log);
  else goOnWithout(s, seat, log);
}

/**
 * Charges a penalty at once. Before the first card of the round the limit is tested at once too, later at the end of
 * the round; in a rounds match never (H-11).
 */
export function penalise(s: State, seat: Seat, points: number, why: RuleId, log: Log): void {
  s.charge(seat, points);
  log.push({ _: "penalty", points, seat, why });
  if (s.limitCounts && !s.cardFell && s.pointsOf(seat) >= s.limit) takeOut(s, seat, "penalty", log);
}

function giveUp(s: State, seat: Seat, why: "resign" | "forfeit", log: Log): void {
  s.points[seat] = Math.max(s.pointsOf(seat), s.limit);
  takeOut(s, seat, why, log);
}

/** Lets a seat give up the game (H-47). */
export function resign(s: State, seat: Seat, log: Log): void {
  log.push({ _: "resign", seat });
  giveUp(s, seat, "resign", log);
}

/** Takes a seat out by a decision of the referee, with the effect of resigning (H-47). */
export function forfeit(s: State, seat: Seat, why: ForfeitWhy, log: Log): void {
  log.push({ _: "forfeit", seat, why });
  giveUp(s, seat, "forfeit", log);
}
