/** The shuffle `hkdf-fy8/1`: packs, commitments and salts from a seed. Synchronous, and the same in any host. */

import { expand, extract } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { PACK_SIZE, type Card } from "./cards.js";

/** Where a pack comes from. Entropy has one entry a seat, empty for a player who gave none. */
export interface DealSource {
  readonly seed: Uint8Array;
  readonly deals: string;
  readonly round: number;
  readonly attempt: number;
  readonly entropy?: readonly Uint8Array[];
}

/** A number below a bound, and where the next byte to be read is. */
export interface Drawn {
  readonly value: number;
  readonly next: number;
}

const COMMIT_DOMAIN = utf8ToBytes("toep/1 commit\n");
const DEAL_DOMAIN = utf8ToBytes("toep/1 deal");
const SHUFFLE_INFO = utf8ToBytes("shuffle fr32");
const SALT_INFO = utf8ToBytes("salt");
const SALT_BYTES = 16;
/** More than nearly every shuffle reads; a longer stream begins with the same bytes. */
const SHORT_STREAM = 64;
/** The most that HKDF gives with SHA-256. */
const LONGEST_STREAM = 255 * 32;

function lengthPrefixed(value: Uint8Array): Uint8Array {
  if (value.length > 0xffff) throw new RangeError("too long for a length prefix of two bytes");
  return concatBytes(new Uint8Array([value.length >> 8, value.length & 0xff]), value);
}

function u32be(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** The commitment to a seed, in hex. */
export function commitment(seed: Uint8Array): string {
  return bytesToHex(sha256(concatBytes(COMMIT_DOMAIN, seed)));
}

/** The key of one deal, from which its pack and its salts follow. Round 0, try 1 is the draw for the first dealer. */
export function dealKey(source: DealSource): Uint8Array {
  const parts = [DEAL_DOMAIN, utf8ToBytes(source.deals), u32be(source.round), u32be(source.attempt)];
  const salt = sha256(concatBytes(...[...parts, ...(source.entropy ?? [])].map(lengthPrefixed)));
  return extract(sha256, source.seed, salt);
}

/** The first `length` bytes of the stream that the shuffle reads. */
export function shuffleStream(key: Uint8Array, length: number): Uint8Array {
  return expand(sha256, key, SHUFFLE_INFO, length);
}

/**
 * A number below `m` from the bytes at `at`, without bias: bytes from the last incomplete multiple of `m` on are thrown
 * away. Undefined when the bytes run out first.
 */
export function drawBelow(m: number, bytes: Uint8Array, at: number): Drawn | undefined {
  const bound = 256 - (256 % m);
  for (let next = at; next < bytes.length; next += 1) {
    const byte = bytes[next] ?? bound;
    if (byte < bound) return { value: byte % m, next: next + 1 };
  }
  return undefined;
}

function shuffled(stream: Uint8Array): Card[] | undefined {
  const pack = Array.from({ length: PACK_SIZE }, (_, card) => card);
  let at = 0;
  for (let i = PACK_SIZE - 1; i > 0; i -= 1) {
    const drawn = drawBelow(i + 1, stream, at);
    if (drawn === undefined) return undefined;
    const here = pack[i] ?? 0;
    pack[i] = pack[drawn.value] ?? 0;
    pack[drawn.value] = here;
    at = drawn.next;
  }
  return pack;
}

/** The pack of a deal, the top card first. */
export function packFromKey(key: Uint8Array): Card[] {
  const pack = shuffled(shuffleStream(key, SHORT_STREAM)) ?? shuffled(shuffleStream(key, LONGEST_STREAM));
  if (pack === undefined) throw new Error("the stream of the shuffle ran out");
  return pack;
}

/** The pack that a seed gives, the top card first. */
export function packOf(source: DealSource): Card[] {
  return packFromKey(dealKey(source));
}

/** The salt of the private line `index` of a log, in hex. */
export function lineSalt(key: Uint8Array, match: string, index: number): string {
  const name = concatBytes(lengthPrefixed(utf8ToBytes(match)), u32be(index));
  return bytesToHex(hmac(sha256, hmac(sha256, key, SALT_INFO), name).subarray(0, SALT_BYTES));
}
