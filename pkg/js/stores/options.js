import { DiffledgerError, shown } from "./error.js";

/**
 * The fields of an options object, read once; nothing at all will do for one without fields.
 * @param {unknown} given
 * @param {string[]} names all that it may have: any other is a misspelt one
 * @returns {Record<string, unknown>} null and undefined left out
 */
export function options(given, names) {
  if (given === undefined || given === null) return {};
  if (typeof given !== "object") throw new DiffledgerError("invalidInput", `the options must be an object, not a ${typeof given}`);
  try {
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new DiffledgerError("invalidOption", `there is no option \`${shown(unknown)}\`, only ${names.join(", ")}`);
    const fields = names.map((name) => [name, /** @type {any} */ (given)[name] ?? undefined]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  } catch (cause) {
    if (cause instanceof DiffledgerError) throw cause;
    throw new DiffledgerError("invalidInput", "the options cannot be read: their own code threw", cause);
  }
}
