import assert from "node:assert/strict";
import { test } from "node:test";

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { fromBase64, toBase64 } from "../log/base64.js";
import { checkSignature, publicKey } from "../log/ed25519.js";
import { encode } from "../log/json.js";
import { LineSplitter, textOf } from "../log/lines.js";
import { leafOf, MerkleTree } from "../log/merkle.js";
import { parseVerifierKey, signatureFault, signedNote } from "../log/note.js";
import { scan, ScanError } from "../log/scan.js";
import { schemaFault } from "../log/schema.js";

function codeOf(line: string): string | null {
  try {
    scan(line);
    return null;
  } catch (error) {
    if (error instanceof ScanError) return error.code;
    throw error;
  }
}

test("scanner: the first fault from left to right", () => {
  const faults: readonly (readonly [string, string | null])[] = [
    ['{"_":"play","x_a":-9007199254740991}', null],
    ['{"_":"a\\"b\\\\c"}', null],
    ['{"a":{}}', null],
    ['{"seats":[{"bot":"\u00e9\\""}]}', null],
    ['{"seats":[{"bot":"e\u0301"}]}', "E019"],
    ['{"seats":[{"bot":"\\n\u200d"}]}', "E012"],
    ['{"x":[{"bot":"\u00e9"}]}', "E017"],
    ['{"e":[null]}', null],
    ['{"e":null}', "E018"],
    ['{"e":[[null]]}', "E018"],
    ['{"a":"\\u0041', "E006"],
    ['{"a":-}', "E006"],
    ['{"a":+}', "E006"],
    ['{"a":+1}', "E013"],
    ['{"a":-0}', "E013"],
    ['{"a":-01}', "E013"],
    ['{"a":1.50}', "E014"],
    ['{"a":01.5}', "E006"],
    ['{"a":1e}', "E006"],
    ['{"a":9007199254740992}', "E015"],
    ['{"a":1 }', "E008"],
    ['{"a":1}\t', "E008"],
    ['{"a":1}}', "E006"],
    ['{"a" :1}', "E008"],
    ['{"b":1,"a":2}', "E009"],
    ['{"a":1,"a":2}', "E010"],
    ['{"A":1}', "E011"],
    ['{"\\u0061":1}', "E011"],
    ['{"a":[[[[[[[[1]]]]]]]]}', "E016"],
    ['{"a":[[[[[[[1]]]]]]]}', null],
    ["[]", "E007"],
    ["[1,]", "E006"],
    ["true", "E007"],
    ["nul", "E006"],
    ["", "E006"],
  ];
  for (const [line, code] of faults) assert.equal(codeOf(line), code, line);
});

test("what is read is spelled the same when it is written", () => {
  const line = '{"_":"x","a":[1,-2,true,{"b":"q\\"\\\\"}],"z0":0}';
  assert.equal(encode(scan(line)), line);
});

test("lines: what is wrong before they are read", () => {
  const code = (bytes: Uint8Array): string | null => {
    const text = textOf(bytes);
    return "fault" in text ? text.fault.code : null;
  };
  assert.equal(code(new Uint8Array(16384).fill(65)), null);
  assert.equal(code(new Uint8Array(16385).fill(65)), "E005");
  assert.equal(code(new Uint8Array([0xef, 0xbb, 0xbf, 13])), "E002");
  assert.equal(code(new Uint8Array([0xff, 13])), "E003");
  assert.equal(code(new Uint8Array([32, 9])), "E004");
  assert.equal(code(new Uint8Array(0)), "E004");
  assert.equal(code(new Uint8Array([65, 0xc0, 0x80])), "E001");
  assert.equal(code(new Uint8Array([0xf0, 0x9f, 0x98])), "E001");
});

test("lines are cut wherever chunks end", () => {
  const bytes = utf8ToBytes("ab\n\ncd\nef");
  for (let size = 1; size <= bytes.length; size += 1) {
    const splitter = new LineSplitter();
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      for (const line of splitter.push(bytes.subarray(at, at + size))) lines.push(Buffer.from(line).toString());
    }
    assert.deepEqual(lines, ["ab", "", "cd"]);
    assert.equal(Buffer.from(splitter.rest).toString(), "ef");
  }
});

test("schema: the order of faults", () => {
  const code = (line: string): string | undefined => schemaFault(scan(line))?.code;
  assert.equal(code('{"_":"play","by":"ref","card":"Th","ms":1,"seat":0}'), "E111");
  assert.equal(code('{"_":"toep","by":"ref","ms":1,"seat":0}'), "E111");
  assert.equal(code('{"_":"toep","seat":0}'), "E106");
  assert.equal(code('{"_":"toep","seat":9,"why":1}'), "E108");
  assert.equal(code('{"_":"toep","seat":"0","why":1,"x_a":true}'), "E110");
  assert.equal(code('{"_":"seal","a":1,"x_a":true}'), "E109");
  assert.equal(code('{"_":"head","edition":"1","fmt":"toep/1"}'), "E102");
  assert.equal(code('{"_":"head","edition":"1","fmt":"toep/0"}'), "E108");
  const refused = (got: string): string =>
    `{"_":"refused","at":0,"code":"H-02","got":${got},"salt":"${"0".repeat(32)}","seat":1}`;
  assert.equal(code(refused('{"_":"toep","seat":1}')), undefined);
  assert.equal(code(refused('{"seat":1}')), "E106");
  assert.equal(code(refused('{"_":"dance","seat":1}')), "E101");
  assert.equal(code(refused('{"_":"seal","seat":1}')), "E108");
  assert.equal(code(refused('{"_":"toep","seat":1,"x_a":1}')), "E107");
  assert.equal(code(refused('{"_":"toep","seat":2,"stake":2}')), "E108");
  assert.equal(code(refused('{"_":"toep","seat":1,"stake":2}')), "E113");
  assert.equal(code(refused('{"_":"confess","pay":2,"seat":1}')), "E113");
});

