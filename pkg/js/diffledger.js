// The entry for browsers and bundlers: the wasm is a file beside it, and `init` fetches it.

import load from "glue";

import { connect, webHost } from "./host.js";
import { DiffledgerError, shown } from "./stores/error.js";

export * from "./api.js";

let ready;

/** Makes the wasm ready; called again, it waits for the same one. */
export default function init(input) {
  ready ??= start(input).catch((error) => {
    ready = undefined;
    throw new DiffledgerError("fileUnreadable", `the package's wasm cannot be loaded: ${said(error)}`, error);
  });
  return ready;
}

/** What was thrown may be anything. */
function said(error) {
  try {
    return shown(error?.message ?? error);
  } catch {
    return "its own code threw";
  }
}

async function start(input) {
  const source = await input;
  await load(source === undefined || source.module_or_path !== undefined ? source : { module_or_path: source });
  connect(webHost());
}
