/** Answers to toeps, blind toeps and armoede, sealed or not, and seats that are not asked: chapters 9, 10, 12, 17. */

import { finishIfAlone } from "./ending.js";
import type { Log } from "./records.js";
import { filterSeats, firstAfter, has, only, seatsOf, size, type Seat, type Seats } from "./seats.js";
import type { Asking, State } from "./state.js";
import { goOn } from "./tricks.js";

/** Whom a toep asks, and who goes along without being asked. */
export type Asked = Pick<Asking, "pending" | "autos">;

/** Whether losing now takes the seat to the limit (R-DOOD-01). */
export function isDood(s: State, seat: Seat): boolean {
  return s.pointsOf(seat) + s.acceptedBy(seat) >= s.limit;
}

/** The one automatic seat that is asked after all, as the only opponent of the toeper; none otherwise (R-DOOD-04). */
function onlyOpponent(s: State, by: Seat, autos: Seats): Seats {
  const opponents = s.inRound & ~only(by);
  return size(opponents) === 1 ? opponents & autos : 0;
}

/** Whom a toep by `by` asks at this moment (R-ANS-01, R-DOOD-03, H-19). */
export function whomToAsk(s: State, by: Seat): Asked {
  const others = s.inRound & ~only(by);
  const autos = s.rules.dood === "auto" ? filterSeats(others, (seat) => isDood(s, seat)) : 0;
  const alone = onlyOpponent(s, by, autos);
  return { pending: (others & ~autos) | alone, autos: autos & ~alone };
}

/** Whose turn it is to answer: of all pending seats when answers are sealed, else of one (R-ANS-01, R-ANS-02). */
export function turnsOf(s: State, by: Seat, pending: Seats): Seats {
  return s.rules.answers === "simultaneous" ? pending : only(firstAfter(pending, by));
}

/** Counts folds in a row; a sealed answer counts when it is given (H-36). */
function countAnswer(s: State, seat: Seat, answer: "stay" | "fold"): void {
  s.foldsInRow[seat] = answer === "stay" ? 0 : (s.foldsInRow[seat] ?? 0) + 1;
}

function stay(s: State, seat: Seat, log: Log): void {
  log.push({ _: "stay", seat });
  s.accepted[seat] = s.stake;
}

/** Takes a seat out of the round for the last stake that it accepted (R-FOLD-01, R-SCORE-03). */
function fold(s: State, seat: Seat, asking: Asking, log: Log): void {
  const pay = s.acceptedBy(seat);
  log.push({ _: "fold", pay, seat });
  s.charge(seat, pay);
  s.foldPaid[seat] = (s.foldPaid[seat] ?? 0) + pay;
  s.inRound &= ~only(seat);
  if (asking.kind === "blind") s.declined |= only(seat);
}

/** Shows the sealed answers, in seat order (R-ANS-02). */
function showSealed(s: State, asking: Asking, log: Log): void {
  const { stays, folds } = asking;
  asking.stays = 0;
  asking.folds = 0;
  for (const seat of seatsOf(stays | folds)) {
    if ((folds & only(seat)) === 0) stay(s, seat, log);
    else fold(s, seat, asking, log);
  }
}

/** Goes on when nobody's answer is awaited any more (R-ANS-03, R-DOOD-03, R-DOOD-04, H-19). */
function settle(s: State, asking: Asking, log: Log): void {
  if (asking.pending !== 0) return;
  showSealed(s, asking, log);
  if (finishIfAlone(s, log)) return;
  const autos = asking.autos & s.inRound;
  asking.pending = onlyOpponent(s, asking.by, autos);
  asking.autos = 0;
  if (asking.pending !== 0) return;
  if (autos !== 0) {
    const seats = seatsOf(autos);
    log.push({ _: "auto", seats });
    for (const seat of seats) {
      s.accepted[seat] = s.stake;
      countAnswer(s, seat, "stay");
    }
  }
  s.asking = null;
  goOn(s, log);
}

/** Asks for answers to a stake that has just been raised (R-ANS-01). */
export function ask(s: State, kind: Asking["kind"], by: Seat, asked: Asked, log: Log): void {
  const asking: Asking = { kind, by, ...asked, stays: 0, folds: 0 };
  s.asking = asking;
  settle(s, asking, log);
}

/** Gives an answer to what is being asked (R-ANS-01, R-ANS-02, R-FOLD-04, H-36). */
export function giveAnswer(s: State, seat: Seat, answer: "stay" | "fold", asking: Asking, log: Log): void {
  asking.pending &= ~only(seat);
  countAnswer(s, seat, answer);
  if (s.rules.answers === "simultaneous") {
    if (answer === "stay") asking.stays |= only(seat);
    else asking.folds |= only(seat);
  } else if (answer === "stay") {
    stay(s, seat, log);
  } else {
    fold(s, seat, asking, log);
    if (finishIfAlone(s, log)) return;
  }
  settle(s, asking, log);
}

/**
 * Goes on after a seat has left the round otherwise than by folding: its answer falls away, and the turn or lead passes
 * on (H-09, H-42, H-47).
 */
export function goOnWithout(s: State, seat: Seat, log: Log): void {
  if (!has(s.inRound, seat)) return;
  s.inRound &= ~only(seat);
  const asking = s.asking;
  if (asking === null) {
    if (!finishIfAlone(s, log)) goOn(s, log);
    return;
  }
  asking.pending &= ~only(seat);
  asking.autos &= ~only(seat);
  asking.stays &= ~only(seat);
  asking.folds &= ~only(seat);
  // Sealed folds have not left the round: the last seat has won even if it has sealed one.
  if (!finishIfAlone(s, log)) settle(s, asking, log);
}
