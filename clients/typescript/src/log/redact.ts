/** Views: a log in which the private lines that a reader may not see are replaced by their leaves ("Views"). */

import type { Seat } from "../engine/seats.js";
import { toBase64 } from "./base64.js";
import { encodeLine } from "./json.js";
import { PRIVATE } from "./kinds.js";
import { leafOf } from "./merkle.js";
import type { LogRecord } from "./records.js";

/** A line as it stands, and the record that it is. */
export interface ReadLine {
  readonly bytes: Uint8Array;
  readonly record: LogRecord;
}

/** What closes P2, so that everybody who is in the round sees his hand (chapter 3 of the rule book). */
const SHOWS_HANDS: ReadonlySet<string> = new Set([
  "signal",
  "discard",
  "chance",
  "exchange",
  "challenge",
  "toep",
  "play",
  "open",
  "show",
]);

/** The line that stands in the place of a hidden one. */
export function hiddenLine(bytes: Uint8Array): Uint8Array {
  return encodeLine({ _: "~", hash: toBase64(leafOf(bytes)) });
}

/** Makes the view of one seat, or of spectators for null. Lines of a round may be held back until its end. */
export class ViewMaker {
  #blind = false;
  /** Whether a blind toep is being answered, so that who folds has not seen his hand. */
  #declined = false;
  #answering = false;
  /** From the seat's own hand on, while it is not known whether the seat looks at it. */
  #held: ReadLine[] | null = null;

  constructor(readonly seat: Seat | null) {}

  /** Takes a line, and gives those of the view that are known then. */
  push(line: ReadLine): Uint8Array[] {
    const { record } = line;
    if (record._ === "head") this.#blind = record.rules.blind;
    if (record._ === "round") this.#declined = this.#answering = false;
    const isHand = record._ === "cards" && (record.why === "deal" || record.why === "finale");
    if (this.#blind && isHand && record.seat === this.seat) {
      this.#held = [line];
      return [];
    }
    if (this.#held === null) return [this.#shown(line)];
    this.#held.push(line);
    if (this.#looks(record)) return this.#release(true);
    return record._ === "score" ? this.#release(false) : [];
  }

  /** Gives what is still held back when the log is at its end. */
  finish(): Uint8Array[] {
    return this.#held === null ? [] : this.#release(false);
  }

  /** Whether the seat sees its hand with this record. */
  #looks(record: LogRecord): boolean {
    if (record._ === "blind") this.#answering = true;
    if (record._ === "peek") return record.seat === this.seat;
    if (record._ === "fold" && record.seat === this.seat && this.#answering) this.#declined = true;
    return !this.#declined && SHOWS_HANDS.has(record._);
  }

  #release(looked: boolean): Uint8Array[] {
    const [own, ...rest] = this.#held ?? [];
    this.#held = null;
    if (own === undefined) return [];
    return [looked ? own.bytes : hiddenLine(own.bytes), ...rest.map((line) => this.#shown(line))];
  }

  #shown({ bytes, record }: ReadLine): Uint8Array {
    const mine = "seat" in record && record.seat === this.seat;
    return PRIVATE.has(record._) && !mine ? hiddenLine(bytes) : bytes;
  }
}
