/** Armoede: a seat one point from the end opens the stake (chapter 7). */

import { ask } from "./answers.js";
import type { Log } from "./records.js";
import { clockwiseAfter, filterSeats, firstAfter, seatsOf, type Seat, type Seats } from "./seats.js";
import type { State } from "./state.js";

const OPENING_STAKE = 2;

/** The seats that would open the stake if P6 opened now (R-ARM-02); none when it has opened or cannot. */
function poorSeats(s: State): Seats {
  if (!s.rules.armoede || s.armoedeShut || s.stake !== 1) return 0;
  return filterSeats(s.inRound, (seat) => s.pointsOf(seat) === s.limit - 1);
}

/** "The armoede player" of several: the first clockwise from the dealer's left (H-15). */
function armoedePlayer(s: State, poor: Seats): Seat {
  return firstAfter(poor, s.dealer);
}

/** Who would be asked about armoede, and whose opening it would be. */
export interface ArmoedeDue {
  readonly by: Seat;
  readonly pending: Seats;
}

/**
 * The answers that armoede waits for before P6 has opened; null for none. Everybody else in the round is asked, dood or
 * not (R-ARM-03, R-ARM-04, R-ARM-08).
 */
export function armoedeDue(s: State): ArmoedeDue | null {
  const poor = poorSeats(s);
  if (poor === 0 || poor === s.inRound) return null;
  return { by: armoedePlayer(s, poor), pending: s.inRound & ~poor };
}

/** Opens the stake, and with it P6 (R-ARM-02, R-ARM-03, R-ARM-05, R-ARM-08, H-15, H-17). */
export function openArmoede(s: State, log: Log): void {
  const poor = poorSeats(s);
  s.armoedeShut = true;
  if (poor === 0) return;
  const by = armoedePlayer(s, poor);
  s.stake = OPENING_STAKE;
  s.lastToeper = by;
  s.opened = poor;
  for (const seat of seatsOf(poor)) s.accepted[seat] = OPENING_STAKE;
  if (s.rules.armoede_leads) s.lead = by;
  log.push({ _: "open", seats: clockwiseAfter(poor, s.dealer), stake: OPENING_STAKE });
  ask(s, "armoede", by, { pending: s.inRound & ~poor, autos: 0 }, log);
}

/** Opens P6 with the first act of P7, where nobody had to be asked (H-16). */
export function openUnansweredArmoede(s: State, log: Log): void {
  if (!s.armoedeShut) openArmoede(s, log);
}

/**
 * Who leads the running trick. Before P6 has opened, with nobody to be asked, it is already the armoede player who has
 * to play the card that opens it, where he leads (R-ARM-05).
 */
export function leaderOf(s: State): Seat {
  if (!s.rules.armoede_leads || s.armoedeShut) return s.lead;
  const poor = poorSeats(s);
  return poor === 0 || armoedeDue(s) !== null ? s.lead : armoedePlayer(s, poor);
}
