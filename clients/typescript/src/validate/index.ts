/**
 * Checking logs, for other programs. Nothing here reads files, clocks or chance, so it runs in a browser as in Node.
 *
 * A `Validator` takes the bytes of a log in chunks of any size (`push`), and `finish` gives the report: the verdict, the
 * first finding, warnings, and how far each level was checked. A `Replay` takes records one by one and has the `game` as
 * it stands after each; it throws `FindingError` where a line does not follow from those before it.
 */

export { Validator, type ValidatorOptions } from "./validator.js";
export { Replay, type Awaited } from "./replay.js";
export { FindingError, type Finding } from "./finding.js";
export { EXIT, type LevelResult, type Report, type Verdict, type Warning } from "./report.js";
export type { Follower } from "./follow.js";
