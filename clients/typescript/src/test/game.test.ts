import assert from "node:assert/strict";
import { test } from "node:test";

import { cardOf, nameOf, parseCard, type Card, type CardName } from "../engine/cards.js";
import { Game, RefusedError } from "../engine/game.js";
import type { Act, GameRecord } from "../engine/records.js";
import { parseRuleset } from "../engine/ruleset.js";
import { StartError, type Start } from "../engine/start.js";

const DEAL_K = ["Jh Qh 7s 8c", "Th 9c Ks Jd", "9h Qc As 7d", "8h Kc Js Td"];

function cards(text: string): Card[] {
  return text.split(" ").map((name) => parseCard(name) ?? assert.fail(name));
}

function round(rules: unknown, hands: readonly string[], start: Start = {}): Game {
  return Game.start(parseRuleset(rules), hands.length, { ...start, hands: hands.map(cards) });
}

function plain(kind: "toep" | "stay" | "fold" | "resign" | "peek" | "blind" | "confess", seat: number): Act {
  return { _: kind, seat };
}

function card(seat: number, name: CardName): Act {
  return { _: "play", card: name, seat };
}

function applyAll(game: Game, acts: readonly Act[]): GameRecord[] {
  return acts.flatMap((act) => game.apply(act));
}

/** A pack that begins with these cards, followed by the rest by index. */
function packWith(first: string): Card[] {
  const top = cards(first);
  return [...top, ...Array.from({ length: 32 }, (_, index) => index).filter((index) => !top.includes(index))];
}

test("a toep, a fold, a trick and a score, as records", () => {
  const game = round("cafe", ["9h", "Th", "7h", "8h"], { lead: 0 });
  const records = applyAll(game, [
    card(0, "9h"),
    card(1, "Th"),
    plain("toep", 2),
    plain("stay", 3),
    plain("stay", 0),
    plain("fold", 1),
    card(2, "7h"),
    card(3, "8h"),
  ]);
  assert.deepEqual(records.slice(2), [
    { _: "toep", seat: 2, stake: 2 },
    { _: "stay", seat: 3 },
    { _: "stay", seat: 0 },
    { _: "fold", pay: 1, seat: 1 },
    { _: "play", card: "7h", seat: 2 },
    { _: "play", card: "8h", seat: 3 },
    { _: "trick", win: 1 },
    { _: "score", points: [2, 1, 2, 2], total: [2, 1, 2, 2] },
  ]);
});

test("sealed answers are told together, in seat order", () => {
  const game = round({ preset: "cafe", answers: "simultaneous" }, DEAL_K);
  assert.deepEqual(applyAll(game, [plain("toep", 1), plain("fold", 3), plain("stay", 2)]), [
    { _: "toep", seat: 1, stake: 2 },
  ]);
  assert.deepEqual(game.asks(), { kind: "answer", seats: [0] });
  assert.deepEqual(game.apply(plain("stay", 0)), [
    { _: "stay", seat: 0 },
    { _: "stay", seat: 2 },
    { _: "fold", pay: 1, seat: 3 },
  ]);
});

test("armoede opens with the first answer, dood seats go along by themselves", () => {
  const game = round("classic", DEAL_K, { points: [9, 0, 0, 0] });
  assert.deepEqual(applyAll(game, [plain("stay", 1), plain("stay", 2), plain("fold", 3), plain("toep", 1)]), [
    { _: "open", seats: [0], stake: 2 },
    { _: "stay", seat: 1 },
    { _: "stay", seat: 2 },
    { _: "fold", pay: 1, seat: 3 },
    { _: "toep", seat: 1, stake: 3 },
  ]);
  assert.deepEqual(game.apply(plain("stay", 2)), [
    { _: "stay", seat: 2 },
    { _: "auto", seats: [0] },
  ]);
});

test("all in armoede: the stake opens before the first card", () => {
  const game = round("classic", DEAL_K.slice(1), { points: [9, 9, 9] });
  assert.deepEqual(game.apply(card(1, "Qc")), [
    { _: "open", seats: [1, 2, 0], stake: 2 },
    { _: "play", card: "Qc", seat: 1 },
  ]);
});

test("a revoke that proves itself breaks its trick off", () => {
  const game = round("club", ["Th 7s", "9h 8c", "8h Qc"], { lead: 0 });
  applyAll(game, [card(0, "Th"), card(1, "8c"), card(2, "8h"), card(0, "7s")]);
  assert.deepEqual(game.apply(card(1, "9h")), [
    { _: "play", card: "9h", seat: 1 },
    { _: "void", why: "revoke" },
    { _: "score", points: [0, 3, 0], total: [0, 3, 0] },
  ]);
});

test("places: who left together shares a place, and the next is skipped", () => {
  const game = round({ preset: "cafe", game_end: "last_standing" }, ["9h", "Th", "7h", "8h"], {
    points: [9, 9, 8, 8],
    lead: 0,
  });
  applyAll(game, [card(0, "9h"), card(1, "Th"), plain("toep", 2), plain("stay", 3), plain("stay", 0)]);
  applyAll(game, [plain("fold", 1), card(2, "7h"), card(3, "8h")]);
  assert.equal(game.over, true);
  assert.deepEqual(game.places, [4, 3, 1, 1]);
});

