// The public names of every entry: what the wasm exports beyond them stays inside.

export { normalize } from "glue";

export { FileStore } from "file-store";
export { IndexedDbStore } from "./stores/indexed_db.js";
export { LocalStorageStore } from "./stores/local_storage.js";
export { MemoryStore } from "./stores/memory.js";

/** The version of the package; put in by the build. */
export const version = VERSION;
