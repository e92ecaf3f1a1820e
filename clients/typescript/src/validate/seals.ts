/** The tree over the lines, and the seals and signatures in it (log-format, L5). */

import { toBase64 } from "../log/base64.js";
import { MerkleTree } from "../log/merkle.js";
import { parseVerifierKey, signatureFault, type VerifierKey } from "../log/note.js";
import type { Head, Seal } from "../log/records.js";
import { found } from "./finding.js";

/** Checks seals as they come. */
export class SealCheck {
  readonly #tree = new MerkleTree();
  #match = "";
  #key: VerifierKey | null = null;
  #seals = 0;

  /** `given` is the key that must have signed, where whoever checks knows it. */
  constructor(readonly given: string | null) {}

  /** How many seals were right. */
  get seals(): number {
    return this.#seals;
  }

  /** Whether the head has a key, so that every seal was checked by it. */
  get signed(): boolean {
    return this.#key !== null;
  }

  /** Adds a line behind the others. */
  add(leaf: Uint8Array): void {
    this.#tree.add(leaf);
  }

  /** Looks at the key of the head (E506, E505). */
  head(head: Head, line: number): void {
    this.#match = head.match;
    if (this.given !== null && head.key !== this.given) {
      found("E506", line, { expected: this.given, actual: head.key ?? "no key" });
    }
    if (head.key === undefined) return;
    this.#key = parseVerifierKey(head.key);
    if (this.#key === null) found("E505", line, { actual: head.key });
  }

  /** Checks a seal over the lines before it (E501 to E510). */
  seal(seal: Seal, line: number): void {
    if (seal.n !== this.#tree.size) found("E501", line, { expected: this.#tree.size, actual: seal.n });
    const root = this.#tree.root();
    const expected = root === undefined ? "" : toBase64(root);
    if (seal.root !== expected) found("E502", line, { expected, actual: seal.root });
    const wrong = signatureFault(this.#match, seal, this.#key);
    if (wrong !== null) found(wrong, line);
    this.#seals += 1;
  }
}
