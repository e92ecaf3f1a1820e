/** Reading a whole log line by line, for programs that show or replay it. */

import type { Code } from "./codes.js";
import { LineSplitter, textOf } from "./lines.js";
import type { LogRecord } from "./records.js";
import { scan, ScanError } from "./scan.js";
import { recordOf, schemaFault } from "./schema.js";

/** A line of a log, counted from 1: as it stands, and as the record that it is. */
export interface NumberedRecord {
  readonly line: number;
  readonly bytes: Uint8Array;
  readonly record: LogRecord;
}

/** A line that is no record: E001 to E115. */
export class LineError extends Error {
  override readonly name = "LineError";

  constructor(
    readonly code: Code,
    readonly line: number,
  ) {
    super(`line ${line}: ${code}`);
  }
}

function read(bytes: Uint8Array, line: number): LogRecord {
  const text = textOf(bytes);
  if ("fault" in text) throw new LineError(text.fault.code, line);
  try {
    const object = scan(text.text);
    const wrong = schemaFault(object);
    if (wrong !== null) throw new LineError(wrong.code, line);
    return recordOf(object);
  } catch (error) {
    throw error instanceof ScanError ? new LineError(error.code, line) : error;
  }
}

/** The records of a log, each as soon as it is asked for; a torn last line is left out. Throws `LineError`. */
export function* readLog(log: Uint8Array): Generator<NumberedRecord> {
  let line = 0;
  for (const bytes of new LineSplitter().push(log)) {
    line += 1;
    yield { line, bytes, record: read(bytes, line) };
  }
}
