import assert from "node:assert/strict";
import { test } from "node:test";

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { countCase } from "../conformance/cases.js";
import { parseCase } from "../conformance/parse.js";
import { parseCard } from "../engine/cards.js";
import { Game } from "../engine/game.js";
import type { Act } from "../engine/records.js";
import { parseRuleset } from "../engine/ruleset.js";
import { StartError, type Start, type StartFault } from "../engine/start.js";
import { checkSignature, publicKey } from "../log/ed25519.js";

const PACK = Array.from({ length: 32 }, (_, card) => card);
const DEAL_K = ["Jh Qh 7s 8c", "Th 9c Ks Jd", "9h Qc As 7d", "8h Kc Js Td"];

function handsOf(...hands: readonly string[]): number[][] {
  return hands.map((hand) => hand.split(" ").filter(Boolean).map((name) => parseCard(name) ?? assert.fail(name)));
}

function plain(kind: "toep" | "stay" | "fold" | "resign" | "peek", seat: number): Act {
  return { _: kind, seat };
}

function faultOf(rules: unknown, seats: number, start: Start): StartFault | null {
  try {
    Game.start(parseRuleset(rules), seats, start);
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.code;
    throw error;
  }
}

test("who leads or toeped last is in the round, and the stake is 1 while hands lie unseen", () => {
  const three = handsOf("Jh", "", "Qh");
  assert.equal(faultOf("classic", 3, { hands: three, lead: 2, last: 0, dealer: 1 }), null);
  assert.equal(faultOf("classic", 3, { hands: three, lead: 1 }), "bad_lead");
  assert.equal(faultOf("classic", 3, { hands: three, last: 1 }), "bad_last");
  assert.equal(faultOf("classic", 3, { points: [10, 0, 0], lead: 0 }), "bad_lead");
  assert.equal(faultOf("classic", 3, { points: [10, 0, 0], dealer: 0 }), null);
  const hands = handsOf(...DEAL_K);
  assert.equal(faultOf("classic-all", 4, { hands, stake: 2 }), "bad_stake");
  assert.equal(faultOf("classic-all", 4, { hands, stake: 1, last: 2 }), null);
  assert.equal(faultOf("classic", 4, { hands, stake: 2 }), null);
  assert.equal(faultOf("classic", 4, { stake: 2 }), "bad_stake");
  assert.equal(faultOf("classic", 4, { last: 2 }), "bad_last");
  assert.equal(faultOf("classic", 4, { stock: [0] }), "no_cards");
  assert.equal(faultOf("classic", 3, { hands: three, folds: [0, 99, 0], run: [99, 99, 0] }), null);
});

test("armoede asks everybody who does not open, also who is dood by penalties", () => {
  const rules = { preset: "short", limit: 1, armoede: true, dood: "auto", blind: true };
  const game = Game.start(parseRuleset(rules), 3, {}, { rounds: 1 });
  game.offer(PACK);
  game.apply(plain("peek", 0));
  assert.deepEqual(game.total, [1, 0, 0]);
  game.pickUpHands();
  assert.deepEqual(game.asks(), { kind: "answer", seats: [0] });
  assert.equal(game.check(plain("toep", 0)), "R-ARM-04");
  assert.deepEqual(game.apply(plain("stay", 0)), [
    { _: "open", seats: [1, 2], stake: 2 },
    { _: "stay", seat: 0 },
  ]);
});

test("a sealed fold counts in a row when it is given, also when it is never booked", () => {
  const rules = { preset: "short", answers: "simultaneous", folds_in_row: 1, game_end: "last_standing" };
  const game = Game.start(parseRuleset(rules), 4);
  game.offer(PACK);
  const first = [plain("toep", 1), plain("fold", 0), plain("stay", 2), plain("stay", 3)];
  const second = [plain("toep", 2), plain("fold", 3), plain("resign", 2), plain("resign", 1)];
  for (const act of [...first, ...second]) game.apply(act);
  assert.deepEqual(game.total, [1, 10, 10, 0]);
  assert.equal(game.outcome?.winner, 3);
  game.offer(PACK);
  game.apply(plain("toep", 0));
  assert.equal(game.check(plain("fold", 3)), "R-LIJN-01");
});

test("counts leave windows open", () => {
  const start = { hands: [["Jh", "Js", "Jd", "Jc"], ["7h", "8s", "9d", "Tc"], ["9h", "Qc", "As", "Td"]] };
  const given = parseCase({ rules: "classic-all", seats: 3, start });
  const toepBlind = [0, 1, 2].map((seat) => ({ _: "blind", seat }));
  assert.deepEqual(countCase(given, 1).sub, toepBlind.map((act) => [act, 1]));
  assert.deepEqual(countCase(given, 2).sub, toepBlind.map((act) => [act, 2]));
});

test("signatures: without the cofactor, also by a key that is not of the order of the base point", () => {
  const { Point } = ed25519;
  const torsion = Point.fromBytes(hexToBytes("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"));
  assert.ok(torsion.isSmallOrder());
  const order = Point.Fn.ORDER;
  const secret = 123456789n;
  const bytes = Point.BASE.multiply(secret).add(torsion).toBytes();
  const key = publicKey(bytes);
  assert.ok(key !== null);
  const r = Point.BASE.multiply(987654321n).toBytes();
  const results = new Set<string>();
  for (let number = 0; number < 24; number += 1) {
    const message = utf8ToBytes(`message ${number}`);
    const digest = sha512(concatBytes(r, bytes, message));
    const k = digest.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) % order;
    const s = (987654321n + k * secret) % order;
    const signature = concatBytes(r, hexToBytes(s.toString(16).padStart(64, "0")).reverse());
    const expected = k % 8n === 0n ? "good" : "wrong";
    assert.equal(checkSignature(key, signature, message), expected);
    results.add(expected);
  }
  assert.equal(results.size, 2);
});
