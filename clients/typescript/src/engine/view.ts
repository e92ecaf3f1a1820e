/** What one seat, or a spectator, may see of a match. */

import { leaderOf } from "./armoede.js";
import { nameOf, namesOf, type CardName } from "./cards.js";
import { totals } from "./ending.js";
import { legalActs } from "./legal.js";
import type { Act, ActKind } from "./records.js";
import { firstAfter, has, NOBODY, seatsOf, type Seat } from "./seats.js";
import type { Finale, Stage, State } from "./state.js";

/** What one seat, or a spectator, may see. */
export interface View {
  readonly stage: Stage;
  readonly round: number;
  readonly attempt: number;
  readonly finale: Finale;
  readonly dealer: Seat;
  readonly lead: Seat | null;
  readonly stake: number;
  readonly accepted: readonly number[];
  readonly lastToeper: Seat | null;
  readonly total: readonly number[];
  readonly inGame: readonly Seat[];
  readonly inRound: readonly Seat[];
  /** Cards on the table, of the running trick and of those before it. */
  readonly trick: readonly { readonly seat: Seat; readonly card: CardName }[];
  readonly earlier: readonly { readonly seat: Seat; readonly card: CardName }[];
  readonly tricksLeft: number;
  readonly stock: number;
  /** The seat's own hand, once it may see it. */
  readonly hand: readonly CardName[] | null;
  readonly legal: readonly Act[];
}

/** What may be done with a hand that was not looked at. Other legal acts would tell what is in it. */
const BLIND_ACTS: ReadonlySet<ActKind> = new Set<ActKind>(["cut", "blind", "peek", "stay", "fold"]);

/** Who leads, or has led, the running trick; between rounds who would lead the next one, or null. */
export function leadOf(s: State): Seat | null {
  const lead = s.stage === "round" ? leaderOf(s) : firstAfter(s.inGame, s.dealer);
  return lead === NOBODY ? null : lead;
}

/** What a seat may see, or a spectator for null. */
export function viewOf(s: State, seat: Seat | null): View {
  const own = seat ?? NOBODY;
  const seen = s.stage === "round" && has(s.inRound, own) && (!s.blindOpen || has(s.peeked, own));
  const named = s.plays.map((play) => ({ seat: play.seat, card: nameOf(play.card) }));
  return {
    stage: s.stage,
    round: s.round,
    attempt: s.attempt,
    finale: s.finale,
    dealer: s.dealer,
    lead: leadOf(s),
    stake: s.stake,
    accepted: s.accepted.slice(),
    lastToeper: s.lastToeper === NOBODY ? null : s.lastToeper,
    total: totals(s),
    inGame: seatsOf(s.inGame),
    inRound: seatsOf(s.inRound),
    trick: named.slice(s.trickAt),
    earlier: named.slice(0, s.trickAt),
    tricksLeft: s.tricksLeft,
    stock: s.stock.length,
    hand: seen || has(s.peekedLate, own) ? namesOf(s.handOf(own)) : null,
    legal: seat === null ? [] : legalActs(s, seat).filter((act) => seen || BLIND_ACTS.has(act._)),
  };
}