test("a rounds match counts every round from zero and moves the deal", () => {
  const game = Game.start(parseRuleset("short"), 3, {}, { rounds: 3 });
  const dealers: number[] = [];
  for (let played = 0; played < 3; played += 1) {
    dealers.push(game.dealer);
    game.offer(packWith("Jc"));
    applyAll(game, [plain("toep", 2), plain("fold", 0), plain("fold", 1)]);
  }
  assert.deepEqual(dealers, [0, 1, 2]);
  assert.equal(game.over, true);
  assert.deepEqual(game.total, [3, 3, 0]);
  assert.deepEqual(game.places, [2, 2, 1]);
});

test("the draw for the first deal goes on among those who tie", () => {
  const game = Game.start(parseRuleset("rubber"), 4);
  assert.deepEqual(game.asks(), { kind: "draw" });
  const [draw] = game.draw(packWith("9c Qd Qh 7s Kd Ts"));
  assert.deepEqual(draw, {
    _: "draw",
    cards: [
      [0, "9c"],
      [1, "Qd"],
      [2, "Qh"],
      [3, "7s"],
      [1, "Kd"],
      [2, "Ts"],
    ],
  });
  assert.equal(game.dealer, 1);
});

test("a cut moves the deal down the pack, two cards at a time", () => {
  const pack = Array.from({ length: 32 }, (_, index) => index);
  const game = Game.start(parseRuleset({ preset: "classic", cut: true }), 4);
  game.offer(pack);
  assert.deepEqual(game.asks(), { kind: "cut", seats: [3] });
  const records = game.apply({ _: "cut", at: 5, seat: 3 });
  const leftOfDealer = [5, 6, 13, 14].map(nameOf);
  assert.deepEqual(records[2], { _: "cards", cards: leftOfDealer, seat: 1, why: "deal" });
});

test("a void round cancels prices for folding, and is dealt again by the same dealer", () => {
  const game = Game.start(parseRuleset("classic"), 4, { dealer: 2 });
  game.offer(packWith("Jc"));
  applyAll(game, [plain("toep", 3), plain("fold", 0)]);
  assert.deepEqual(game.total, [1, 0, 0, 0]);
  game.voidRound("crash");
  assert.deepEqual(game.total, [0, 0, 0, 0]);
  assert.deepEqual(game.offer(packWith("Jd"))[0], { _: "round", dealer: 2, round: 1, try: 2 });
});

test("a forfeit has the effect of resigning", () => {
  const game = round("classic", DEAL_K);
  assert.deepEqual(game.forfeit(1, "faults"), [
    { _: "forfeit", seat: 1, why: "faults" },
    { _: "out", seat: 1, why: "forfeit" },
  ]);
  assert.equal(game.lead, 2);
  assert.deepEqual(game.total, [0, 10, 0, 0]);
});

test("a view hides a hand that was not looked at, and what is in it", () => {
  const game = round("classic-all", DEAL_K, { stock: cards("9s 8s Ts 7c") });
  const view = game.view(0);
  assert.equal(view.hand, null);
  assert.deepEqual(view.legal, [plain("blind", 0), plain("peek", 0)]);
  game.apply(plain("peek", 0));
  assert.deepEqual(game.view(0).hand, ["8c", "7s", "Jh", "Qh"]);
  assert.equal(game.view(1).hand, null);
});

test("a copy goes its own way, and a refused act changes nothing", () => {
  const game = round("cafe", DEAL_K);
  const copy = game.clone();
  copy.apply(card(1, "Jd"));
  assert.equal(game.hand(1).length, 4);
  assert.throws(() => game.apply(card(1, "Qh")), new RefusedError("play is refused by R-CARD-01", "R-CARD-01"));
  assert.deepEqual(game.apply(card(1, "Jd")), [{ _: "play", card: "Jd", seat: 1 }]);
});

test("starts that no table can be in", () => {
  assert.throws(() => round("cafe", ["Jh", "Qh"]), StartError);
  assert.throws(() => round("short", ["Jh", "Jh"]), StartError);
  assert.throws(() => round("short", ["Jh", "Qh Kh"]), StartError);
  assert.throws(() => round("classic", ["Jh", "Qh"], { points: [10, 0] }), StartError);
  assert.throws(() => round("club", ["Th 9h 8h 7h Ah Kh Qh Jh Ts", "Tc 9c 8c 7c Ac Kc Qc Jc Td"]), StartError);
});

test("rule sets that contradict themselves", () => {
  const wrong = [
    { no_follower: "suit_then_rank" },
    { overtoep_as_answer: true, answers: "simultaneous" },
    { armoede_leads: true },
    { chance: true },
    { finale: "two_left" },
    { grey_grave: true },
    { crosses: 1 },
    { limit: 0 },
    { limit: "10" },
    { tokens: 9 },
    { preset: "pub" },
    ["cafe"],
    "pub",
  ];
  for (const rules of wrong) assert.throws(() => parseRuleset(rules), { name: "RulesetError" }, JSON.stringify(rules));
  assert.equal(cardOf("Th"), 31);
});
