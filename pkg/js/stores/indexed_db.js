import { openDB } from "idb";

import { receivesOnlyOwn } from "../receiver.js";
import { DiffledgerError } from "./error.js";
import { checkedName } from "./name.js";
import { options } from "./options.js";
import { asideName, checkRevision, revision, stored } from "./revision.js";
import { encoded } from "./text.js";

/** @typedef {import("../../src/types.d.ts").Store} Store */
/** @typedef {import("../../src/types.d.ts").Stored} Stored */
/** @typedef {import("idb").IDBPDatabase} Database */

const VERSION = 1;
const FORMS = "forms";

/**
 * IndexedDB, in pages and workers. Comparing and writing are one readwrite transaction, and the
 * browser runs those of all tabs one after another: that is what makes two tabs safe.
 * @implements {Store}
 */
export class IndexedDbStore {
  #database;
  /** @type {Promise<Database> | null} */
  #connection = null;

  /** @param {{ database?: string } | null} [given] default database: `diffledger` */
  constructor(given) {
    const { database = "diffledger" } = options(given, ["database"]);
    if (typeof database !== "string" || database === "") {
      throw new DiffledgerError("invalidOption", "`database` must be a string that is not empty");
    }
    this.#database = database;
  }

  /**
   * @param {string} name
   * @returns {Promise<Stored | null>}
   */
  async load(name) {
    checkedName(name);
    return stored(name, await this.#transaction(name, "readonly", (forms) => forms.get(name)));
  }

  /**
   * @param {string} name
   * @param {string} data
   * @param {string | null} expectedRevision
   * @returns {Promise<string>} the new revision
   */
  async save(name, data, expectedRevision) {
    checkedName(name);
    const saved = revision(encoded(data));
    return this.#transaction(name, "readwrite", async (forms) => {
      checkRevision(name, revisionOf(await forms.get(name)), expectedRevision);
      await forms.put(data, name);
      return saved;
    });
  }

  /**
   * @param {string} name
   * @returns {Promise<void>}
   */
  async remove(name) {
    checkedName(name);
    await this.#transaction(name, "readwrite", (forms) => forms.delete(name));
  }

  /**
   * @param {string} name
   * @returns {Promise<string | null>}
   */
  async setAside(name) {
    checkedName(name);
    return this.#transaction(name, "readwrite", async (forms) => {
      const found = await forms.get(name);
      if (found === undefined) return null;
      const names = new Set(await forms.getAllKeys());
      const aside = asideName(name, revisionOf(found) ?? "", (candidate) => names.has(candidate));
      await forms.put(found, aside);
      await forms.delete(name);
      return aside;
    });
  }

  /**
   * Runs `step` in one transaction: all of it or nothing.
   * @template T
   * @param {string} name
   * @param {"readonly" | "readwrite"} mode
   * @param {(forms: any) => Promise<T>} step
   * @returns {Promise<T>}
   */
  async #transaction(name, mode, step) {
    try {
      const transaction = await this.#begin(mode);
      try {
        const result = await step(transaction.store);
        await transaction.done;
        return result;
      } catch (reason) {
        transaction.done.catch(() => {});
        try { transaction.abort(); } catch { /* It has ended by itself, which is why `step` failed. */ }
        throw transaction.error ?? reason;
      }
    } catch (cause) {
      throw cause instanceof DiffledgerError ? cause : failure(name, cause);
    }
  }

  /**
   * A browser closes connections on its own (site data cleared, a page out of the back/forward
   * cache), and only the next transaction finds out: then it is opened once more.
   * @param {"readonly" | "readwrite"} mode
   */
  async #begin(mode) {
    const options = /** @type {const} */ ({ durability: "strict" });
    try {
      return (await this.#open()).transaction(FORMS, mode, options);
    } catch (cause) {
      if (/** @type {any} */ (cause)?.name !== "InvalidStateError") throw cause;
      this.#connection = null;
      return (await this.#open()).transaction(FORMS, mode, options);
    }
  }

  /** @returns {Promise<Database>} */
  #open() {
    const connection = this.#connection ?? connect(this.#database, () => {
      if (this.#connection === connection) this.#connection = null;
    });
    if (this.#connection !== connection) {
      this.#connection = connection;
      connection.catch(() => {
        if (this.#connection === connection) this.#connection = null;
      });
    }
    return connection;
  }

  static {
    receivesOnlyOwn(this, (that) => #database in that);
  }
}

/**
 * @param {string} database
 * @param {() => void} forget called when the connection is no longer good
 * @returns {Promise<Database>}
 */
async function connect(database, forget) {
  requireIndexedDb();
  return new Promise((resolve, reject) => {
    let refused = false;
    openDB(database, VERSION, {
      upgrade: (db) => { db.createObjectStore(FORMS); },
      blocked: () => {
        refused = true;
        reject(new DiffledgerError("storeFailed", `another tab holds the database \`${database}\` in an older version: close it and try again`));
      },
      // Somebody deletes the database or upgrades it: holding on would block that tab.
      blocking: (_current, _blocked, event) => {
        forget();
        /** @type {any} */ (event.target).close();
      },
      terminated: forget,
    }).then((db) => (refused ? db.close() : resolve(db)), reject);
  });
}

function requireIndexedDb() {
  let found;
  try {
    found = globalThis.indexedDB;
  } catch (cause) {
    throw new DiffledgerError("storeMissing", "the browser does not let this page use IndexedDB: allow it, or give another store", cause);
  }
  if (!found) throw new DiffledgerError("storeMissing", "there is no IndexedDB here: give another store");
}

/** @param {unknown} found */
function revisionOf(found) {
  // What is not text is compared as well, so that it can be set aside.
  return found === undefined ? null : revision(new TextEncoder().encode(String(found)));
}

/**
 * @param {string} name
 * @param {any} cause
 */
function failure(name, cause) {
  if (cause?.name === "VersionError") {
    return new DiffledgerError("newerVersion", `the database of \`${name}\` was made by a newer version: update diffledger`, cause);
  }
  const reason = /quota/i.test(String(cause?.name))
    ? "the browser's storage for this site is full: remove something"
    : `IndexedDB failed with \`${cause?.name ?? cause}\``;
  return new DiffledgerError("storeFailed", `\`${name}\` could not be kept or read: ${reason}`, cause);
}
