/** Unseen hands: the blind toep, looking too early, and picking the hands up (chapters 2 and 4, R-KANS-01). */

import { ask, whomToAsk } from "./answers.js";
import { isJack, namesOf, rankWith } from "./cards.js";
import { finishRound } from "./ending.js";
import { penalise } from "./leaving.js";
import { fourAlike, outstanding, refusedGenerally, refusedOutsideRound } from "./phases.js";
import type { Log, RuleId } from "./records.js";
import { filterSeats, has, NOBODY, only, seatsOf, type Seat } from "./seats.js";
import type { State } from "./state.js";

const PEEK_PRICE = 1;
/** What everybody else pays when four alike are shown (R-KANS-01). */
export const FOUR_ALIKE_PRICE = 3;

/** Why a blind toep is refused (R-BLIND-01, R-BLIND-05, R-BLIND-06, H-02, H-33). */
export function refuseBlind(s: State, seat: Seat): RuleId | null {
  if (!s.rules.blind) return "R-BLIND-01";
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  if (s.asking?.kind === "blind") return "H-02";
  if (outstanding(s)) return "R-TURN-01";
  if (!s.blindOpen || s.blindToeper !== NOBODY) return "R-BLIND-01";
  if (s.peeked !== 0) return "R-BLIND-06";
  if (filterSeats(s.inGame, (other) => s.pointsOf(other) === s.limit - 1) !== 0) return "R-BLIND-06";
  const points = s.pointsOf(seat);
  if (s.rules.blind_who === "most_points" && filterSeats(s.inGame, (other) => s.pointsOf(other) > points) !== 0) {
    return "R-BLIND-05";
  }
  return points + s.rules.blind_stake > s.limit ? "R-TOEP-08" : null;
}

/** Toeps blind (R-BLIND-01, R-BLIND-02, R-BLIND-07). */
export function blind(s: State, seat: Seat, log: Log): void {
  const stake = s.rules.blind_stake;
  s.stake = stake;
  s.accepted[seat] = stake;
  s.lastToeper = seat;
  s.blindToeper = seat;
  s.lead = seat;
  log.push({ _: "blind", seat, stake });
  ask(s, "blind", seat, whomToAsk(s, seat), log);
}

/** Why looking is refused (R-DEAL-04, R-BLIND-04). */
export function refusePeek(s: State, seat: Seat): RuleId | null {
  if (!s.rules.blind) return "R-DEAL-04";
  const decliner = has(s.declined, seat);
  const general = decliner ? refusedOutsideRound(s, seat) : refusedGenerally(s, seat);
  if (general !== null) return general;
  if (outstanding(s)) return "R-TURN-01";
  if (decliner) return has(s.peekedLate, seat) ? "R-BLIND-04" : null;
  return !s.blindOpen || s.blindToeper !== NOBODY || has(s.peeked, seat) ? "R-DEAL-04" : null;
}

/** Looks too early, for a point (R-DEAL-04, R-BLIND-04). */
export function peek(s: State, seat: Seat, log: Log): void {
  const decliner = has(s.declined, seat);
  if (decliner) s.peekedLate |= only(seat);
  else s.peeked |= only(seat);
  log.push({ _: "peek", seat });
  penalise(s, seat, PEEK_PRICE, decliner ? "R-BLIND-04" : "R-DEAL-04", log);
}

/** Closes P2: hands are seen; four alike are shown, and the highest win at once (R-KANS-01, R-KANS-02, H-26). */
export function pickUpHands(s: State, log: Log): void {
  s.blindOpen = false;
  const rank = (seat: Seat): number => rankWith(s.handOf(seat), 4);
  const showing = seatsOf(fourAlike(s)).sort((one, two) => rank(two) - rank(one));
  for (const seat of showing) log.push({ _: "show", cards: namesOf(s.handOf(seat)), seat });
  const [winner] = showing;
  if (winner === undefined) return;
  finishRound(s, { winner, price: FOUR_ALIKE_PRICE, jack: isJack(rank(winner)) }, log);
}
