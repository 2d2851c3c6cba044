import { receivesOnlyOwn } from "../receiver.js";
import { checkedName } from "./name.js";
import { asideName, checkRevision, revision } from "./revision.js";
import { encoded } from "./text.js";

/** @typedef {import("../../src/types.d.ts").Store} Store */
/** @typedef {import("../../src/types.d.ts").Stored} Stored */

/**
 * Keeps everything in memory.
 * @implements {Store}
 */
export class MemoryStore {
  /** @type {Map<string, Stored>} */
  #forms = new Map();

  /**
   * @param {string} name
   * @returns {Stored | null}
   */
  load(name) {
    const found = this.#forms.get(checkedName(name));
    return found ? { ...found } : null;
  }

  /**
   * @param {string} name
   * @param {string} data
   * @param {string | null} expectedRevision
   * @returns {string} the new revision
   */
  save(name, data, expectedRevision) {
    const saved = { revision: revision(encoded(data)), data };
    checkRevision(name, this.load(name)?.revision ?? null, expectedRevision);
    this.#forms.set(name, saved);
    return saved.revision;
  }

  /** @param {string} name */
  remove(name) {
    this.#forms.delete(checkedName(name));
  }

  /**
   * @param {string} name
   * @returns {string | null}
   */
  setAside(name) {
    const found = this.load(name);
    if (!found) return null;
    const aside = asideName(name, found.revision, (candidate) => this.#forms.has(candidate));
    this.#forms.set(aside, found);
    this.#forms.delete(name);
    return aside;
  }

  static {
    receivesOnlyOwn(this, (that) => #forms in that);
  }
}
