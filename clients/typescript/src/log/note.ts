/** Checkpoints, verifier keys and the signatures of seals (log-format, "Tree and seals" and "Signatures"). */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { fromBase64 } from "./base64.js";
import { checkSignature, publicKey, type PublicKey } from "./ed25519.js";
import type { Code } from "./codes.js";
import type { Seal } from "./records.js";

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const VKEY = /^([!-*,-~]{1,202})\+([0-9a-f]{8})\+(.*)$/;

/** A verifier key: who signs, and with which key. */
export interface VerifierKey {
  readonly text: string;
  readonly name: string;
  readonly id: string;
  readonly key: PublicKey;
}

/** The key that a vkey is; null for a text that is none. */
export function parseVerifierKey(text: string): VerifierKey | null {
  const [, name, id, encoded] = VKEY.exec(text) ?? [];
  if (name === undefined || id === undefined || encoded === undefined) return null;
  const bytes = fromBase64(encoded);
  if (bytes === null || bytes[0] !== ED25519) return null;
  if (bytesToHex(sha256(concatBytes(utf8ToBytes(`${name}\n`), bytes)).subarray(0, KEY_ID_BYTES)) !== id) return null;
  const key = publicKey(bytes.subarray(1));
  return key === null ? null : { text, name, id, key };
}

/** The text of a seal that is signed: match id, number of lines, root. */
export function checkpoint(match: string, seal: Pick<Seal, "n" | "root">): string {
  return `${match}\n${seal.n}\n${seal.root}\n`;
}

/** A seal as a signed note, which other programs read. */
export function signedNote(match: string, seal: Seal): string {
  const signatures = seal.sig.map(([name, signature]) => `\u2014 ${name} ${signature}\n`);
  return `${checkpoint(match, seal)}\n${signatures.join("")}`;
}

/** The first fault of the signatures of a seal, of E503 to E510, for the head's key (log-format, L5). */
export function signatureFault(match: string, seal: Seal, key: VerifierKey | null): Code | null {
  const [first, second] = seal.sig;
  if (key === null) return first === undefined ? null : "E510";
  if (first === undefined) return "E503";
  if (second !== undefined) return "E504";
  const [name, encoded] = first;
  const bytes = fromBase64(encoded);
  if (bytes === null || bytes.length <= KEY_ID_BYTES) return "E509";
  if (name !== key.name || bytesToHex(bytes.subarray(0, KEY_ID_BYTES)) !== key.id) return "E507";
  const text = utf8ToBytes(checkpoint(match, seal));
  const result = checkSignature(key.key, bytes.subarray(KEY_ID_BYTES), text);
  if (result === "good") return null;
  return result === "wrong" ? "E508" : "E509";
}
