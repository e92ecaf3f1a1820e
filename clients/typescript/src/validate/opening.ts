/** Hidden lines of a view whose seed is known: every one is written anew, and its leaf compared ("Views"). */

import { cardOf, namesOf, cardSet, PACK_SIZE, nameOf, type CardName } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import { PLAIN_ACTS, SIGNS, type Act } from "../engine/records.js";
import type { Seat } from "../engine/seats.js";
import { toBase64 } from "../log/base64.js";
import { encodeLine, type JsonObject } from "../log/json.js";
import { leafOf } from "../log/merkle.js";
import type { LogRecord } from "../log/records.js";
import { found } from "./finding.js";
import type { Place } from "./order.js";
import type { Awaited, Replay } from "./replay.js";
import type { SeededDeal } from "./shuffle.js";

const CARDS_RULE = { deal: "R-DEAL-02", finale: "R-DEAL-02", exchange: "R-WAS-04", chance: "R-KANS-03" } as const;

type AwaitedCards = Extract<Awaited, { kind: "cards" }>;

/** Whether a record, as a line, has this leaf. */
function hasLeaf(record: LogRecord, hash: string): boolean {
  return toBase64(leafOf(encodeLine(record as unknown as JsonObject))) === hash;
}

/** Every choice of three cards, each by index. */
function* triples(cards: readonly CardName[]): Generator<readonly CardName[]> {
  const names = namesOf(cardSet(cards.map(cardOf)));
  for (const [i, one] of names.entries()) {
    for (const [j, two] of names.slice(i + 1).entries()) {
      for (const three of names.slice(i + j + 2)) yield [one, two, three];
    }
  }
}

/** The acts that are tried for a refused one: all without free fields, and discards of cards of the hand. */
function* actsToTry(game: Game, seat: Seat): Generator<Act> {
  for (const _ of PLAIN_ACTS) yield { _, seat };
  for (const sign of SIGNS) yield { _: "signal", seat, sign };
  for (let card = 0; card < PACK_SIZE; card += 1) yield { _: "play", card: nameOf(card), seat };
  for (let at = 1; at < PACK_SIZE; at += 1) yield { _: "cut", at, seat };
  if (game.asks().kind !== "discard") return;
  for (const cards of triples(game.hand(seat))) yield { _: "discard", cards, seat };
}

function openDiscard(game: Game, seat: Seat, salt: string, hash: string): LogRecord | null {
  for (const cards of triples(game.hand(seat))) {
    for (const by of [undefined, "ref"] as const) {
      const record: LogRecord = { _: "discard", ...(by === undefined ? {} : { by }), cards, salt, seat };
      if (hasLeaf(record, hash)) return record;
    }
  }
  return null;
}

function openRefused(replay: Replay, salt: string, hash: string): LogRecord | null {
  for (const refusal of replay.conduct.possible(actsToTry)) {
    const record: LogRecord = { _: "refused", ...refusal, salt };
    if (hasLeaf(record, hash)) return record;
  }
  return null;
}

function openCards(
  replay: Replay,
  deal: SeededDeal,
  { seat, why }: AwaitedCards,
  line: number,
  hash: string,
): LogRecord {
  if (why === "deal" || why === "finale") replay.announceHands();
  const record: LogRecord = { _: "cards", cards: deal.next(seat, why), salt: deal.salt(line), seat, why };
  if (!hasLeaf(record, hash)) found("E415", line, { rule: CARDS_RULE[why], expected: record });
  return record;
}

/**
 * The record that a hidden line is; null where it is a refusal that cannot be found. Stops with E415 where the seed
 * says what must stand there, and with E397 where no private line can stand or none fits.
 */
export function openLine(replay: Replay, place: Place, line: number, hash: string): LogRecord | null {
  const deal = replay.shuffle?.deal ?? null;
  const inRound = place === "round" || place === "cut" || place === "dealt" || place === "refused";
  if (deal === null || !inRound) return found("E397", line);
  const { awaited } = replay;
  const salt = deal.salt(line);
  switch (awaited.kind) {
    case "cards":
      return openCards(replay, deal, awaited, line, hash);
    case "discard":
      return openDiscard(replay.game, awaited.seat, salt, hash) ?? found("E397", line);
    case "nothing":
      return found("E397", line);
    case "follower": {
      const { record } = awaited;
      if (record._ === "score") return openRefused(replay, salt, hash);
      if (record._ !== "discard") return found("E397", line);
      const discard: LogRecord = { ...record, salt };
      return hasLeaf(discard, hash) ? discard : found("E415", line, { rule: "R-KANS-04" });
    }
  }
}
