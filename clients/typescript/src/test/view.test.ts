import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe } from "../acts.js";
import { card, maskOf } from "../cards.js";
import type { CardName } from "../cards.js";
import { ActKind } from "../gen/referee/v1/acts_pb.js";
import { AskKind, AskKindSchema, AskSchema, SeatedSchema } from "../gen/referee/v1/play_pb.js";
import { TableStateSchema } from "../gen/referee/v1/table_pb.js";
import { View } from "../view.js";

const seated = create(SeatedSchema, {
  table: 3,
  matchId: "m",
  seat: 1,
  bots: ["a", "b", "c"],
  rules: [
    { name: "limit", value: { case: "number", value: 10 } },
    { name: "folded_cards", value: { case: "choice", value: "win" } },
    { name: "armoede", value: { case: "flag", value: true } },
    { name: "of_a_newer_kind" },
  ],
  rounds: 5,
});

const mask = (...names: CardName[]) => maskOf(names.map(card));
const bits = (...kinds: ActKind[]) => kinds.reduce((may, kind) => may | (1 << kind), 0);

function viewOf(ask: MessageInitShape<typeof AskSchema>, state?: MessageInitShape<typeof TableStateSchema>): View {
  return new View(
    create(AskSchema, { table: 3, ask: 9, seat: 1, ...ask }),
    seated,
    state && create(TableStateSchema, state),
  );
}

test("a view has what the ask, the state and the seating say", () => {
  const view = viewOf(
    { kind: AskKind.CARD, hand: mask("Th", "Jc"), legal: mask("Th"), budgetMs: 250 },
    {
      round: 2,
      trick: 3,
      dealer: 0,
      lead: 2,
      turn: 1,
      stake: 2,
      toeper: 2,
      inRound: 0b110,
      inGame: 0b111,
      points: [4, 0, 9],
      plays: [(2 << 8) | (1 << 5) | card("Ad").index, (3 << 8) | (2 << 5) | card("9h").index],
      answering: 0b010,
      stock: 20,
      accepted: [1, 2, 2],
    },
  );
  assert.equal(view.table, 3);
  assert.equal(view.matchId, "m");
  assert.equal(view.ask, 9);
  assert.equal(view.seat, 1);
  assert.equal(view.kind, "card");
  assert.equal(view.budgetMs, 250);
  assert.deepEqual(view.bots, ["a", "b", "c"]);
  assert.equal(view.rounds, 5);
  assert.deepEqual(
    [...view.rules],
    [
      ["limit", 10],
      ["folded_cards", "win"],
      ["armoede", true],
    ],
  );
  assert.deepEqual(view.hand, [card("Jc"), card("Th")]);
  assert.deepEqual(view.legalCards, [card("Th")]);
  assert.deepEqual([view.round, view.trick, view.dealer, view.lead, view.turn], [2, 3, 0, 2, 1]);
  assert.deepEqual([view.stake, view.toeper, view.stock, view.claimer], [2, 2, 20, undefined]);
  assert.deepEqual(view.inRound, [1, 2]);
  assert.deepEqual(view.inGame, [0, 1, 2]);
  assert.deepEqual(view.answering, [1]);
  assert.deepEqual(view.points, [4, 0, 9]);
  assert.deepEqual(view.accepted, [1, 2, 2]);
  assert.deepEqual(view.plays, [
    { trick: 2, seat: 1, card: card("Ad") },
    { trick: 3, seat: 2, card: card("9h") },
  ]);
  assert.deepEqual(view.currentTrick, [{ trick: 3, seat: 2, card: card("9h") }]);
  assert.equal(view.led, "h");
});

test("nothing is led before the first card, and a state may be missing", () => {
  const view = viewOf({});
  assert.equal(view.led, undefined);
  assert.deepEqual(view.currentTrick, []);
  assert.equal(view.turn, undefined);
});

test("legal acts are complete", () => {
  const legal = (ask: MessageInitShape<typeof AskSchema>) => viewOf(ask).legal.map(describe);
  assert.deepEqual(legal({ legal: mask("Jc", "Th"), may: bits(ActKind.TOEP) }), ["play Jc", "play Th", "toep"]);
  assert.deepEqual(legal({ may: bits(ActKind.STAY, ActKind.FOLD) }), ["stay", "fold"]);
  assert.deepEqual(legal({ may: bits(ActKind.PASS, ActKind.SIGNAL, ActKind.CONFESS) }), [
    "signal whistle",
    "signal sing",
    "signal stand",
    "confess",
    "pass",
  ]);
  assert.deepEqual(legal({ may: bits(ActKind.PASS, ActKind.EXCHANGE) }), ["exchange", "pass"]);
  assert.deepEqual(legal({ may: bits(ActKind.PASS, ActKind.CHALLENGE) }), ["challenge", "pass"]);
  assert.deepEqual(legal({ may: bits(ActKind.PASS, ActKind.BLIND, ActKind.PEEK) }), ["blind", "peek", "pass"]);
  assert.deepEqual(legal({ may: bits(ActKind.PASS, ActKind.CHANCE) }), ["chance", "pass"]);
});

test("a cut may be at 1 to 31", () => {
  const { legal } = viewOf({ may: bits(ActKind.CUT) });
  assert.deepEqual(
    legal.map((act) => act.kind === "cut" && act.at),
    Array.from({ length: 31 }, (_, i) => i + 1),
  );
});

test("any three cards of the hand may be laid away", () => {
  const { legal } = viewOf({ hand: 0b111_1111_1111, may: bits(ActKind.DISCARD) });
  const masks = legal.map((act) => (act.kind === "discard" ? maskOf(act.cards) : 0));
  assert.equal(masks.length, 165);
  assert.equal(new Set(masks).size, 165);
  assert.ok(legal.every((act) => act.kind === "discard" && new Set(act.cards).size === 3));
});

test("may() tells kinds of act apart", () => {
  const view = viewOf({ legal: mask("Jc"), may: bits(ActKind.TOEP) });
  assert.ok(view.may("play") && view.may("toep") && view.may("resign"));
  assert.ok(!view.may("fold") && !viewOf({}).may("play"));
});

test("every kind of ask has a name, and newer ones are unknown", () => {
  const names = AskKindSchema.values.filter(({ number }) => number > 0);
  for (const { name, number } of names) {
    assert.equal(viewOf({ kind: number }).kind, name.replace("ASK_KIND_", "").toLowerCase());
  }
  assert.equal(viewOf({ kind: 99 as AskKind }).kind, "unknown");
  assert.deepEqual(viewOf({ may: 1 << 30 }).legal, []);
});

test("random numbers depend on match, seat and ask alone", () => {
  const draw = (view: View) => [view.random(), view.random(), view.random()];
  const numbers = draw(viewOf({}));
  assert.deepEqual(draw(viewOf({ hand: 1, budgetMs: 7 }, { stake: 3 })), numbers);
  assert.notDeepEqual(draw(viewOf({ ask: 10 })), numbers);
  assert.notDeepEqual(draw(viewOf({ seat: 2 })), numbers);
  assert.equal(new Set(numbers).size, 3);
  assert.ok(numbers.every((number) => number >= 0 && number < 1));
});

test("random numbers are spread evenly", () => {
  const view = viewOf({});
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const bin = Math.floor(view.random() * 10);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  assert.ok(
    counts.every((count) => count > 850 && count < 1150),
    counts.join(" "),
  );
});
