// The entry that has its wasm with it: as a module in workerd, as text in `diffledger/inline`.

import { initSync } from "glue";
import module from "wasm";

import { connect, webHost } from "./host.js";

export * from "./api.js";

initSync({ module });
connect(webHost());

/** Does nothing: the wasm is ready. */
export default async function init() {}
