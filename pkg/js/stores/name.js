import { DiffledgerError, shown } from "./error.js";

const MAX_BYTES = 200;

/**
 * The name of a saved form, such as `ledger_my-session.json`. A store does not read it, but refuses
 * one that could leave its folder or be taken for one of its own hidden files.
 * @param {unknown} name
 * @returns {string}
 */
export function checkedName(name) {
  if (typeof name !== "string") {
    throw new DiffledgerError("invalidSessionId", `the name of a saved form must be a string, not \`${typeof name}\``);
  }
  const reason = refusal(name);
  if (reason) throw new DiffledgerError("invalidSessionId", `\`${shown(name)}\` cannot be the name of a saved form: ${reason}`);
  return name;
}

/** @param {string} name */
function refusal(name) {
  if (name === "") return "it is empty";
  if (name.startsWith(".")) return "it begins with a dot";
  if (/[/\\\0]/.test(name)) return "it has a slash, a backslash or a NUL";
  if (/\p{Surrogate}/u.test(name)) return "it is not well-formed Unicode";
  if (name.length > MAX_BYTES || new TextEncoder().encode(name).length > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  return null;
}
