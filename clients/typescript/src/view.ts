/** What a bot sees when it is asked. */

import { create } from "@bufbuild/protobuf";
import * as acts from "./acts.js";
import type { Act, ActKind } from "./acts.js";
import { cardAt, cardsIn } from "./cards.js";
import type { Card, Suit } from "./cards.js";
import { AskKind as WireAskKind } from "./gen/referee/v1/play_pb.js";
import type { Ask, Seated } from "./gen/referee/v1/play_pb.js";
import type { RuleOption } from "./gen/referee/v1/rules_pb.js";
import { TableStateSchema } from "./gen/referee/v1/table_pb.js";
import type { TableState } from "./gen/referee/v1/table_pb.js";
import { seededRandom } from "./random.js";
import { flagged } from "./wire.js";

/** What an ask is about; `unknown` when the referee is newer than this client. */
export type AskKind =
  | "card"
  | "answer"
  | "window"
  | "exchange"
  | "check"
  | "cut"
  | "blind"
  | "chance"
  | "discard"
  | "unknown";

/** A card on the table. */
export interface Played {
  /** The trick, from 1. */
  readonly trick: number;
  /** Who played it. */
  readonly seat: number;
  /** The card. */
  readonly card: Card;
}

/** The value of a rule option. */
export type RuleValue = string | number | boolean;

/**
 * Everything a seat may know when it is asked: a pure function of the ask, the table's latest state and the seating.
 * Sets of seats are lists of seat numbers, ascending.
 */
export class View {
  /** The table's number on this referee. */
  readonly table: number;
  /** The match's id. */
  readonly matchId: string;
  /** The ask's id. */
  readonly ask: number;
  /** What the ask is about. */
  readonly kind: AskKind;
  /** The time to answer, in milliseconds. */
  readonly budgetMs: number;
  /** The seat that is asked: the bot's own. */
  readonly seat: number;
  /** The bots' names by seat. */
  readonly bots: readonly string[];
  /** The rules, every option by name. */
  readonly rules: ReadonlyMap<string, RuleValue>;
  /** The number of rounds the match has; 0 means a game to the end. */
  readonly rounds: number;

  /** The own hand; empty while it may not be seen. */
  readonly hand: readonly Card[];
  /** The cards that may be played now. */
  readonly legalCards: readonly Card[];

  /** The running round, from 1. */
  readonly round: number;
  /** The running trick, from 1. */
  readonly trick: number;
  /** The dealer's seat. */
  readonly dealer: number;
  /** The seat that leads, or led, the running trick. */
  readonly lead: number;
  /** The seat whose card is awaited, if any. */
  readonly turn: number | undefined;
  /** What a loser of the round pays now. */
  readonly stake: number;
  /** Who raised the stake last, if anybody did. */
  readonly toeper: number | undefined;
  /** The seats in the round. */
  readonly inRound: readonly number[];
  /** The seats in the game. */
  readonly inGame: readonly number[];
  /** The seats whose answer to a toep is awaited. */
  readonly answering: readonly number[];
  /** Penalty points by seat. */
  readonly points: readonly number[];
  /** What each seat pays if it folds now. */
  readonly accepted: readonly number[];
  /** The cards played in this round, in order. */
  readonly plays: readonly Played[];
  /** The cards left in the stock. */
  readonly stock: number;
  /** The seat whose exchange may be challenged now, if any. */
  readonly claimer: number | undefined;

  readonly #may: number;
  #legal: readonly Act[] | undefined;
  #random: (() => number) | undefined;

  /** Derives the view of an ask from the table's latest state and the seating. */
  constructor(ask: Ask, seated: Seated, state: TableState = create(TableStateSchema)) {
    this.table = ask.table;
    this.matchId = seated.matchId;
    this.ask = ask.ask;
    this.kind = askKind(ask.kind);
    this.budgetMs = ask.budgetMs;
    this.seat = ask.seat;
    this.bots = seated.bots;
    this.rules = rulesOf(seated.rules);
    this.rounds = seated.rounds;
    this.hand = cardsIn(ask.hand);
    this.legalCards = cardsIn(ask.legal);
    this.#may = ask.may;

    this.round = state.round;
    this.trick = state.trick;
    this.dealer = state.dealer;
    this.lead = state.lead;
    this.turn = state.turn;
    this.stake = state.stake;
    this.toeper = state.toeper;
    this.inRound = seatsIn(state.inRound);
    this.inGame = seatsIn(state.inGame);
    this.answering = seatsIn(state.answering);
    this.points = state.points;
    this.accepted = state.accepted;
    this.plays = state.plays.map(played);
    this.stock = state.stock;
    this.claimer = state.claimer;
  }

