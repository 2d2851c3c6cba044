// The public names of every entry: what the wasm exports beyond them stays inside.

export { normalize } from "glue";

/** The version of the package; put in by the build. */
export const version = VERSION;
