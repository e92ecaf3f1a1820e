/** Randomness that is the same whenever the same question is asked. */

import { createHash } from "node:crypto";

/**
 * A generator of numbers from 0 up to, not including, 1: xoshiro128** seeded with the SHA-256 of a text.
 */
export function seededRandom(text: string): () => number {
  const digest = createHash("sha256").update(text).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let d = digest.readInt32LE(12);
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result / 2 ** 32;
  };
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