  /**
   * Every act that may be answered, but for two that need no listing: a pass is listed with its shortest reach only,
   * and resigning is always allowed.
   */
  get legal(): readonly Act[] {
    this.#legal ??= legalActs(this.legalCards, this.hand, this.#may);
    return this.#legal;
  }

  /** Whether that kind of act may be answered. */
  may(kind: ActKind): boolean {
    switch (kind) {
      case "play":
        return this.legalCards.length > 0;
      case "resign":
        return true;
      default:
        return flagged(this.#may, kind);
    }
  }

  /** The cards of the running trick, in order. */
  get currentTrick(): readonly Played[] {
    return this.plays.filter((each) => each.trick === this.trick);
  }

  /** The suit that was led to the running trick; undefined before its first card. */
  get led(): Suit | undefined {
    return this.currentTrick[0]?.card.suit;
  }

  /**
   * The next random number from 0 up to, not including, 1. The numbers depend on the match, the seat and the ask alone,
   * so that the same match gives the same acts again.
   */
  random(): number {
    this.#random ??= seededRandom(`${this.matchId}/${this.seat}/${this.ask}`);
    return this.#random();
  }
}

const askKinds = new Map<WireAskKind, AskKind>([
  [WireAskKind.CARD, "card"],
  [WireAskKind.ANSWER, "answer"],
  [WireAskKind.WINDOW, "window"],
  [WireAskKind.EXCHANGE, "exchange"],
  [WireAskKind.CHECK, "check"],
  [WireAskKind.CUT, "cut"],
  [WireAskKind.BLIND, "blind"],
  [WireAskKind.CHANCE, "chance"],
  [WireAskKind.DISCARD, "discard"],
]);

function askKind(kind: WireAskKind): AskKind {
  return askKinds.get(kind) ?? "unknown";
}

function rulesOf(options: readonly RuleOption[]): Map<string, RuleValue> {
  const rules = new Map<string, RuleValue>();
  for (const { name, value } of options) {
    if (value.case !== undefined) {
      rules.set(name, value.value);
    }
  }
  return rules;
}

function seatsIn(mask: number): number[] {
  const seats: number[] = [];
  for (let seat = 0; seat < 32; seat++) {
    if ((mask >>> seat) & 1) {
      seats.push(seat);
    }
  }
  return seats;
}

function played(code: number): Played {
  return { trick: code >>> 8, seat: (code >>> 5) & 7, card: cardAt(code & 31) };
}

function legalActs(legalCards: readonly Card[], hand: readonly Card[], may: number): Act[] {
  const legal: Act[] = legalCards.map(acts.play);
  for (const [kind, all] of flaggedActs) {
    if (flagged(may, kind)) {
      legal.push(...all(hand));
    }
  }
  return legal;
}

const flaggedActs: readonly (readonly [ActKind, (hand: readonly Card[]) => Act[]])[] = [
  ["toep", () => [acts.toep()]],
  ["stay", () => [acts.stay()]],
  ["fold", () => [acts.fold()]],
  ["exchange", () => [acts.exchange()]],
  ["challenge", () => [acts.challenge()]],
  ["signal", () => [acts.signal("whistle"), acts.signal("sing"), acts.signal("stand")]],
  ["blind", () => [acts.blind()]],
  ["peek", () => [acts.peek()]],
  ["chance", () => [acts.chance()]],
  ["cut", () => Array.from({ length: 31 }, (_, i) => acts.cut(i + 1))],
  ["discard", (hand) => triples(hand).map(acts.discard)],
  ["confess", () => [acts.confess()]],
  ["pass", () => [acts.pass()]],
];

function triples(hand: readonly Card[]): Card[][] {
  return hand.flatMap((a, i) => hand.slice(i + 1).flatMap((b, j) => hand.slice(i + j + 2).map((c) => [a, b, c])));
}
