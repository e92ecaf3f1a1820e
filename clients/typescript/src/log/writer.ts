/** Writing a log line by line: salts of private lines, and seals (log-format, "Shuffle" and "Tree and seals"). */

import { dealKey, lineSalt } from "../engine/deal.js";
import type { GameRecord } from "../engine/records.js";
import { toBase64 } from "./base64.js";
import { encodeLine, type JsonObject } from "./json.js";
import { PRIVATE } from "./kinds.js";
import { leafOf, MerkleTree } from "./merkle.js";
import { checkpoint } from "./note.js";
import type { Head, LogRecord } from "./records.js";

/** A record before it is written: a private one has no salt yet. */
export type Unwritten = LogRecord | GameRecord;

/** What signs the text of a seal, and gives the name of the key and the signature in base64. */
export type Signer = (text: string) => readonly [string, string];

/** Writes the lines of one log. */
export class LogWriter {
  readonly #tree = new MerkleTree();
  #key: Uint8Array | null = null;

  constructor(
    readonly head: Head,
    readonly seed: Uint8Array,
    /** Takes each line, without its LF. */
    readonly emit: (line: Uint8Array) => void,
    readonly entropy: readonly Uint8Array[] = [],
    readonly sign?: Signer,
  ) {}

  /** The number of lines so far. */
  get lines(): number {
    return this.#tree.size;
  }

  /** Writes a record. */
  add(record: Unwritten): void {
    if (record._ === "round") this.#key = this.#keyOf(record.round, record.try);
    const fields = record as unknown as JsonObject;
    const line = encodeLine(PRIVATE.has(record._) ? { ...fields, salt: this.#salt() } : fields);
    this.#tree.add(leafOf(line));
    this.emit(line);
  }

  /** Writes a seal over all lines so far. */
  seal(): void {
    const root = this.#tree.root();
    if (root === undefined) throw new Error("there is nothing to be sealed");
    const seal = { _: "seal", n: this.lines, root: toBase64(root) } as const;
    const sig = this.sign === undefined ? [] : [this.sign(checkpoint(this.head.match, seal))];
    this.add({ ...seal, sig });
  }

  #keyOf(round: number, attempt: number): Uint8Array {
    return dealKey({ seed: this.seed, deals: this.head.deals, round, attempt, entropy: this.entropy });
  }

  #salt(): string {
    if (this.#key === null) throw new Error("a private line before the first round");
    return lineSalt(this.#key, this.head.match, this.lines);
  }
}
