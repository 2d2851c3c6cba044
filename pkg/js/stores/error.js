/** @typedef {import("../../src/types.d.ts").ErrorCode} ErrorCode */

/** Everything that the package throws: a real `Error` with a stable `code`. */
export class DiffledgerError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message lower case, the bad value in backticks, no full stop
   * @param {unknown} [cause] what somebody else's code threw
   */
  constructor(code, message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

// On the prototype and written out: the head of `stack` is made from it, and a minifier renames classes.
Object.defineProperty(DiffledgerError.prototype, "name", { value: "DiffledgerError", writable: true, configurable: true });

/**
 * At most 60 characters of a value, for a message: a huge input must not make a huge error.
 * @param {unknown} value
 */
export function shown(value) {
  const characters = Array.from(String(value).slice(0, 122));
  const text = characters.slice(0, 60).join("").replace(/\p{Cc}/gu, " ");
  return characters.length > 60 ? `${text}…` : text;
}
