import assert from "node:assert/strict";
import { test } from "node:test";

import { nameOf } from "../engine/cards.js";
import { packOf } from "../engine/deal.js";
import { Game } from "../engine/game.js";
import { PLAIN_ACTS, SIGNS, type Act, type GameRecord } from "../engine/records.js";
import { contradiction } from "../engine/ruleset.js";
import { Dice, randomRules } from "./dice.js";

const GAMES = 60;
const MOST_STEPS = 400;

/** Every act of a seat that can be said, but resigning, cuts and discards. */
function everyAct(seat: number): Act[] {
  const plain = PLAIN_ACTS.filter((kind) => kind !== "resign").map((kind): Act => ({ _: kind, seat }));
  const signs = SIGNS.map((sign): Act => ({ _: "signal", seat, sign }));
  const cards = Array.from({ length: 32 }, (_, card): Act => ({ _: "play", card: nameOf(card), seat }));
  return [...plain, ...signs, ...cards];
}

function seatNumbers(game: Game): number[] {
  return Array.from({ length: game.seats }, (_, seat) => seat);
}

/** Whatever is listed is legal, and the other way round; whoever is asked can act. */
function checkLegal(game: Game, legal: readonly Act[]): void {
  const key = (act: Act): string => JSON.stringify(act, Object.keys(act).sort());
  const listed = new Set(legal.map(key));
  for (const act of seatNumbers(game).flatMap(everyAct)) {
    assert.equal(game.check(act) === null, listed.has(key(act)), key(act));
  }
  const ask = game.asks();
  if (ask.kind !== "answer" && ask.kind !== "card" && ask.kind !== "discard") return;
  if (ask.kind === "card" && game.unseen) return;
  for (const seat of ask.seats) assert.ok(legal.some((act) => act.seat === seat), `seat ${seat} is asked`);
}

function actAtRandom(game: Game, dice: Dice): readonly GameRecord[] {
  const legal = seatNumbers(game).flatMap((seat) => game.legal(seat));
  if (dice.below(8) === 0) checkLegal(game, legal);
  const luck = dice.below(200);
  if (luck === 0) return game.voidRound("crash");
  if (luck === 1) return game.forfeit(dice.pick(game.view(null).inGame), "left");
  if (game.unseen && (luck < 40 || legal.length === 0)) return game.pickUpHands();
  const kind = dice.pick(legal)._;
  const act = dice.pick(legal.filter((other) => other._ === kind));
  const copy = game.clone();
  const records = game.apply(act);
  assert.deepEqual(copy.apply(act), records);
  return records;
}

function step(game: Game, dice: Dice, seed: Uint8Array): readonly GameRecord[] {
  const ask = game.asks();
  switch (ask.kind) {
    case "draw":
      return game.draw(packOf({ seed, deals: "", round: 0, attempt: 1 }));
    case "pack":
      return game.offer(packOf({ seed, deals: "", round: ask.round, attempt: ask.attempt }));
    case "cut":
      return dice.below(2) === 0 ? game.deal() : game.apply(dice.pick(game.legal(dice.pick(ask.seats))));
    default:
      return actAtRandom(game, dice);
  }
}

test("random games keep to the rules, by any rules", () => {
  const dice = new Dice(1);
  for (let number = 0; number < GAMES; number += 1) {
    const rules = randomRules(dice);
    assert.equal(contradiction(rules), null);
    const seats = rules.min_players + dice.below(9 - rules.min_players);
    const game = Game.start(rules, seats, {}, dice.below(3) > 0 ? "game" : { rounds: 1 + dice.below(3) });
    const seed = new Uint8Array(32).map(() => dice.below(256));
    for (let steps = 0; steps < MOST_STEPS && game.asks().kind !== "nothing"; steps += 1) {
      const score = step(game, dice, seed).find((record) => record._ === "score");
      if (score !== undefined) assert.deepEqual(score.total, game.total);
    }
    assert.ok(game.places.includes(1));
  }
});
