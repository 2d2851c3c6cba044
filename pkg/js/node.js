// The entry for Node, Deno and Bun. It is built as CommonJS, and `node.mjs` hands it on, so that
// `import` and `require` share one wasm.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { initSync } from "glue";

import { connect } from "./host.js";
import { FileStore } from "./stores/file.js";

export * from "./api.js";

initSync({ module: readFileSync(join(__dirname, "diffledger_bg.wasm")) });
connect(nodeHost());

/** Does nothing: the wasm is ready. */
export default async function init() {}

/** @returns {import("./host.js").Host} */
function nodeHost() {
  let store;
  return {
    // Made when a ledger needs it: there may be no home folder, and Deno asks before it tells.
    get store() {
      return (store ??= new FileStore());
    },
    readTranscript,
    // Who reads a file again wants time to have passed.
    pause: (milliseconds) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
  };
}

function readTranscript(path = process.env.CLAUDE_TRANSCRIPT_PATH || process.env.CLAUDE_CODE_TRANSCRIPT) {
  return path ? readFileSync(path) : null;
}
