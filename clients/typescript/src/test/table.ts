/** Writing logs of matches in which a test says what everybody does. */

import { bytesToHex } from "@noble/hashes/utils.js";

import { commitment, packOf } from "../engine/deal.js";
import { Game } from "../engine/game.js";
import type { Act, GameRecord } from "../engine/records.js";
import { parseRuleset } from "../engine/ruleset.js";
import type { Length } from "../engine/start.js";
import type { Level } from "../log/codes.js";
import type { Conduct, Head, LogRecord } from "../log/records.js";
import { LogWriter, type Unwritten } from "../log/writer.js";
import type { Report } from "../validate/report.js";
import { Validator } from "../validate/validator.js";

const SEED = new Uint8Array(32).fill(7);
const CONDUCT: Conduct = { act_ms: 1000, faults: 0, max_deals: 100, tries: 2, window_ms: 100 };

export interface Setting {
  readonly rules: unknown;
  readonly seats: number;
  readonly length?: Length;
  readonly conduct?: Partial<Conduct>;
  readonly clock?: Head["clock"];
}

/** A match from the head on, one deal after the other. */
export class Table {
  readonly lines: Uint8Array[] = [];
  readonly game: Game;
  readonly writer: LogWriter;

  constructor({ rules, seats, length = "game", conduct = {}, clock = "none" }: Setting) {
    const head: Head = {
      _: "head",
      clock,
      commit: commitment(SEED),
      conduct: { ...CONDUCT, ...conduct },
      deals: "test",
      edition: 1,
      fmt: "toep/0",
      isolation: "uid",
      length,
      match: "test-match",
      rules: parseRuleset(rules),
      seats: Array.from({ length: seats }, (_, seat) => ({ bot: `bot ${seat}` })),
      shuffle: "hkdf-fy8/1",
    };
    this.game = Game.start(head.rules, seats, {}, length);
    this.writer = new LogWriter(head, SEED, (line) => this.lines.push(line));
    this.add(head);
    this.writer.seal();
  }

  /** Writes lines of any kind. */
  add(...records: readonly Unwritten[]): this {
    for (const record of records) {
      this.writer.add(record);
      if (record._ === "score") this.writer.seal();
    }
    return this;
  }

  /** Offers the next pack, and deals it where it may not be cut. */
  deal(): this {
    const ask = this.game.asks();
    if (ask.kind !== "pack") throw new Error("no deal is due");
    const { round, attempt } = ask;
    return this.add(...this.game.offer(packOf({ seed: SEED, deals: "test", round, attempt })));
  }

  /** Lets players act. */
  act(...acts: readonly Act[]): this {
    for (const act of acts) this.add(...this.game.apply(act));
    return this;
  }

  /** Writes what the referee does for a seat that is late. */
  late(act: Act): this {
    this.game.apply(act);
    const own = act as GameRecord;
    this.add({ _: "late", budget: this.writer.head.conduct.act_ms, seat: act.seat, verdict: "bot" });
    return this.add({ ...own, by: "ref" } as LogRecord);
  }

  /** Ends the match, whether it is over or not, and reveals the seed. */
  end(status: "abandoned" | "complete" | "forfeited"): this {
    const { places, total } = this.game;
    this.add({ _: "end", n: this.writer.lines, rank: places, status, total });
    this.writer.seal();
    this.add({ _: "reveal", seed: bytesToHex(SEED) });
    this.writer.seal();
    return this;
  }

  /** What a check says of the lines so far. */
  check(level?: Level): Report {
    return checkLines(this.lines, level);
  }
}

/** Checks lines. */
export function checkLines(lines: readonly Uint8Array[], level?: Level): Report {
  const run = new Validator({ level });
  for (const line of lines) {
    run.push(line);
    run.push(new Uint8Array([10]));
  }
  return run.finish();
}
