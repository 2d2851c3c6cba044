import { receivesOnlyOwn } from "../receiver.js";
import { DiffledgerError } from "./error.js";
import { checkedName } from "./name.js";
import { options } from "./options.js";
import { asideName, checkRevision, revision, stored } from "./revision.js";
import { encoded } from "./text.js";

/** @typedef {import("../../src/types.d.ts").Store} Store */
/** @typedef {import("../../src/types.d.ts").Stored} Stored */

/**
 * The `localStorage` of a page, for one tab. Several exclude each other by a Web Lock, where there is
 * one (not on a page served over plain http); but a browser may show a tab late what another has
 * written, so that a save of another tab can be lost all the same.
 * @implements {Store}
 */
export class LocalStorageStore {
  #prefix;

  /** @param {{ prefix?: string } | null} [given] default prefix: `diffledger/` */
  constructor(given) {
    const { prefix = "diffledger/" } = options(given, ["prefix"]);
    if (typeof prefix !== "string") throw new DiffledgerError("invalidOption", `\`prefix\` must be a string, not \`${typeof prefix}\``);
    this.#prefix = prefix;
  }

  /**
   * @param {string} name
   * @returns {Stored | null}
   */
  load(name) {
    const key = this.#key(name);
    return stored(name, attempt(name, (storage) => storage.getItem(key)));
  }

  /**
   * @param {string} name
   * @param {string} data
   * @param {string | null} expectedRevision
   * @returns {Promise<string>} the new revision
   */
  async save(name, data, expectedRevision) {
    const key = this.#key(name);
    const saved = revision(encoded(data));
    return alone(key, () => {
      checkRevision(name, this.#revision(name), expectedRevision);
      attempt(name, (storage) => storage.setItem(key, data));
      return saved;
    });
  }

  /**
   * @param {string} name
   * @returns {Promise<void>}
   */
  async remove(name) {
    const key = this.#key(name);
    return alone(key, () => attempt(name, (storage) => storage.removeItem(key)));
  }

  /**
   * Needs room for a second copy for a moment.
   * @param {string} name
   * @returns {Promise<string | null>}
   */
  async setAside(name) {
    const key = this.#key(name);
    return alone(key, () => attempt(name, (storage) => {
      const text = storage.getItem(key);
      if (text === null) return null;
      const aside = asideName(name, this.#revision(name) ?? "", (candidate) => storage.getItem(this.#prefix + candidate) !== null);
      storage.setItem(this.#prefix + aside, text);
      storage.removeItem(key);
      return aside;
    }));
  }

  /** @param {string} name */
  #key(name) {
    return this.#prefix + checkedName(name);
  }

  /** @param {string} name */
  #revision(name) {
    const text = attempt(name, (storage) => storage.getItem(this.#key(name)));
    // What is not well-formed is compared as well, so that it can be set aside: not by `encoded`.
    return text === null ? null : revision(new TextEncoder().encode(text));
  }

  static {
    receivesOnlyOwn(this, (that) => #prefix in that);
  }
}

/**
 * Runs a synchronous `section` while no other tab is in one for the same key.
 * @template T
 * @param {string} key
 * @param {() => T} section
 * @returns {Promise<T>}
 */
async function alone(key, section) {
  const locks = globalThis.navigator?.locks;
  if (!locks) return section();
  try {
    return await locks.request(key, async () => section());
  } catch (cause) {
    if (cause instanceof DiffledgerError) throw cause;
    throw new DiffledgerError("storeFailed", `the browser gave no lock for \`${key}\``, cause);
  }
}

/**
 * @template T
 * @param {string} name
 * @param {(storage: Storage) => T} step
 * @returns {T}
 */
function attempt(name, step) {
  let storage;
  try {
    storage = globalThis.localStorage;
  } catch (cause) {
    throw new DiffledgerError("storeMissing", "the browser does not let this page use `localStorage`: allow it, or give another store", cause);
  }
  if (!storage) throw new DiffledgerError("storeMissing", "there is no `localStorage` here: give another store");
  try {
    return step(storage);
  } catch (cause) {
    if (cause instanceof DiffledgerError) throw cause;
    const full = /quota/i.test(String(/** @type {any} */ (cause)?.name));
    const reason = full ? "the browser's storage for this page is full: remove something, or use IndexedDB" : "`localStorage` failed";
    throw new DiffledgerError("storeFailed", `\`${name}\` could not be kept or read: ${reason}`, cause);
  }
}
