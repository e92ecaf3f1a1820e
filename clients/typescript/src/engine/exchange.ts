/** The exchange, "vuile was", and its check (chapter 6). */

import { cardSet, countCards, countPictures, countSevens, nameOf, namesOf, type Cards } from "./cards.js";
import { penalise } from "./leaving.js";
import { enterExchange, fourAlikeToShow, outstanding, refusedGenerally } from "./phases.js";
import type { Log, RuleId } from "./records.js";
import type { Ruleset } from "./ruleset.js";
import { has, only, type Seat } from "./seats.js";
import type { State } from "./state.js";

const NEW_CARDS = 4;
const CHECK_PRICE = 1;

/** Why an exchange is refused (R-WAS-01, R-WAS-10, R-WAS-11, R-WAS-12, H-20, H-37). */
export function refuseExchange(s: State, seat: Seat): RuleId | null {
  if (s.rules.exchange === "off") return "R-WAS-01";
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (outstanding(s)) return "R-TURN-01";
  if (s.finale !== "none") return "H-37";
  if (!s.exchangeOpen) return "R-WAS-10";
  if (fourAlikeToShow(s)) return "R-KANS-01";
  if (s.rules.exchange === "once" && has(s.exchanged, seat)) return "R-WAS-11";
  return s.stock.length < NEW_CARDS ? "R-WAS-12" : null;
}

/** Lays the hand down for four new cards (R-WAS-04, R-WAS-05, H-21). */
export function exchange(s: State, seat: Seat, log: Log): void {
  enterExchange(s);
  const drawn = s.stock.slice(0, NEW_CARDS);
  s.laidDown = { seat, hand: s.handOf(seat), drawn, checked: false };
  s.stock = s.stock.slice(NEW_CARDS);
  s.hands[seat] = cardSet(drawn);
  s.exchanged |= only(seat);
  log.push({ _: "exchange", seat });
  log.push({ _: "cards", cards: drawn.map(nameOf), seat, why: "exchange" });
}

/** Why a check is refused (R-WAS-06, R-WAS-10, H-22). */
export function refuseChallenge(s: State, seat: Seat): RuleId | null {
  if (s.rules.exchange === "off") return "R-WAS-01";
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (outstanding(s)) return "R-TURN-01";
  if (!s.exchangeOpen) return "R-WAS-10";
  if (s.laidDown === null) return "R-WAS-06";
  if (s.laidDown.checked || !has(s.inRound, s.laidDown.seat)) return "H-22";
  return s.laidDown.seat === seat ? "R-WAS-06" : null;
}

/** Whether a hand is a real dirty wash (R-WAS-02, R-WAS-03). */
export function isGenuine(rules: Ruleset, hand: Cards): boolean {
  const pictures = countPictures(hand);
  if (pictures === countCards(hand)) return true;
  return rules.exchange_seven && pictures === 3 && countSevens(hand) === 1;
}

/** Turns the latest hand laid down up (R-WAS-06, R-WAS-07, R-WAS-08, H-21). */
export function challenge(s: State, seat: Seat, log: Log): void {
  const laidDown = s.laidDown;
  if (laidDown === null) throw new Error("a check of nothing");
  enterExchange(s);
  s.laidDown = { ...laidDown, checked: true };
  const genuine = isGenuine(s.rules, laidDown.hand);
  log.push({ _: "challenge", genuine, seat, shown: namesOf(laidDown.hand) });
  if (genuine) {
    penalise(s, seat, CHECK_PRICE, "R-WAS-07", log);
    return;
  }
  if (s.rules.exchange_caught === "old_hand") {
    s.hands[laidDown.seat] = laidDown.hand;
    s.stock = [...s.stock, ...laidDown.drawn];
  }
  penalise(s, laidDown.seat, CHECK_PRICE, "R-WAS-08", log);
}
