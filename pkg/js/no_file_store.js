import { DiffledgerError } from "./stores/error.js";

/** Stands for the file store where there are no files. */
export class FileStore {
  constructor() {
    throw new DiffledgerError("storeMissing", "there are no files here: use `LocalStorageStore`, `IndexedDbStore` or `MemoryStore`");
  }
}
