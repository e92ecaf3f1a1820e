/** Strict Ed25519, so that a verdict does not depend on a library (log-format, "Signatures"). */

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";

type Point = InstanceType<typeof ed25519.Point>;

/** What became of a signature: `impossible` is one that no key can have made. */
export type SignatureResult = "good" | "wrong" | "impossible";

/** A public key that passed all tests. */
export interface PublicKey {
  readonly bytes: Uint8Array;
  readonly point: Point;
}

const FIELD = ed25519.Point.Fp.ORDER;
const ORDER = ed25519.Point.Fn.ORDER;
const SIGN_BIT = 0x80;
/** For the table of multiples of a key, which is made once: logs have many signatures by one key. */
const WINDOW = 5;
/** The points of small order, as they are spelled canonically. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]);

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(bytes[i] ?? 0);
  return value;
}

/** Whether 32 bytes are a canonical spelling: y is below the prime, and x = 0 has no sign. */
function isCanonical(bytes: Uint8Array): boolean {
  const last = bytes[31] ?? 0;
  const masked = bytes.slice();
  masked[31] = last & ~SIGN_BIT;
  const y = littleEndian(masked);
  if (y >= FIELD) return false;
  const xIsZero = y === 1n || y === FIELD - 1n;
  return !(xIsZero && (last & SIGN_BIT) !== 0);
}

/** The point that canonical bytes spell, if there is one. */
function pointOf(bytes: Uint8Array): Point | null {
  try {
    return ed25519.Point.fromBytes(bytes, false);
  } catch {
    return null;
  }
}

/** A public key: a point of the curve, spelled canonically and not of small order; null for any other bytes. */
export function publicKey(bytes: Uint8Array): PublicKey | null {
  if (bytes.length !== 32 || !isCanonical(bytes)) return null;
  const point = pointOf(bytes);
  return point === null || point.isSmallOrder() ? null : { bytes, point: point.precompute(WINDOW) };
}

/**
 * Checks 64 bytes over a message by the equation without the cofactor, compared as bytes. What is compared with R is a
 * point, so an R that is none is a wrong signature.
 */
export function checkSignature(key: PublicKey, signature: Uint8Array, message: Uint8Array): SignatureResult {
  if (signature.length !== 64) return "impossible";
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= ORDER || !isCanonical(r) || SMALL_ORDER.has(bytesToHex(r))) return "impossible";
  const k = littleEndian(sha512(concatBytes(r, key.bytes, message))) % ORDER;
  // All values are public, so the faster multiplication that depends on them will do.
  const expected = ed25519.Point.BASE.multiplyUnsafe(s).subtract(key.point.multiplyUnsafe(k)).toBytes();
  return expected.every((byte, i) => byte === r[i]) ? "good" : "wrong";
}
