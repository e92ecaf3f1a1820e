/** Toeping, and the acts of answering (chapters 9, 10 and 17). */

import { ask, giveAnswer, turnsOf, whomToAsk } from "./answers.js";
import { armoedeDue, openArmoede } from "./armoede.js";
import { discardsToCome, enterArmoede, enterTricks, fourAlikeToShow, refusedGenerally } from "./phases.js";
import { dueToPlay } from "./play.js";
import type { Log, RuleId } from "./records.js";
import { has, type Seat, type Seats } from "./seats.js";
import type { State } from "./state.js";

/** Whose turn it is to answer something; null when there is nothing to answer (R-ANS-01, H-41, Part 4). */
export function answerTurns(s: State): Seats | null {
  if (s.asking !== null) return turnsOf(s, s.asking.by, s.asking.pending);
  if (discardsToCome(s) || fourAlikeToShow(s)) return null;
  const due = armoedeDue(s);
  return due === null ? null : turnsOf(s, due.by, due.pending);
}

/** Why a toep must wait, or is no answer (H-02, R-TURN-01, R-ARM-04, R-KANS-01, R-TOEP-02). */
function refuseMoment(s: State, seat: Seat): RuleId | null {
  const asking = s.asking;
  if (asking !== null) {
    const mayAnswer = asking.kind === "toep" && s.rules.overtoep_as_answer;
    return mayAnswer && has(turnsOf(s, asking.by, asking.pending), seat) ? null : "H-02";
  }
  if (discardsToCome(s)) return "R-TURN-01";
  if (armoedeDue(s) !== null) return "R-ARM-04";
  if (fourAlikeToShow(s)) return "R-KANS-01";
  return s.rules.toep_who === "on_turn" && dueToPlay(s) !== seat ? "R-TOEP-02" : null;
}

/** Why a toep is refused (R-TOEP-02 to R-TOEP-08, R-ARM-04, R-ARM-09, H-02, H-03). */
export function refuseToep(s: State, seat: Seat): RuleId | null {
  const early = refusedGenerally(s, seat, s.outcome === null ? "R-TURN-01" : "H-03") ?? refuseMoment(s, seat);
  if (early !== null) return early;
  if (s.lastToeper === seat) return "R-TOEP-04";
  if (has(s.opened, seat)) return "R-ARM-09";
  return s.pointsOf(seat) + s.stake + 1 > s.limit ? "R-TOEP-08" : null;
}

/** Raises the stake by one, also in answer to a toep (R-TOEP-01, R-SCORE-02, H-02, H-36). */
export function toep(s: State, seat: Seat, log: Log): void {
  if (s.asking === null) enterTricks(s, log);
  else s.foldsInRow[seat] = 0;
  s.stake += 1;
  s.accepted[seat] = s.stake;
  s.lastToeper = seat;
  log.push({ _: "toep", seat, stake: s.stake });
  ask(s, "toep", seat, whomToAsk(s, seat), log);
}

/** Why staying is refused (R-TURN-01, R-ANS-01). */
export function refuseStay(s: State, seat: Seat): RuleId | null {
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  const turns = answerTurns(s);
  if (turns === null) return "R-TURN-01";
  return has(turns, seat) ? null : "R-ANS-01";
}

/** Why folding is refused (R-FOLD-05, R-FOLD-06, R-ANS-01, R-LIJN-01). */
export function refuseFold(s: State, seat: Seat): RuleId | null {
  const general = refusedGenerally(s, seat);
  if (general !== null) return general;
  const turns = answerTurns(s);
  if (turns === null) return "R-FOLD-06";
  if (s.asking !== null && s.lastToeper === seat) return "R-FOLD-05";
  if (!has(turns, seat)) return "R-ANS-01";
  const bound = s.rules.folds_in_row > 0 && (s.foldsInRow[seat] ?? 0) >= s.rules.folds_in_row;
  return bound ? "R-LIJN-01" : null;
}

/** Answers; the first answer to armoede opens P6 (R-ANS-01, R-ARM-04). */
export function answer(s: State, seat: Seat, said: "stay" | "fold", log: Log): void {
  if (s.asking === null) {
    enterArmoede(s);
    openArmoede(s, log);
  }
  if (s.asking === null) throw new Error("an answer to nothing");
  giveAnswer(s, seat, said, s.asking, log);
}
