/** Reading logs from files, compressed ones too, in memory that does not grow with them. */

import { createReadStream } from "node:fs";

import { Decompress } from "fzstd";

import { EXIT, type Report } from "../validate/report.js";
import { Validator, type ValidatorOptions } from "../validate/validator.js";

/** A file that cannot be opened, or not decompressed. */
function unreadable(): Report {
  return {
    verdict: "UNREADABLE",
    exit: EXIT.UNREADABLE,
    error: null,
    warnings: [],
    missing: [],
    levels: [],
    match: null,
    lines: 0,
    rounds: 0,
    acts: 0,
    hidden: 0,
    opened: 0,
    end: null,
  };
}

async function feed(path: string, push: (chunk: Uint8Array) => boolean): Promise<void> {
  const stream = path === "-" ? process.stdin : createReadStream(path);
  for await (const chunk of stream) {
    if (!push(chunk as Uint8Array)) return;
  }
}

/** Checks one log; `-` is standard input. A file that cannot be read has the verdict UNREADABLE. */
export async function checkFile(path: string, options: ValidatorOptions = {}): Promise<Report> {
  const run = new Validator(options);
  try {
    if (path.endsWith(".zst")) {
      const stream = new Decompress((chunk) => run.push(chunk));
      await feed(path, (chunk) => {
        stream.push(chunk);
        return !run.stopped;
      });
      if (!run.stopped) stream.push(new Uint8Array(0), true);
    } else {
      await feed(path, (chunk) => {
        run.push(chunk);
        return !run.stopped;
      });
    }
  } catch {
    // What is wrong in a line that came before counts first, however the file was read.
    if (!run.stopped) return unreadable();
  }
  return run.finish();
}
