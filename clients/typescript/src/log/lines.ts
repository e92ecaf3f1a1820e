/** Cutting a stream of bytes into lines, and what can be wrong with one before it is read (log-format, L0). */

import type { Code } from "./codes.js";
import { LONGEST_LINE } from "./json.js";

/** A fault in the bytes of a line: its code, and the byte where it is, counted from 0. */
export interface ByteFault {
  readonly code: Code;
  readonly at: number;
}

/** A line, or what is wrong with it. */
export type Text = { readonly text: string } | { readonly fault: ByteFault };

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Splits bytes that come in chunks of any size into lines, and keeps no more than one line. */
export class LineSplitter {
  #rest: Uint8Array = new Uint8Array(0);

  /** The bytes behind the last LF. */
  get rest(): Uint8Array {
    return this.#rest;
  }

  /** Gives the lines that are complete with this chunk; a line that is already too long is given as far as it goes. */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      if (end < 0) break;
      const part = chunk.subarray(from, end);
      from = end + 1;
      yield this.#rest.length === 0 ? part : this.#take(part);
    }
    this.#rest = this.#take(chunk.subarray(from));
    if (this.#rest.length > LONGEST_LINE) yield this.#rest;
  }

  #take(part: Uint8Array): Uint8Array {
    const whole = new Uint8Array(this.#rest.length + part.length);
    whole.set(this.#rest);
    whole.set(part, this.#rest.length);
    this.#rest = new Uint8Array(0);
    return whole;
  }
}

/** The first byte that does not decode, or where a sequence begins that is cut off. */
function badByte(line: Uint8Array): number {
  let good = 0;
  for (let end = 1; end <= line.length; end += 1) {
    try {
      DECODER.decode(line.subarray(good, end));
      good = end;
    } catch {
      if (end - good > 3) break;
    }
  }
  return good;
}

function decode(line: Uint8Array): string | undefined {
  try {
    return DECODER.decode(line);
  } catch {
    return undefined;
  }
}

/** The text of a line without its LF, or the first of E005, E002, E003, E004 and E001 (log-format, L0). */
export function textOf(line: Uint8Array): Text {
  if (line.length > LONGEST_LINE) return { fault: { code: "E005", at: LONGEST_LINE } };
  if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) return { fault: { code: "E002", at: 0 } };
  const cr = line.indexOf(CR);
  if (cr >= 0) return { fault: { code: "E003", at: cr } };
  if (line.every((byte) => byte === SPACE || byte === TAB)) return { fault: { code: "E004", at: 0 } };
  const text = decode(line);
  return text === undefined ? { fault: { code: "E001", at: badByte(line) } } : { text };
}
