/** The tree over the lines of a log, as in RFC 6962 (log-format, "Tree and seals"). */

import { sha256 } from "@noble/hashes/sha2.js";

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

/** The leaf of a line without its LF. */
export function leafOf(line: Uint8Array): Uint8Array {
  return sha256.create().update(LEAF).update(line).digest();
}

function nodeOf(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(NODE).update(left).update(right).digest();
}

/** A tree that grows, and keeps one hash for each power of two only. */
export class MerkleTree {
  #size = 0;
  /** Roots of complete subtrees, from the largest to the smallest: one for each bit of the size. */
  readonly #roots: Uint8Array[] = [];

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Adds a leaf behind the others. */
  add(leaf: Uint8Array): void {
    let node = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      const left = this.#roots.pop();
      if (left !== undefined) node = nodeOf(left, node);
    }
    this.#roots.push(node);
    this.#size += 1;
  }

  /** The root over all leaves so far; undefined while there are none. */
  root(): Uint8Array | undefined {
    let root = this.#roots.at(-1);
    for (let i = this.#roots.length - 2; i >= 0; i -= 1) {
      const left = this.#roots[i];
      if (left !== undefined && root !== undefined) root = nodeOf(left, root);
    }
    return root;
  }
}
