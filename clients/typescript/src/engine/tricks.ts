/** Tricks, and the cards of seats that have folded: chapters 8, 10 and 11. */

import { isJack, rankOf, suitOf } from "./cards.js";
import { finishRound } from "./ending.js";
import type { Log } from "./records.js";
import { firstFrom, has, NOBODY, only, type Seat } from "./seats.js";
import type { Played, State } from "./state.js";

/** Whether nobody has played to the running trick. */
export function trickIsNew(s: State): boolean {
  return s.plays.length === s.trickAt;
}

/** The next seat that has to play to a trick that has begun (H-09); nobody when the trick is complete. */
export function nextToPlay(s: State): Seat {
  return firstFrom(s.inRound & ~s.played, s.lead);
}

/** Whether `challenger` beats `holder` in a trick to which `led` was led (R-DECK-02, R-SUIT-02, R-TIE-02). */
function beats(s: State, challenger: Played, holder: Played, led: number): boolean {
  const [suit, held] = [suitOf(challenger.card), suitOf(holder.card)];
  const higher = rankOf(challenger.card) - rankOf(holder.card);
  if (suit === held) return higher > 0;
  if (suit === led || held === led) return suit === led;
  if (s.rules.no_follower === "suit_then_rank") return suit > held;
  return higher > 0 || (higher === 0 && suit > held);
}

/**
 * The card that takes the running trick (R-TRICK-01, R-FOLD-02, H-04). Where folded cards cannot win, only cards of
 * seats in the round are compared, and it may be that none of them is of the suit led (R-TIE-01).
 */
function winningPlay(s: State): Played | undefined {
  const led = s.suitLed;
  const mayWin = s.rules.folded_cards === "win" ? ~0 : s.inRound;
  let best: Played | undefined;
  for (let i = s.trickAt; i < s.plays.length; i += 1) {
    const play = s.plays[i];
    if (play === undefined || !has(mayWin, play.seat)) continue;
    if (best === undefined || beats(s, play, best, led)) best = play;
  }
  return best;
}

/** Whether every seat in the round has played to the running trick (H-08). */
export function trickIsComplete(s: State): boolean {
  return !trickIsNew(s) && (s.inRound & ~s.played) === 0;
}

/** Closes the running trick and passes the lead on; gives the card that won (R-TRICK-02, R-TRICK-03, H-08). */
export function closeTrick(s: State, log: Log): Played {
  const won = winningPlay(s);
  if (won === undefined) throw new Error("a trick without a card that counts");
  s.trickAtBefore = s.trickAt;
  s.leadBefore = s.lead;
  s.inAtTrick = s.inRound;
  s.trickAt = s.plays.length;
  s.played = 0;
  s.tricksLeft -= 1;
  if (s.tricksLeft === 0) {
    log.push({ _: "trick", win: won.seat });
  } else {
    s.lead = firstFrom(s.inRound, won.seat);
    log.push({ _: "trick", lead: s.lead, win: won.seat });
  }
  return won;
}

/** Decides the round by the card that took its last trick (R-WIN-01, R-FOLD-03, R-BOER-01). */
export function decideByTrick(s: State, won: Played, log: Log): void {
  const price = s.stake;
  if (has(s.inRound, won.seat)) finishRound(s, { winner: won.seat, price, jack: isJack(won.card) }, log);
  else finishRound(s, { winner: NOBODY, price, foldedWinner: won.seat }, log);
}

/**
 * Goes on when nothing is being answered: passes on a lead that nobody in the round has, or closes a trick that waits
 * for nobody (R-TRICK-03, H-08, H-09, H-14).
 */
export function goOn(s: State, log: Log): void {
  if (trickIsNew(s)) {
    s.lead = firstFrom(s.inRound, s.lead);
  } else if (trickIsComplete(s)) {
    const won = closeTrick(s, log);
    if (s.tricksLeft === 0) decideByTrick(s, won, log);
  }
}

/** Takes the last card that was played off the table, and opens its trick again if it was closed (R-VERZ-02). */
export function takeBackLastPlay(s: State): void {
  const at = s.plays.length - 1;
  if (at < s.trickAt) {
    s.trickAt = s.trickAtBefore;
    s.lead = s.leadBefore;
    s.tricksLeft += 1;
  }
  s.plays = s.plays.slice(0, at);
  s.played = 0;
  for (const play of s.plays.slice(s.trickAt)) s.played |= only(play.seat);
}
