/** A match of Toepen: a state machine that is told packs and acts, and tells what follows from them. */

import { pickUpHands } from "./blind.js";
import { namesOf, NO_CARDS, ofSuit, type Card, type CardName } from "./cards.js";
import { cutter, dealUncut, drawDealer, layHands, offerPack } from "./dealing.js";
import { places, totals, voidRound } from "./ending.js";
import { cardsDealt, nextFinale } from "./finale.js";
import { forfeit } from "./leaving.js";
import { legalActs, perform, refuse } from "./legal.js";
import { discardsToCome, shutWindows, type Shutting } from "./phases.js";
import { dueToPlay } from "./play.js";
import type { Act, ForfeitWhy, GameRecord, Log, RuleId, VoidWhy } from "./records.js";
import type { Ruleset } from "./ruleset.js";
import { firstSeats, has, seatsOf, type Seat } from "./seats.js";
import { startState, type Length, type Start } from "./start.js";
import type { Outcome, Played, Stage, State } from "./state.js";
import { answerTurns } from "./toep.js";
import { leadOf, viewOf, type View } from "./view.js";

export type { View } from "./view.js";

/** An act that breaks a rule, or a step that the match does not wait for. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(
    message: string,
    /** The rule that an act breaks. */
    readonly rule: RuleId | null = null,
  ) {
    super(message);
  }
}

/**
 * What a match waits for: a pack (for the draw, or for the deal of `round` and `attempt`), a cut that may be left, an
 * act that the seats owe, or nothing any more.
 */
export type Ask =
  | { readonly kind: "draw" }
  | { readonly kind: "pack"; readonly round: number; readonly attempt: number }
  | { readonly kind: "cut" | "discard" | "answer" | "card"; readonly seats: readonly Seat[] }
  | { readonly kind: "nothing" };

/** A match, or a single round, under one rule set. */
export class Game {
  readonly #state: State;

  private constructor(state: State) {
    this.#state = state;
  }

  /** Starts a match; a start from hands is one round (chapter 21). Throws `StartError` for a start that cannot be. */
  static start(rules: Ruleset, seats: number, start: Start = {}, length: Length = "game"): Game {
    return new Game(startState(rules, seats, start, length));
  }

