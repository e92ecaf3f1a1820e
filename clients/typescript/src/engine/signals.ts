/** Whistling, singing and standing up (chapter 13). */

import { countJacks, countTens, type Cards } from "./cards.js";
import { penalise } from "./leaving.js";
import { seeHands, fourAlikeToShow, outstanding, refusedGenerally } from "./phases.js";
import type { Log, RuleId, Sign } from "./records.js";
import type { Ruleset } from "./ruleset.js";
import { has, only, type Seat } from "./seats.js";
import type { State } from "./state.js";

const FORGETTING_PRICE = 1;

/** Why a signal is refused (R-FLUIT-01, H-28, H-37). */
export function refuseSignal(s: State, seat: Seat): RuleId | null {
  if (s.rules.signals === "off") return "R-FLUIT-01";
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (outstanding(s)) return "R-TURN-01";
  if (s.finale !== "none") return "H-37";
  if (fourAlikeToShow(s)) return "R-KANS-01";
  return has(s.begun, seat) ? "H-28" : null;
}

/** Gives a sign; it closes P2 and nothing else (chapter 3, H-28). */
export function signal(s: State, seat: Seat, sign: Sign, log: Log): void {
  seeHands(s);
  if (sign === "stand") s.stood |= only(seat);
  else s.whistled |= only(seat);
  log.push({ _: "signal", seat, sign });
}

/** What a hand obliges to: standing up, or whistling or singing, or nothing (R-FLUIT-01, R-FLUIT-02, R-FLUIT-03). */
export function signOwed(rules: Ruleset, hand: Cards): "stand" | "whistle" | null {
  const jacks = rules.jacks_signal === "must" ? countJacks(hand) : 0;
  const alike = Math.max(countTens(hand), jacks);
  if (alike === 3) return "whistle";
  return alike === 4 && rules.four_alike === "stand" ? "stand" : null;
}

/** Charges a seat that plays its first card, from this hand, without the sign that it owes (R-FLUIT-04, H-28). */
export function chargeForgottenSign(s: State, seat: Seat, hand: Cards, log: Log): void {
  if (s.rules.signals !== "penalty" || s.finale !== "none") return;
  const owed = signOwed(s.rules, hand);
  if (owed === null || has(owed === "stand" ? s.stood : s.whistled, seat)) return;
  penalise(s, seat, FORGETTING_PRICE, "R-FLUIT-04", log);
}
