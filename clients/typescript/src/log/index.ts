/**
 * Logs of format `toep/0`, for other programs: reading and writing lines, the tree over them, signatures, and views.
 * Nothing here reads files, clocks or chance, so it runs in a browser as in Node.
 */

/** Reading: a whole log, or its parts one by one. */
export { LineError, readLog, type NumberedRecord } from "./read.js";
export { LineSplitter, textOf, type ByteFault, type Text } from "./lines.js";
export { scan, ScanError } from "./scan.js";
export { EDITION, FORMAT, recordOf, schemaFault, SHUFFLE } from "./schema.js";
export type { SchemaFault } from "./checks.js";
export { isAct, KINDS, PRIVATE } from "./kinds.js";
export { sentAct } from "./records.js";
export type {
  Cards,
  Conduct,
  Consequence,
  Draw,
  End,
  Head,
  Kind,
  Late,
  LoggedAct,
  LogRecord,
  ProtocolCode,
  Refused,
  Round,
  Seal,
} from "./records.js";

/** Writing: the one spelling of a record, and a whole log with its salts and seals. */
export { encode, encodeLine, isJsonObject, LONGEST_LINE, type Json, type JsonObject } from "./json.js";
export { LogWriter, type Signer, type Unwritten } from "./writer.js";

/** The tree, keys and signatures. */
export { leafOf, MerkleTree } from "./merkle.js";
export { checkpoint, parseVerifierKey, signatureFault, signedNote, type VerifierKey } from "./note.js";
export { checkSignature, publicKey, type PublicKey, type SignatureResult } from "./ed25519.js";
export { fromBase64, toBase64 } from "./base64.js";

/** Views: what one seat, or a spectator, may see of a log. */
export { hiddenLine, ViewMaker, type ReadLine } from "./redact.js";

/** Codes of findings. */
export { codeEntry, isUnsupported, levelOf, LEVELS, type Code, type CodeEntry, type Level } from "./codes.js";
