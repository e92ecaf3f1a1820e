import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as acts from "../acts.js";
import type { Act, ActKind } from "../acts.js";
import { card } from "../cards.js";
import { ActKindSchema } from "../gen/referee/v1/acts_pb.js";
import { AnswerSchema } from "../gen/referee/v1/play_pb.js";
import { encode, flagged } from "../wire.js";

const samples: Record<ActKind, Act> = {
  pass: acts.pass("round"),
  cut: acts.cut(7),
  blind: acts.blind(),
  peek: acts.peek(),
  chance: acts.chance(),
  exchange: acts.exchange(),
  challenge: acts.challenge(),
  signal: acts.signal("sing"),
  toep: acts.toep(),
  stay: acts.stay(),
  fold: acts.fold(),
  play: acts.play(card("Th")),
  discard: acts.discard([card("Jc"), card("Qc"), card("Kc")]),
  confess: acts.confess(),
  resign: acts.resign(),
};

function overTheWire(act: Act): unknown {
  const answer = fromBinary(AnswerSchema, toBinary(AnswerSchema, create(AnswerSchema, { act: encode(act) })));
  return answer.act.case === undefined ? undefined : { case: answer.act.case, ...answer.act.value };
}

/** The field of an answer that an act goes into: its own name, but for the pass, whose name some languages reserve. */
const fieldOf = (kind: string): string => (kind === "pass" ? "decline" : kind);

test("every act of an answer has a constructor, and arrives as itself", () => {
  const fields = AnswerSchema.oneofs.find(({ name }) => name === "act")?.fields.map(({ localName }) => localName);
  assert.ok(fields);
  assert.deepEqual([...fields].sort(), Object.keys(samples).map(fieldOf).sort());
  for (const [kind, act] of Object.entries(samples)) {
    assert.equal(typeof acts[kind as ActKind], "function");
    assert.equal(act.kind, kind);
    assert.equal((overTheWire(act) as { case: string }).case, fieldOf(kind));
  }
});

test("details arrive", () => {
  const detail = (act: Act, field: string) => (overTheWire(act) as Record<string, unknown>)[field];
  assert.deepEqual(
    (["window", "trick", "round"] as const).map((until) => detail(acts.pass(until), "until")),
    [0, 1, 2],
  );
  assert.deepEqual(
    (["whistle", "sing", "stand"] as const).map((sign) => detail(acts.signal(sign), "sign")),
    [1, 2, 3],
  );
  assert.equal(detail(samples.cut, "at"), 7);
  assert.equal(detail(samples.play, "card"), 32);
  assert.deepEqual(detail(samples.discard, "cards"), [1, 2, 3]);
});

test("every kind of act has its own bit", () => {
  for (const { name, number } of ActKindSchema.values) {
    const kind = name.replace("ACT_KIND_", "").toLowerCase();
    for (const each of Object.keys(samples) as ActKind[]) {
      assert.equal(flagged(1 << number, each), each === kind);
    }
  }
});

test("a cut out of range is an error at once", () => {
  for (const at of [0, 32, 1.5, NaN]) {
    assert.throws(() => acts.cut(at), RangeError);
  }
});

test("what is no act is an error", () => {
  assert.throws(() => encode({ kind: "dance" } as unknown as Act), TypeError);
});

test("acts are described for people", () => {
  assert.deepEqual(
    [samples.pass, acts.pass(), samples.cut, samples.signal, samples.play, samples.discard, samples.toep].map(
      acts.describe,
    ),
    ["pass until the end of the round", "pass", "cut at 7", "signal sing", "play Th", "discard Jc Qc Kc", "toep"],
  );
});
