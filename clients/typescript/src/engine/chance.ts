/** The chance draw, "kans op toep" (chapter 5). */

import { FOUR_ALIKE_PRICE } from "./blind.js";
import { isJack, nameOf, namesOf, ofRank, onlyCard, rankOf, rankWith } from "./cards.js";
import { finishRound } from "./ending.js";
import { seeHands, fourAlikeToShow, outstanding, refusedGenerally } from "./phases.js";
import type { Log, RuleId } from "./records.js";
import { has, only, type Seat } from "./seats.js";
import type { State } from "./state.js";

/** Why a chance draw is refused (R-KANS-03, R-KANS-05, H-37). */
export function refuseChance(s: State, seat: Seat): RuleId | null {
  if (!s.rules.chance) return "R-KANS-03";
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (outstanding(s)) return "R-TURN-01";
  if (s.finale !== "none") return "H-37";
  if (!s.chanceOpen) return "R-KANS-03";
  if (fourAlikeToShow(s)) return "R-KANS-01";
  if (has(s.drew, seat)) return "R-KANS-03";
  if (rankWith(s.handOf(seat), 3) < 0) return "R-KANS-05";
  return s.stock.length === 0 ? "R-KANS-03" : null;
}

/** Draws to three alike; the fourth of the rank wins the round at once (R-KANS-03, R-KANS-04, R-BOER-02). */
export function chance(s: State, seat: Seat, log: Log): void {
  const [drawn, ...stock] = s.stock;
  if (drawn === undefined) throw new Error("a chance draw from an empty stock");
  seeHands(s);
  const hand = s.handOf(seat);
  const rank = rankWith(hand, 3);
  const odd = hand & ~ofRank(hand, rank);
  const held = (hand & ~odd) | onlyCard(drawn);
  s.drew |= only(seat);
  s.stock = stock;
  s.hands[seat] = held;
  log.push({ _: "chance", seat });
  log.push({ _: "cards", cards: [nameOf(drawn)], seat, why: "chance" });
  log.push({ _: "discard", cards: namesOf(odd), seat });
  if (rankOf(drawn) !== rank) return;
  log.push({ _: "show", cards: namesOf(held), seat });
  finishRound(s, { winner: seat, price: FOUR_ALIKE_PRICE, jack: isJack(drawn) }, log);
}
