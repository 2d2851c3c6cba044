// The public names of every entry: what the wasm exports beyond them stays inside.

import { Ledger, Ollama, Session } from "glue";

import { receivesOnlyOwn } from "./receiver.js";

export {
  Ledger,
  Ollama,
  Session,
  detectCrunch,
  detectGaps,
  extractConcepts,
  fillGaps,
  normalize,
  resolveReferences,
} from "glue";

export { FileStore } from "file-store";
export { IndexedDbStore } from "./stores/indexed_db.js";
export { LocalStorageStore } from "./stores/local_storage.js";
export { MemoryStore } from "./stores/memory.js";

/** The version of the package; put in by the build. */
export const version = VERSION;

// What wasm-bindgen calls `free` leaves an object that throws foreign errors: ours says `disposed`.
for (const type of [Ledger, Ollama, Session]) {
  for (const name of ["free", "__destroy_into_raw", ...(Symbol.dispose ? [Symbol.dispose] : [])]) delete type.prototype[name];
  const { dispose } = type.prototype;
  if (dispose && Symbol.dispose) type.prototype[Symbol.dispose] = dispose;
  receivesOnlyOwn(type, (that) => that.__wbg_ptr > 0);
}
