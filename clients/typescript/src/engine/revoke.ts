/** Revokes that are owned up to, and those that prove themselves (chapter 19). */

import { goOnWithout } from "./answers.js";
import { nameOf, onlyCard } from "./cards.js";
import { voidRound } from "./ending.js";
import { outstanding, refusedGenerally } from "./phases.js";
import type { Log, RuleId } from "./records.js";
import { only, type Seat } from "./seats.js";
import type { Revoke, State } from "./state.js";
import { takeBackLastPlay } from "./tricks.js";

const REVOKE_PRICE = 3;
const SUITS_COUNT = 4;

/** Where the denials of a suit by a seat are counted. */
export function denialAt(seat: Seat, suit: number): number {
  return SUITS_COUNT * seat + suit;
}

/** The latest revoke of a seat in this round that has not come back (R-VERZ-02). */
export function latestRevoke(s: State, seat: Seat): Revoke | undefined {
  return s.revokes.filter((revoke) => s.plays[revoke.at]?.seat === seat).at(-1);
}

/** Why a confession is refused (R-VERZ-01, R-VERZ-02). */
export function refuseConfess(s: State, seat: Seat): RuleId | null {
  if (s.rules.revoke === "reject") return "R-VERZ-01";
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (outstanding(s)) return "R-TURN-01";
  return latestRevoke(s, seat) === undefined ? "R-VERZ-02" : null;
}

/** Stops the round for a revoke: three points for its author, and the cards are dealt again (R-VERZ-04). */
export function stopForRevoke(s: State, seat: Seat, log: Log): void {
  s.charge(seat, REVOKE_PRICE);
  voidRound(s, "revoke", log);
}

/** Gives the card of the latest play of the round back to its player, who has to follow suit now (R-VERZ-02, H-28). */
function takeBack(s: State, seat: Seat, revoke: Revoke, log: Log): void {
  const play = s.plays[revoke.at];
  if (play === undefined) throw new Error("a revoke without its card");
  takeBackLastPlay(s);
  s.hands[seat] = (s.hands[seat] ?? 0) | onlyCard(play.card);
  s.revokes = s.revokes.filter((other) => other !== revoke);
  const at = denialAt(seat, revoke.suit);
  s.denials[at] = (s.denials[at] ?? 0) - 1;
  s.mustFollow |= only(seat);
  if (!s.midway && !s.plays.some((other) => other.seat === seat)) s.begun &= ~only(seat);
  log.push({ _: "confess", card: nameOf(play.card), seat });
}

/** Owns up to the latest revoke: the later, the dearer (R-VERZ-02, R-VERZ-03, R-VERZ-04, H-39, H-40). */
export function confess(s: State, seat: Seat, log: Log): void {
  const revoke = latestRevoke(s, seat);
  if (revoke === undefined) throw new Error("a confession of nothing");
  const since = s.plays.length - 1 - revoke.at;
  if (since === 0) {
    takeBack(s, seat, revoke, log);
  } else if (since === 1) {
    const pay = s.stake + 1;
    s.charge(seat, pay);
    s.foldPaid[seat] = (s.foldPaid[seat] ?? 0) + pay;
    log.push({ _: "confess", pay, seat });
    goOnWithout(s, seat, log);
  } else {
    log.push({ _: "confess", pay: REVOKE_PRICE, seat });
    stopForRevoke(s, seat, log);
  }
}
