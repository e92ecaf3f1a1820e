/** The course of a round: which windows are open, and the reasons that come before all others (chapter 3, Part 4). */

import { openArmoede, openUnansweredArmoede } from "./armoede.js";
import { pickUpHands } from "./blind.js";
import { rankWith } from "./cards.js";
import type { Log, RuleId } from "./records.js";
import { filterSeats, has, type Seat, type Seats } from "./seats.js";
import type { State } from "./state.js";

/** The reasons G1 to G3, which do not look at the round (R-TURN-01, R-OUT-01). */
export function refusedOutsideRound(s: State, seat: Seat, noRound: RuleId = "R-TURN-01"): RuleId | null {
  if (s.stage === "over") return "R-TURN-01";
  if (!has(s.inGame, seat)) return "R-OUT-01";
  return s.stage === "round" ? null : noRound;
}

/** The general reasons G1 to G4 (R-TURN-01, R-OUT-01). */
export function refusedGenerally(s: State, seat: Seat, noRound: RuleId = "R-TURN-01"): RuleId | null {
  return refusedOutsideRound(s, seat, noRound) ?? (has(s.inRound, seat) ? null : "R-OUT-01");
}

/** Whether discards are still to be made, now or once P2 is closed (R-GRAF-01, H-37). */
export function discardsToCome(s: State): boolean {
  return s.finale === "discards" && (s.inRound & ~s.discarded) !== 0;
}

/** Whether a required answer is outstanding: to a toep, a blind toep or armoede, or a discard (chapter 3). */
export function outstanding(s: State): boolean {
  return s.asking !== null || (!s.blindOpen && discardsToCome(s));
}

/** The seats in the round that hold four of a kind, where that wins (R-KANS-01). */
export function fourAlike(s: State): Seats {
  if (s.rules.four_alike !== "win" || s.finale !== "none") return 0;
  return filterSeats(s.inRound, (seat) => rankWith(s.handOf(seat), 4) >= 0);
}

/** Whether four alike have to be shown before anything that closes P2 (R-KANS-01). */
export function fourAlikeToShow(s: State): boolean {
  return s.blindOpen && fourAlike(s) !== 0;
}

/** Shuts P2, as every act of a later phase does. */
export function seeHands(s: State): void {
  s.blindOpen = false;
}

/** Shuts what an act of P5 shuts (R-KANS-03, H-24). */
export function enterExchange(s: State): void {
  s.blindOpen = false;
  s.chanceOpen = false;
}

/** Shuts what an act of P6 shuts (R-WAS-10). */
export function enterArmoede(s: State): void {
  enterExchange(s);
  s.exchangeOpen = false;
}

/** Shuts what an act of P7 shuts; where nobody is asked about armoede it opens before that act (R-ARM-05, H-16). */
export function enterTricks(s: State, log: Log): void {
  enterArmoede(s);
  openUnansweredArmoede(s, log);
}

/** Up to where windows are shut: `hands` P2, `trick` P5, with which the stake is opened where somebody is in armoede. */
export type Shutting = "hands" | "trick";

/**
 * Shuts windows before an act of a later phase, and gives what follows from that: four alike are shown, or the stake is
 * opened (chapter 3, R-KANS-01, R-ARM-03). While something is being answered no window can be shut.
 */
export function shutWindows(s: State, upTo: Shutting, log: Log): void {
  if (s.stage !== "round" || s.asking !== null) return;
  if (s.blindOpen) pickUpHands(s, log);
  if (upTo === "hands" || s.inRound === 0 || discardsToCome(s) || s.armoedeShut) return;
  enterArmoede(s);
  openArmoede(s, log);
}
