import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

import { nameOf } from "../engine/cards.js";
import { commitment, dealKey, drawBelow, lineSalt, packFromKey, shuffleStream } from "../engine/deal.js";
import { readJson } from "./fixtures.js";

interface PackFile {
  readonly about: string;
  readonly seed: string;
  readonly deals: string;
  readonly entropy: readonly (string | null)[];
  readonly round: number;
  readonly try: number;
  readonly commit: string;
  readonly stream_head: string;
  readonly pack: readonly string[];
  readonly salts: readonly { readonly match: string; readonly index: number; readonly salt: string }[];
}

interface DrawFile {
  readonly about: string;
  readonly m: number;
  readonly bytes: string;
  readonly value: number | null;
  readonly rejected: number;
}

for (const deal of readJson<PackFile[]>("fixtures", "deals", "packs.json")) {
  test(`pack: ${deal.about}`, () => {
    const seed = hexToBytes(deal.seed);
    const entropy = deal.entropy.map((entry) => hexToBytes(entry ?? ""));
    const key = dealKey({ seed, deals: deal.deals, round: deal.round, attempt: deal.try, entropy });
    assert.equal(commitment(seed), deal.commit);
    assert.equal(bytesToHex(shuffleStream(key, 32)), deal.stream_head);
    assert.deepEqual(packFromKey(key).map(nameOf), deal.pack);
    for (const { match, index, salt } of deal.salts) assert.equal(lineSalt(key, match, index), salt);
  });
}

for (const draw of readJson<DrawFile[]>("fixtures", "deals", "draws.json")) {
  test(`draw: ${draw.about}`, () => {
    const bytes = hexToBytes(draw.bytes);
    const drawn = drawBelow(draw.m, bytes, 0);
    assert.equal(drawn?.value ?? null, draw.value);
    assert.equal((drawn?.next ?? bytes.length + 1) - 1, draw.value === null ? bytes.length : draw.rejected);
  });
}
