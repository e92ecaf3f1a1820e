// The shuffle hkdf-fy8/1 once more, from its description and on nothing but node:crypto.
// Usage: node deal.mjs DIRECTORY   (with packs.json and draws.json); prints "N passed, N failed", exits 0 or 1.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const ascii = (text) => Buffer.from(text, "latin1");
const u32 = (n) => Buffer.from([n / 2 ** 24, n / 2 ** 16, n / 2 ** 8, n].map((part) => Math.floor(part) % 256));
const lp = (bytes) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);

const CARDS = [..."cdsh"].flatMap((suit) => [..."JQKA789T"].map((rank) => rank + suit));

function keyOf({ seed, deals, entropy, round, try: attempt }) {
  const given = entropy.map((hex) => lp(Buffer.from(hex ?? "", "hex")));
  const salt = sha256(lp(ascii("toep/1 deal")), lp(ascii(deals)), lp(u32(round)), lp(u32(attempt)), ...given);
  return hmac(salt, Buffer.from(seed, "hex"));
}

function expand(prk, info, blocks) {
  const out = [Buffer.alloc(0)];
  for (let i = 1; i <= blocks; i++) out.push(hmac(prk, out[i - 1], ascii(info), Buffer.from([i])));
  return Buffer.concat(out);
}

// Reads from `bytes` at `place.at`; null when they run out.
function drawBelow(m, bytes, place) {
  const limit = Math.floor(256 / m) * m;
  while (place.at < bytes.length) {
    const byte = bytes[place.at++];
    if (byte < limit) return byte % m;
  }
  return null;
}

function shuffle(stream) {
  const pack = [...CARDS];
  const place = { at: 0 };
  for (let top = pack.length; top > 1; top--) {
    const other = drawBelow(top, stream, place);
    [pack[top - 1], pack[other]] = [pack[other], pack[top - 1]];
  }
  return pack;
}

let passed = 0;
let failed = 0;

function check(where, expected, actual) {
  if (JSON.stringify(expected) === JSON.stringify(actual)) {
    passed++;
  } else {
    failed++;
    console.log(`${where}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

const directory = process.argv[2];
const read = (name) => JSON.parse(readFileSync(join(directory, name), "utf8"));

for (const [number, vector] of read("packs.json").entries()) {
  const where = `packs.json ${number} (${vector.about})`;
  const prk = keyOf(vector);
  const stream = expand(prk, "shuffle fr32", 255);
  const commitment = sha256(ascii("toep/1 commit\n"), Buffer.from(vector.seed, "hex"));
  check(`${where} commit`, vector.commit, commitment.toString("hex"));
  check(`${where} stream_head`, vector.stream_head, stream.subarray(0, 32).toString("hex"));
  check(`${where} pack`, vector.pack, shuffle(stream));
  for (const { match, index, salt } of vector.salts) {
    const full = hmac(hmac(prk, ascii("salt")), lp(ascii(match)), u32(index));
    check(`${where} salt of ${match} ${index}`, salt, full.toString("hex").slice(0, 32));
  }
}

for (const [number, { about, m, bytes, value, rejected }] of read("draws.json").entries()) {
  const place = { at: 0 };
  const drawn = drawBelow(m, Buffer.from(bytes, "hex"), place);
  check(`draws.json ${number} (${about}) value`, value, drawn);
  check(`draws.json ${number} (${about}) rejected`, rejected, drawn === null ? place.at : place.at - 1);
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
