// The public names of every entry: what the wasm exports beyond them stays inside.

import { Ledger, Ollama, Session } from "glue";

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
for (const type of [Ledger, Session]) {
  type.prototype.free = type.prototype.dispose;
  if (Symbol.dispose) type.prototype[Symbol.dispose] = type.prototype.dispose;
}
