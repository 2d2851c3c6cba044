import { DiffledgerError } from "./error.js";
import { encoded } from "./text.js";

/** @typedef {import("../../src/types.d.ts").Stored} Stored */

/**
 * The revision of a text: 64 bits of digest over its UTF-8 bytes, as 16 hexadecimal digits, the same
 * in every store and on every machine. Of the bytes and not a counter, so that a change by a program
 * that knows nothing of revisions is noticed. It guards against accidents, not against an attacker.
 *
 * Two lanes take four bytes at a time; the second also takes the first, so that they never cancel
 * out together. Linear: 10 MB take about 15 ms.
 * @param {string | Uint8Array} content
 * @returns {string}
 */
export function revision(content) {
  const bytes = typeof content === "string" ? encoded(content) : content;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 4);
  let a = 0x2545f491;
  let b = 0x6c62272e ^ bytes.length;
  for (let at = 0; at <= whole; at += 4) {
    const word = at < whole ? view.getInt32(at, true) : rest(bytes, whole);
    a = Math.imul(a ^ word, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul((b ^ word) + a, 0x85ebca77);
    b ^= b >>> 13;
  }
  return hex(spread(a ^ spread(b))) + hex(spread(b));
}

/**
 * Throws `conflict` when what is stored is not what the caller last saw.
 * @param {string} name
 * @param {string | null} found
 * @param {string | null | undefined} expected
 */
export function checkRevision(name, found, expected) {
  if (found === (expected ?? null)) return;
  const change = found === null ? "was removed" : expected == null ? "exists already" : "was changed by somebody else";
  throw new DiffledgerError("conflict", `\`${name}\` ${change} since it was loaded: load again, learn again, save again`);
}

/**
 * What a store answers that keeps strings.
 * @param {string} name
 * @param {unknown} text
 * @returns {Stored | null}
 */
export function stored(name, text) {
  if (text == null) return null;
  try {
    return { revision: revision(encoded(text)), data: /** @type {string} */ (text) };
  } catch (cause) {
    throw new DiffledgerError("damaged", `what is stored as \`${name}\` is not text: set it aside or restore it`, cause);
  }
}

/**
 * The name under which a damaged form is kept; never one that is in use.
 * @param {string} name
 * @param {string} revision
 * @param {(candidate: string) => boolean} inUse
 */
export function asideName(name, revision, inUse) {
  const plain = `${name}.damaged-${revision}`;
  let candidate = plain;
  for (let count = 2; inUse(candidate); count += 1) candidate = `${plain}-${count}`;
  return candidate;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 */
function rest(bytes, from) {
  let word = 0;
  for (let at = bytes.length - 1; at >= from; at -= 1) word = (word << 8) | bytes[at];
  return word;
}

/** @param {number} lane */
function spread(lane) {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** @param {number} lane */
function hex(lane) {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
