/** Base64 in its one spelling: padded, and without bits that do not count (log-format, "Signatures"). */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((char, value) => [char, value]));
const FORM = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The canonical base64 of some bytes. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let char = 0; char < 4; char += 1) {
      text += char > left ? "=" : (ALPHABET[(word >> (18 - 6 * char)) & 63] ?? "");
    }
  }
  return text;
}

/** The bytes of a canonical base64 text; null for any other text. */
export function fromBase64(text: string): Uint8Array | null {
  if (!FORM.test(text)) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let i = 0, at = 0; i < text.length; i += 4) {
    let word = 0;
    for (let char = 0; char < 4; char += 1) word = (word << 6) | (VALUES.get(text[i + char] ?? "") ?? 0);
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = word >> shift;
  }
  return toBase64(bytes) === text ? bytes : null;
}