  /** A copy that goes its own way. */
  clone(): Game {
    return new Game(this.#state.clone());
  }

  get rules(): Ruleset {
    return this.#state.rules;
  }

  get seats(): number {
    return this.#state.seats;
  }

  get stage(): Stage {
    return this.#state.stage;
  }

  /** Whether the game, not just the round, is over. */
  get over(): boolean {
    return this.#state.stage === "over";
  }

  /** Who deals the running round, or the next one (R-DEAL-05, H-14). */
  get dealer(): Seat {
    return this.#state.dealer;
  }

  /** Who leads, or has led, the running trick; between rounds who would lead the next one, or null. */
  get lead(): Seat | null {
    return leadOf(this.#state);
  }

  /** The points now, as they are shown (R-SCORE-06). */
  get total(): readonly number[] {
    return totals(this.#state);
  }

  /** What the last finished round changed and who won it (nobody is -1); null before any has ended. */
  get outcome(): Outcome | null {
    return this.#state.outcome;
  }

  /** The stake (R-SCORE-01, R-SCORE-02). */
  get stake(): number {
    return this.#state.stake;
  }

  /** The seats that are not in the game any more, ascending. */
  get out(): readonly Seat[] {
    return seatsOf(firstSeats(this.#state.seats) & ~this.#state.inGame);
  }

  /** The place of each seat, from 1 (R-END-03). */
  get places(): readonly number[] {
    return places(this.#state);
  }

  /** The hand of a seat in the running round; empty for who is not in it. */
  hand(seat: Seat): readonly CardName[] {
    const s = this.#state;
    return s.stage === "round" && has(s.inRound, seat) ? namesOf(s.handOf(seat)) : [];
  }

  /** What the match waits for; windows, in which nobody has to act, are not said. */
  asks(): Ask {
    const s = this.#state;
    switch (s.stage) {
      case "draw":
        return { kind: "draw" };
      case "shuffle":
        return { kind: "pack", round: s.round, attempt: s.attempt };
      case "cut":
        return { kind: "cut", seats: [cutter(s)] };
      case "round": {
        const turns = answerTurns(s);
        if (turns !== null) return { kind: "answer", seats: seatsOf(turns) };
        if (discardsToCome(s)) return { kind: "discard", seats: seatsOf(s.inRound & ~s.discarded) };
        return { kind: "card", seats: [dueToPlay(s)] };
      }
      case "done":
      case "over":
        return { kind: "nothing" };
    }
  }

  /** Draws for the first dealer from a pack of its own (R-SEAT-01). */
  draw(pack: readonly Card[]): readonly GameRecord[] {
    return this.#step("draw", (s, log) => drawDealer(s, pack, log));
  }

  /** Begins the next deal with a shuffled pack; where it may not be cut, the cards are dealt at once. */
  offer(pack: readonly Card[]): readonly GameRecord[] {
    return this.#step("shuffle", (s, log) => offerPack(s, pack, log));
  }

  /** Deals a pack that nobody has cut (R-CUT-01). */
  deal(): readonly GameRecord[] {
    return this.#step("cut", dealUncut);
  }

  /** Deals hands as they are said to have been, in place of a pack; what is in the stock is not known. */
  layHands(hands: readonly (readonly Card[])[]): readonly GameRecord[] {
    const s = this.#state;
    if (s.stage !== "shuffle" && s.stage !== "cut") throw new RefusedError("the match does not wait for hands");
    const log: Log = [];
    layHands(s, hands, log);
    return log;
  }

  /** How many cards each seat gets in the next deal, and whether that is a finale (R-DEAL-01, R-GRAF-01). */
  get nextHands(): { readonly count: number; readonly finale: boolean } {
    const finale = nextFinale(this.#state);
    return { count: cardsDealt(finale), finale: finale !== "none" };
  }

  /** The first cards of the stock; a card that nobody has seen is `UNKNOWN`. */
  topOfStock(count: number): readonly Card[] {
    return this.#state.stock.slice(0, count);
  }

  /** Says which cards lie on top of the stock. */
  knowTopOfStock(cards: readonly Card[]): void {
    this.#state.stock = [...cards, ...this.#state.stock.slice(cards.length)];
  }

  /** Shuts windows, as an act of a later phase does, and gives what follows from that (chapter 3). */
  shut(upTo: Shutting): readonly GameRecord[] {
    const log: Log = [];
    shutWindows(this.#state, upTo, log);
    return log;
  }

  /** The seats that owe one of the acts that all give at once: a sealed answer, or a discard (R-ANS-02, H-37). */
  get sealed(): readonly Seat[] {
    const s = this.#state;
    if (s.stage !== "round") return [];
    if (s.asking !== null) return s.rules.answers === "simultaneous" ? seatsOf(s.asking.pending) : [];
    return !s.blindOpen && discardsToCome(s) ? seatsOf(s.inRound & ~s.discarded) : [];
  }

  /** Whether some of those acts have been given. */
  get sealedBegun(): boolean {
    const s = this.#state;
    return s.asking === null ? (s.inRound & s.discarded) !== 0 : (s.asking.stays | s.asking.folds) !== 0;
  }

  /** Whether some, and not all, of those acts have been given. */
  get midStep(): boolean {
    return this.sealed.length > 0 && this.sealedBegun;
  }

  /** The trick that was closed last in this round, and who was in the round then. */
  get lastTrick(): { readonly plays: readonly Played[]; readonly inRound: readonly Seat[] } {
    const s = this.#state;
    return { plays: s.plays.slice(s.trickAtBefore, s.trickAt), inRound: seatsOf(s.inAtTrick) };
  }

  /** The last stake that a seat has agreed to. */
  accepted(seat: Seat): number {
    return this.#state.acceptedBy(seat);
  }

  /** The cards that follow suit, or all where the hand cannot (R-SUIT-01), also where a revoke is possible. */
  following(seat: Seat): readonly CardName[] {
    const s = this.#state;
    const hand = s.handOf(seat);
    const suit = s.suitLed;
    const followers = suit < 0 ? NO_CARDS : ofSuit(hand, suit);
    return namesOf(followers === NO_CARDS ? hand : followers);
  }

  /** Whether hands still lie unseen and nothing is being answered, so that they can be picked up (P2). */
  get unseen(): boolean {
    const s = this.#state;
    return s.stage === "round" && s.blindOpen && s.asking === null;
  }

  /** Closes P2 when nobody uses it any more: hands are seen, and four alike are shown (R-KANS-01). */
  pickUpHands(): readonly GameRecord[] {
    if (!this.unseen) throw new RefusedError("there are no hands to be picked up");
    return this.#step("round", pickUpHands);
  }

  /** Every legal act of a seat but resigning, those included that shut a window which is still open. */
  legal(seat: Seat): readonly Act[] {
    return legalActs(this.#state, seat);
  }

  /** The first rule that an act breaks, in the order of Part 4 of the rule book; null for a legal act. */
  check(act: Act): RuleId | null {
    return refuse(this.#state, act);
  }

  /** Carries out an act, and gives its record and all that follow. Throws `RefusedError` if it is refused. */
  apply(act: Act): readonly GameRecord[] {
    const rule = refuse(this.#state, act);
    if (rule !== null) throw new RefusedError(`${act._} is refused by ${rule}`, rule);
    const log: Log = [];
    perform(this.#state, act, log);
    return log;
  }

  /** Takes a seat out of the game by a decision of the referee (H-47). */
  forfeit(seat: Seat, why: ForfeitWhy): readonly GameRecord[] {
    if (!has(this.#state.inGame, seat)) throw new RefusedError("the seat is not in the game", "R-OUT-01");
    return this.#step("round", (s, log) => forfeit(s, seat, why, log));
  }

  /** Stops the round for a reason outside the game: it counts for nothing, and is dealt again (chapter 20). */
  voidRound(why: Exclude<VoidWhy, "revoke">): readonly GameRecord[] {
    return this.#step("round", (s, log) => voidRound(s, why, log));
  }

  /** What a seat may see, or a spectator for null. */
  view(seat: Seat | null): View {
    return viewOf(this.#state, seat);
  }

  #step(stage: Stage, change: (s: State, log: Log) => void): readonly GameRecord[] {
    if (this.#state.stage !== stage) throw new RefusedError(`the match does not wait for this: it is at ${this.stage}`);
    const log: Log = [];
    change(this.#state, log);
    return log;
  }
}
