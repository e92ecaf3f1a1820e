/** Long last rounds for two or three (chapter 16). */

import { cardOf, cardSet, countCards, hasCard, namesOf } from "./cards.js";
import { seeHands, refusedGenerally } from "./phases.js";
import type { DiscardAct, Log, RuleId } from "./records.js";
import { filterSeats, has, only, size } from "./seats.js";
import type { Finale, State } from "./state.js";

/** How many cards are laid away (R-GRAF-01). */
export const DISCARDS = 3;
/** How many tricks a finale has (R-GRAF-01, R-GRAF-03). */
export const FINALE_TRICKS = 8;
/** How many tricks any other round has (R-WIN-01). */
export const TRICKS = 4;

/** Which kind of round is dealt next, by who is in the game and their points (R-GRAF-01 to R-GRAF-03, H-38). */
export function nextFinale(s: State): Finale {
  const left = size(s.inGame);
  const allPoor = filterSeats(s.inGame, (seat) => s.pointsOf(seat) === s.limit - 1) === s.inGame;
  if (left === 2 && s.rules.finale === "two_left") return "discards";
  if (left === 2 && s.rules.finale === "both_poor" && allPoor) return "discards";
  return left === 3 && s.rules.grey_grave && allPoor ? "grey" : "none";
}

/** How many cards each seat is dealt (R-DEAL-01). */
export function cardsDealt(finale: Finale): number {
  if (finale === "none") return TRICKS;
  return finale === "discards" ? FINALE_TRICKS + DISCARDS : FINALE_TRICKS;
}

/** Why a discard is refused (R-GRAF-01, R-CARD-01, H-37). */
export function refuseDiscard(s: State, act: DiscardAct): RuleId | null {
  if (s.finale !== "discards") return "R-GRAF-01";
  const general = refusedGenerally(s, act.seat);
  if (general !== null) return general;
  if (s.asking !== null) return "R-TURN-01";
  if (has(s.discarded, act.seat)) return "R-GRAF-01";
  const cards = act.cards.map(cardOf);
  if (!cards.every((card) => hasCard(s.handOf(act.seat), card))) return "R-CARD-01";
  return cards.length === DISCARDS && countCards(cardSet(cards)) === DISCARDS ? null : "R-GRAF-01";
}

/** Lays three cards away (R-GRAF-01). */
export function discard(s: State, act: DiscardAct, log: Log): void {
  seeHands(s);
  const cards = cardSet(act.cards.map(cardOf));
  s.hands[act.seat] = s.handOf(act.seat) & ~cards;
  s.discarded |= only(act.seat);
  log.push({ _: "discard", cards: namesOf(cards), seat: act.seat });
}
