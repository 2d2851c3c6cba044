// The entry for Node, Deno and Bun. It is built as CommonJS, and `node.mjs` hands it on, so that
// `import` and `require` share one wasm.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { initSync } from "glue";

import { connect } from "./host.js";

export * from "./api.js";

initSync({ module: readFileSync(join(__dirname, "diffledger_bg.wasm")) });
connect(nodeHost());

/** Does nothing: the wasm is ready. */
export default async function init() {}

/** @returns {import("./host.js").Host} */
function nodeHost() {
  return { store: null, readTranscript };
}

function readTranscript(path = process.env.CLAUDE_TRANSCRIPT_PATH || process.env.CLAUDE_CODE_TRANSCRIPT) {
  return path ? readFileSync(path) : null;
}
