import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesToHex } from "@noble/hashes/utils.js";

import { commitment, packOf } from "../engine/deal.js";
import { Game } from "../engine/game.js";
import type { GameRecord } from "../engine/records.js";
import { ViewMaker } from "../log/redact.js";
import type { Head } from "../log/records.js";
import { scan } from "../log/scan.js";
import { recordOf } from "../log/schema.js";
import { LogWriter } from "../log/writer.js";
import { Validator } from "../validate/validator.js";
import { Dice, randomRules } from "./dice.js";

const MATCHES = 120;
const MOST_STEPS = 150;
const CONDUCT = { act_ms: 1000, faults: 3, max_deals: 100000, tries: 3, window_ms: 100 };

/** A match in which everything happens that the rules allow, written down as a referee would. */
class Match {
  readonly lines: Uint8Array[] = [];
  readonly game: Game;
  readonly #seed: Uint8Array;
  readonly #writer: LogWriter;
  #forfeited = false;
  #inRounds = false;

  constructor(readonly dice: Dice) {
    const rules = randomRules(dice);
    const seats = rules.min_players + dice.below(9 - rules.min_players);
    const length = dice.below(3) > 0 ? "game" : { rounds: 1 + dice.below(3) };
    this.game = Game.start(rules, seats, {}, length);
    this.#inRounds = length !== "game";
    this.#seed = new Uint8Array(32).map(() => dice.below(256));
    const head: Head = {
      _: "head",
      clock: "none",
      commit: commitment(this.#seed),
      conduct: CONDUCT,
      deals: "random",
      edition: 1,
      fmt: "toep/0",
      isolation: "uid",
      length,
      match: "random-match",
      rules,
      seats: Array.from({ length: seats }, () => ({ bot: "b" })),
      shuffle: "hkdf-fy8/1",
    };
    this.#writer = new LogWriter(head, this.#seed, (line) => this.lines.push(line));
    this.#writer.add(head);
    this.#writer.seal();
  }

  play(): void {
    let cancelled = false;
    for (let steps = 0; this.game.asks().kind !== "nothing" && !cancelled; steps += 1) {
      cancelled = steps > MOST_STEPS && this.game.stage === "round";
      this.#write(cancelled ? this.game.voidRound("cancelled") : this.#step());
    }
    const { over, places, total } = this.game;
    const ended = this.#forfeited ? "forfeited" : "complete";
    this.#writer.add({ _: "end", n: this.#writer.lines, rank: places, status: over ? ended : "abandoned", total });
    this.#writer.seal();
    this.#writer.add({ _: "reveal", seed: bytesToHex(this.#seed) });
    this.#writer.seal();
  }

  #pack(round: number, attempt: number): number[] {
    return packOf({ seed: this.#seed, deals: "random", round, attempt });
  }

  #step(): readonly GameRecord[] {
    const { game, dice } = this;
    const ask = game.asks();
    if (ask.kind === "draw") return game.draw(this.#pack(0, 1));
    if (ask.kind === "pack") return game.offer(this.#pack(ask.round, ask.attempt));
    if (ask.kind === "cut") {
      return dice.below(2) === 0 ? game.deal() : game.apply(dice.pick(game.legal(dice.pick(ask.seats))));
    }
    return this.#act();
  }

  #act(): readonly GameRecord[] {
    const { game, dice } = this;
    const seats = game.view(null).inGame;
    const luck = dice.below(100);
    if (luck === 0) return game.voidRound("crash");
    if (luck === 1 && !game.sealedBegun) {
      this.#forfeited = true;
      return game.forfeit(dice.pick(seats), "left");
    }
    if (luck === 2 && game.view(null).inGame.length > 0 && !game.sealedBegun) {
      if (this.#inRounds) this.#forfeited = true;
      return game.apply({ _: "resign", seat: dice.pick(seats) });
    }
    const all = seats.flatMap((seat) => game.legal(seat));
    // Discards are written in seat order, because all lay away at once.
    const first = Math.min(...all.filter(({ _ }) => _ === "discard").map(({ seat }) => seat));
    const legal = all.filter(({ _, seat }) => _ !== "discard" || seat === first);
    if (game.unseen && (luck < 20 || legal.length === 0)) return game.pickUpHands();
    const kind = dice.pick(legal)._;
    return game.apply(dice.pick(legal.filter((act) => act._ === kind)));
  }

  #write(records: readonly GameRecord[]): void {
    for (const record of records) this.#writer.add(record);
    if (records.some(({ _ }) => _ === "score")) this.#writer.seal();
  }
}

function check(lines: readonly Uint8Array[]): ReturnType<Validator["finish"]> {
  const run = new Validator();
  for (const line of lines) {
    run.push(line);
    run.push(new Uint8Array([10]));
  }
  return run.finish();
}

test("random matches, by any rules, are valid, and so are their views", () => {
  const dice = new Dice(7);
  for (let number = 0; number < MATCHES; number += 1) {
    const match = new Match(dice);
    match.play();
    const report = check(match.lines);
    assert.deepEqual([report.error, report.verdict], [null, "VALID"]);
    const maker = new ViewMaker(dice.below(3) - 1 < 0 ? null : 0);
    const view = match.lines.flatMap((bytes) =>
      maker.push({ bytes, record: recordOf(scan(Buffer.from(bytes).toString())) }),
    );
    const opened = check([...view, ...maker.finish()]);
    assert.deepEqual([opened.error, opened.verdict], [null, "VALID"]);
  }
});
