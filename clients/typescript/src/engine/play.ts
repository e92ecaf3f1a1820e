/** Playing a card (chapter 8). */

import { armoedeDue, leaderOf } from "./armoede.js";
import { hasCard, nameOf, ofSuit, onlyCard, suitOf, type Card, type Cards } from "./cards.js";
import { discardsToCome, enterTricks, fourAlikeToShow, refusedGenerally } from "./phases.js";
import type { Log, RuleId } from "./records.js";
import { denialAt, stopForRevoke } from "./revoke.js";
import { has, only, type Seat } from "./seats.js";
import { chargeForgottenSign } from "./signals.js";
import type { State } from "./state.js";
import { closeTrick, decideByTrick, nextToPlay, trickIsComplete, trickIsNew } from "./tricks.js";

/** The seat whose card is due: who leads, or the next one in the trick (R-TRICK-02, H-09). */
export function dueToPlay(s: State): Seat {
  return trickIsNew(s) ? leaderOf(s) : nextToPlay(s);
}

/** Why a seat may not play any card now (R-TOEP-07, R-TURN-01, R-ARM-04, R-KANS-01). */
export function refuseTurn(s: State, seat: Seat): RuleId | null {
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (s.asking !== null) return "R-TOEP-07";
  if (discardsToCome(s)) return "R-TURN-01";
  if (armoedeDue(s) !== null) return "R-ARM-04";
  if (fourAlikeToShow(s)) return "R-KANS-01";
  return dueToPlay(s) === seat ? null : "R-TURN-01";
}

/** The cards of a hand that follow suit, or all of it where it cannot or need not (R-SUIT-01, R-VERZ-01, R-VERZ-02). */
export function playable(s: State, seat: Seat): Cards {
  const hand = s.handOf(seat);
  const suit = s.suitLed;
  const strict = s.rules.revoke === "reject" || has(s.mustFollow, seat);
  const following = suit < 0 || !strict ? 0 : ofSuit(hand, suit);
  return following === 0 ? hand : following;
}

/** Why a card is refused (R-TOEP-07, R-TURN-01, R-CARD-01, R-SUIT-01). */
export function refusePlay(s: State, seat: Seat, card: Card): RuleId | null {
  const turn = refuseTurn(s, seat);
  if (turn !== null) return turn;
  if (!hasCard(s.handOf(seat), card)) return "R-CARD-01";
  return hasCard(playable(s, seat), card) ? null : "R-SUIT-01";
}

/** Notes that a card denied the suit led, and that it was a revoke if the hand could follow (R-VERZ-01, H-39). */
function noteDenial(s: State, seat: Seat, card: Card, hand: Cards): void {
  const suit = s.suitLed;
  if (suit < 0 || suitOf(card) === suit) return;
  const at = denialAt(seat, suit);
  s.denials[at] = (s.denials[at] ?? 0) + 1;
  if (ofSuit(hand, suit) !== 0) s.revokes = [...s.revokes, { at: s.plays.length, suit }];
}

/** Plays a card, with all that follows from it (R-SUIT-01, H-08, R-FLUIT-04, R-WIN-01, H-39). */
export function play(s: State, seat: Seat, card: Card, log: Log): void {
  enterTricks(s, log);
  const hand = s.handOf(seat);
  const proves = (s.denials[denialAt(seat, suitOf(card))] ?? 0) > 0;
  noteDenial(s, seat, card, hand);
  s.hands[seat] = hand & ~onlyCard(card);
  s.plays = [...s.plays, { seat, card }];
  s.played |= only(seat);
  s.cardFell = true;
  s.mustFollow &= ~only(seat);
  log.push({ _: "play", card: nameOf(card), seat });
  if (!has(s.begun, seat)) {
    s.begun |= only(seat);
    chargeForgottenSign(s, seat, hand, log);
  }
  if (proves) return stopForRevoke(s, seat, log);
  if (!trickIsComplete(s)) return;
  const won = closeTrick(s, log);
  if (s.tricksLeft === 0) decideByTrick(s, won, log);
}
