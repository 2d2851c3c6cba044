// The digest that decides whether somebody else was here.
import assert from "node:assert/strict";
import { test } from "node:test";

import { DiffledgerError, shown } from "../../pkg/js/stores/error.js";
import { revision } from "../../pkg/js/stores/revision.js";

test("the revision of a text never changes between releases and machines", () => {
  assert.deepEqual(["", "a", "{}", "größe 端口 👩", "x".repeat(1000)].map(revision), ["4e0db36cb91f840f", "8317b6fb4259e5b8", "fb240f7c7a405ce5", "df6565335606aacb", "30a5e9bf773e095e"]);
});

test("a text and its bytes have the same revision, wherever the bytes lie in a buffer", () => {
  const bytes = new TextEncoder().encode("--größe--");
  assert.equal(revision(bytes), revision("--größe--"));
  assert.equal(revision(bytes.subarray(2, bytes.length - 2)), revision("größe"));
  assert.equal(revision(Buffer.from("größe")), revision("größe"));
});

test("texts that differ in a character, in their order, or in zeros at the end differ in their revision", () => {
  const seen = new Map();
  /** @param {string} text */
  const add = (text) => {
    const found = revision(text);
    assert.ok(!seen.has(found) || seen.get(found) === text, `${JSON.stringify(text)} and ${JSON.stringify(seen.get(found))}`);
    seen.set(found, text);
  };
  for (let length = 0; length < 40; length += 1) add("\0".repeat(length));
  for (let turn = 0; turn < 100_000; turn += 1) add(`{"turn": ${turn}, "entries": []}`);
  const long = "The retry queue waits 30 s and doubles. ".repeat(10);
  for (let at = 0; at < long.length; at += 1) for (let code = 32; code < 127; code += 1) add(long.slice(0, at) + String.fromCharCode(code) + long.slice(at + 1));
  for (let at = 4; at < long.length; at += 1) add(long.slice(at - 4, at) + long.slice(0, at - 4) + long.slice(at));
  assert.ok(seen.size > 130_000);
});

test("one changed bit changes about half of the digest, wherever it stands", () => {
  const bytes = new TextEncoder().encode("The retry queue waits 30 s.");
  const before = BigInt(`0x${revision(bytes)}`);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = bytes.slice();
    changed[bit >> 3] ^= 1 << (bit & 7);
    const difference = (before ^ BigInt(`0x${revision(changed)}`)).toString(2).replaceAll("0", "").length;
    assert.ok(difference > 12 && difference < 52, `bit ${bit} changes ${difference} of 64`);
  }
});

test("an error is an Error with a name, a code and the cause where there is one", () => {
  const cause = new TypeError("inside");
  const error = new DiffledgerError("storeFailed", "it failed", cause);
  assert.ok(error instanceof Error);
  assert.deepEqual([error.name, error.code, error.message, error.cause], ["DiffledgerError", "storeFailed", "it failed", cause]);
  assert.match(String(error.stack), /^DiffledgerError: it failed\n/);
  assert.equal("cause" in new DiffledgerError("storeFailed", "it failed"), false);
});

test("a huge value makes a short message without control characters", () => {
  assert.equal(shown("a\n".repeat(100_000)), `${"a ".repeat(30)}…`);
  assert.equal(shown("👩".repeat(60)), "👩".repeat(60));
});
