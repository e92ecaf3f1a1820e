/** The frame of a match: its head, the draw, its rounds and its end (log-format, L3, situation 11). */

import { cardOf, parseCard, rankOf } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import { contradiction } from "../engine/ruleset.js";
import type { Draw, End, Head, Round } from "../log/records.js";
import { found } from "./finding.js";
import { endRule } from "./follow.js";

/** Looks at the rules, the number of seats, and whether there are times for a bank (E301, E302, E309). */
export function checkHead(head: Head, line: number): void {
  const wrong = contradiction(head.rules);
  if (wrong !== null) found("E301", line, { pointer: "/rules", actual: wrong });
  if (head.seats.length < head.rules.min_players) found("E302", line, { actual: head.seats.length });
  const counted = (["bank_ms", "increment_ms"] as const).find((field) => head.conduct[field] !== undefined);
  if (head.clock === "none" && counted !== undefined) found("E309", line, { pointer: `/conduct/${counted}` });
}

/** Checks a draw for the first dealer (E303, E320, E306). */
export function checkDraw({ cards }: Draw, head: Head, line: number): void {
  if (head.rules.first_dealer !== "low_card") found("E303", line);
  const names = cards.map(([, card]) => card);
  if (new Set(names).size !== names.length) found("E320", line);
  let tied = head.seats.map((_, seat) => seat);
  let rest = cards;
  while (tied.length > 1) {
    const drawn = rest.slice(0, tied.length);
    rest = rest.slice(tied.length);
    if (drawn.length < tied.length || drawn.some(([seat], i) => seat !== tied[i])) found("E306", line);
    const ranks = drawn.map(([, card]) => rankOf(parseCard(card) ?? 0));
    const lowest = Math.min(...ranks);
    tied = tied.filter((_, i) => ranks[i] === lowest);
  }
  if (rest.length > 0) found("E306", line);
}

/** What has been played of a match. */
export interface Progress {
  readonly deals: number;
  /** Whether the last round was called off. */
  readonly cancelled: boolean;
  /** Whether a seat was forfeited, or a player of a match of K rounds has given up. */
  readonly forfeited: boolean;
}

/** Checks the beginning of a round (E310, E314, E307, E312, E313, E311). */
export function checkRound(record: Round, head: Head, game: Game, progress: Progress, line: number): void {
  if (game.over) found("E310", line, { rule: head.length === "game" ? endRule(head.rules) : null });
  if (progress.deals >= head.conduct.max_deals) found("E314", line, { expected: head.conduct.max_deals });
  const asks = game.asks();
  if (asks.kind === "draw") found("E307", line);
  if (asks.kind !== "pack") throw new Error("a match that is not over waits for a pack");
  if (record.round !== asks.round) found("E312", line, { expected: asks.round, actual: record.round });
  if (record.try !== asks.attempt) found("E313", line, { expected: asks.attempt, actual: record.try });
  if (record.dealer !== game.dealer) found("E311", line, { expected: game.dealer, actual: record.dealer });
}

/** Checks the end (E370, E371, E373, E374, E372). */
export function checkEnd(record: End, head: Head, game: Game, progress: Progress, line: number): void {
  const givenUp = progress.deals === 0 || progress.deals >= head.conduct.max_deals || progress.cancelled;
  if (!game.over && !givenUp) found("E370", line, { rule: head.length === "game" ? endRule(head.rules) : null });
  if (record.n !== line - 1) found("E371", line, { expected: line - 1, actual: record.n });
  const played = progress.forfeited ? "forfeited" : "complete";
  const status = game.over ? played : "abandoned";
  if (record.status !== status) found("E373", line, { expected: status, actual: record.status });
  if (record.total.join() !== game.total.join()) found("E374", line, { expected: game.total, actual: record.total });
  if (record.rank.join() !== game.places.join()) found("E372", line, { expected: game.places, actual: record.rank });
}

/** The cards of a draw as a pack, as far as it is known. */
export function drawnPack({ cards }: Draw): number[] {
  return cards.map(([, card]) => cardOf(card));
}
