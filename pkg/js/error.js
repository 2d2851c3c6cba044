/**
 * The package's error, where JavaScript and not the wasm finds the fault.
 *
 * @param {string} code one of `ErrorCode` in the types
 * @param {string} message in lower case, the bad value in backticks, no full stop
 * @param {unknown} [cause] what somebody else's code threw
 */
export function failure(code, message, cause) {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  return Object.assign(error, { name: "DiffledgerError", code });
}
