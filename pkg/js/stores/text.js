import { DiffledgerError } from "./error.js";

/**
 * The UTF-8 bytes of a text. A lone surrogate has none, and encoders put U+FFFD in its place: that
 * would save something else than was given, so it is refused.
 * @param {unknown} text
 * @returns {Uint8Array}
 */
export function encoded(text) {
  if (typeof text !== "string") throw new DiffledgerError("invalidInput", `what is saved must be a string, not \`${typeof text}\``);
  const at = text.search(/\p{Surrogate}/u);
  if (at >= 0) throw new DiffledgerError("invalidInput", `what is saved has a lone surrogate at index ${at}: it is not text`);
  return new TextEncoder().encode(text);
}

/**
 * The text of UTF-8 bytes, a byte order mark included.
 * @param {Uint8Array} bytes
 * @param {string} what where they stand, for the message
 */
export function decoded(bytes, what) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DiffledgerError("damaged", `\`${what}\` is not UTF-8 text: set it aside or restore it`, cause);
  }
}
