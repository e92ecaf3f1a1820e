/** Which acts are legal, and everything about an act by its kind. */

import { blind, peek, refuseBlind, refusePeek } from "./blind.js";
import { cardOf, cardsOf, nameOf, PACK_SIZE } from "./cards.js";
import { chance, refuseChance } from "./chance.js";
import { cut, cutter, refuseCut } from "./dealing.js";
import { challenge, exchange, refuseChallenge, refuseExchange } from "./exchange.js";
import { discard, refuseDiscard } from "./finale.js";
import { resign } from "./leaving.js";
import { refusedOutsideRound } from "./phases.js";
import { play, playable, refusePlay, refuseTurn } from "./play.js";
import { PLAIN_ACTS, SIGNS, type Act, type ActKind, type Log, type PlainAct, type RuleId } from "./records.js";
import { confess, refuseConfess } from "./revoke.js";
import type { Seat } from "./seats.js";
import { refuseSignal, signal } from "./signals.js";
import type { State } from "./state.js";
import { answer, refuseFold, refuseStay, refuseToep, toep } from "./toep.js";

/** A test of an act that says nothing but who does it. */
type PlainTest = (s: State, seat: Seat) => RuleId | null;

const PLAIN_TESTS: Readonly<Record<PlainAct["_"], PlainTest>> = {
  blind: refuseBlind,
  peek: refusePeek,
  chance: refuseChance,
  exchange: refuseExchange,
  challenge: refuseChallenge,
  toep: refuseToep,
  stay: refuseStay,
  fold: refuseFold,
  confess: refuseConfess,
  resign: refusedOutsideRound,
};

/** The plain acts that are listed; resigning never is. */
const LISTED = PLAIN_ACTS.filter((kind) => kind !== "resign");

/** The first rule that an act breaks, in the order of Part 4 of the rule book; null for a legal act. */
export function refuse(s: State, act: Act): RuleId | null {
  switch (act._) {
    case "cut":
      return refuseCut(s, act.seat);
    case "signal":
      return refuseSignal(s, act.seat);
    case "play":
      return refusePlay(s, act.seat, cardOf(act.card));
    case "discard":
      return refuseDiscard(s, act);
    default:
      return PLAIN_TESTS[act._](s, act.seat);
  }
}

/** Carries out a legal act. */
export function perform(s: State, act: Act, log: Log): void {
  const { seat } = act;
  switch (act._) {
    case "cut":
      return cut(s, act, log);
    case "blind":
      return blind(s, seat, log);
    case "peek":
      return peek(s, seat, log);
    case "chance":
      return chance(s, seat, log);
    case "exchange":
      return exchange(s, seat, log);
    case "challenge":
      return challenge(s, seat, log);
    case "signal":
      return signal(s, seat, act.sign, log);
    case "toep":
      return toep(s, seat, log);
    case "stay":
    case "fold":
      return answer(s, seat, act._, log);
    case "play":
      return play(s, seat, cardOf(act.card), log);
    case "discard":
      return discard(s, act, log);
    case "confess":
      return confess(s, seat, log);
    case "resign":
      return resign(s, seat, log);
  }
}

function listCuts(s: State, seat: Seat, acts: Act[]): void {
  if (cutter(s) !== seat) return;
  for (let at = 1; at < PACK_SIZE; at += 1) acts.push({ _: "cut", at, seat });
}

function listSignals(s: State, seat: Seat, acts: Act[]): void {
  if (refuseSignal(s, seat) !== null) return;
  for (const sign of SIGNS) acts.push({ _: "signal", seat, sign });
}

function listPlays(s: State, seat: Seat, acts: Act[]): void {
  if (refuseTurn(s, seat) !== null) return;
  for (const card of cardsOf(playable(s, seat))) acts.push({ _: "play", card: nameOf(card), seat });
}

/** Lists every choice of three cards, each by index. */
function listDiscards(s: State, seat: Seat, acts: Act[]): void {
  const names = cardsOf(s.handOf(seat)).map(nameOf);
  const [first, second, third] = names;
  if (first === undefined || second === undefined || third === undefined) return;
  if (refuseDiscard(s, { _: "discard", cards: [first, second, third], seat }) !== null) return;
  names.forEach((one, i) => {
    names.slice(i + 1).forEach((two, j) => {
      for (const three of names.slice(i + j + 2)) acts.push({ _: "discard", cards: [one, two, three], seat });
    });
  });
}

/** Every legal act of a seat but resigning. */
export function legalActs(s: State, seat: Seat): Act[] {
  const acts: Act[] = [];
  if (s.stage === "cut") listCuts(s, seat, acts);
  if (s.stage !== "round") return acts;
  for (const kind of LISTED) {
    if (PLAIN_TESTS[kind](s, seat) === null) acts.push({ _: kind, seat });
  }
  listSignals(s, seat, acts);
  listPlays(s, seat, acts);
  listDiscards(s, seat, acts);
  return acts;
}

/** The kinds of act that say nothing about the order of play, and that counts leave out. */
export const UNCOUNTED: ReadonlySet<ActKind> = new Set<ActKind>(["signal", "peek", "cut", "resign", "confess"]);
