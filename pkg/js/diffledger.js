// The entry for browsers and bundlers: the wasm is a file beside it, and `init` fetches it.

import load from "glue";

import { connect, webHost } from "./host.js";
import { DiffledgerError } from "./stores/error.js";

export * from "./api.js";

let ready;

/** Makes the wasm ready; called again, it waits for the same one. */
export default function init(input) {
  ready ??= start(input).catch((error) => {
    ready = undefined;
    throw new DiffledgerError("fileUnreadable", `the package's wasm cannot be loaded: ${error?.message ?? error}`, error);
  });
  return ready;
}

async function start(input) {
  const source = await input;
  await load(source === undefined || source.module_or_path !== undefined ? source : { module_or_path: source });
  connect(webHost());
}