test("base64 has one spelling", () => {
  for (const text of ["", "f", "fo", "foo", "foob"]) {
    const encoded = Buffer.from(text).toString("base64");
    assert.equal(toBase64(utf8ToBytes(text)), encoded);
    assert.deepEqual(fromBase64(encoded), utf8ToBytes(text));
  }
  for (const text of ["Zg", "Zg=", "Zh==", "Zm9=", "Z m9", "Zm9v\n", "=", "Zg==Zg=="]) {
    assert.equal(fromBase64(text), null, text);
  }
});

function slowRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first !== undefined && leaves.length === 1) return first;
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  return sha256(Buffer.concat([Buffer.from([1]), slowRoot(leaves.slice(0, split)), slowRoot(leaves.slice(split))]));
}

test("the tree that grows has the roots of the definition", () => {
  const tree = new MerkleTree();
  const leaves: Uint8Array[] = [];
  assert.equal(tree.root(), undefined);
  for (let n = 1; n <= 40; n += 1) {
    leaves.push(leafOf(utf8ToBytes(`line ${n}`)));
    tree.add(leaves[n - 1] ?? new Uint8Array(0));
    assert.deepEqual(tree.root(), slowRoot(leaves));
  }
});

test("Ed25519: keys and signatures that are not let pass", () => {
  const secret = sha256(utf8ToBytes("a test key"));
  const key = publicKey(ed25519.getPublicKey(secret));
  assert.ok(key !== null);
  const message = utf8ToBytes("message");
  const good = ed25519.sign(message, secret);
  assert.equal(checkSignature(key, good, message), "good");
  assert.equal(checkSignature(key, good, utf8ToBytes("other")), "wrong");
  const changed = (change: (bytes: Uint8Array) => void): Uint8Array => {
    const copy = good.slice();
    change(copy);
    return copy;
  };
  const hex = (text: string): Uint8Array => hexToBytes(text.padEnd(64, "0"));
  const smallOrder = ["01", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "00"];
  const notCanonical = ["edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", `01${"00".repeat(30)}80`];
  for (const text of [...smallOrder, ...notCanonical]) {
    assert.equal(publicKey(hex(text)), null);
    assert.equal(checkSignature(key, changed((bytes) => bytes.set(hex(text))), message), "impossible");
  }
  // y = 2 is on no point of the curve: no key, and as an R a wrong signature.
  assert.equal(publicKey(hex("02")), null);
  assert.equal(checkSignature(key, changed((bytes) => bytes.set(hex("02"))), message), "wrong");
  const order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
  assert.equal(checkSignature(key, changed((bytes) => bytes.set(hexToBytes(order), 32)), message), "impossible");
  assert.equal(checkSignature(key, changed((bytes) => bytes.fill(0, 32)), message), "wrong");
  assert.equal(checkSignature(key, good.subarray(1), message), "impossible");
});

test("a signed note has the signature of its seal", () => {
  const secret = sha256(utf8ToBytes("another test key"));
  const tagged = Buffer.concat([Buffer.from([1]), ed25519.getPublicKey(secret)]);
  const id = sha256(Buffer.concat([utf8ToBytes("name\n"), tagged])).subarray(0, 4);
  const key = parseVerifierKey(`name+${bytesToHex(id)}+${toBase64(tagged)}`);
  assert.ok(key !== null);
  assert.equal(parseVerifierKey(`nam e+${bytesToHex(id)}+${toBase64(tagged)}`), null);
  assert.equal(parseVerifierKey(`name+00000000+${toBase64(tagged)}`), null);
  const seal = { _: "seal", n: 3, root: toBase64(id), sig: [] } as const;
  const signature = toBase64(Buffer.concat([id, ed25519.sign(utf8ToBytes(`m\n3\n${seal.root}\n`), secret)]));
  const signed = { ...seal, sig: [["name", signature]] } as const;
  assert.equal(signatureFault("m", signed, key), null);
  assert.equal(signatureFault("other", signed, key), "E508");
  assert.equal(signatureFault("m", seal, key), "E503");
  assert.equal(signatureFault("m", signed, null), "E510");
  assert.equal(signedNote("m", signed), `m\n3\n${seal.root}\n\n\u2014 name ${signature}\n`);
});
