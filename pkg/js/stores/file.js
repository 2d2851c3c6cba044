import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { receivesOnlyOwn } from "../receiver.js";
import { DiffledgerError } from "./error.js";
import { beside, locked } from "./lock.js";
import { checkedName } from "./name.js";
import { options } from "./options.js";
import { asideName, checkRevision, revision } from "./revision.js";
import { decoded, encoded } from "./text.js";

/** @typedef {import("../../src/types.d.ts").Store} Store */
/** @typedef {import("../../src/types.d.ts").Stored} Stored */

/**
 * Files in a folder (Node, Deno, Bun), 0600 in a folder that is made 0700. A file is replaced as a
 * whole, under a lock beside it (`lock.js`), so readers never wait and never see half of one. A
 * program that knows no lock, such as the Python package, is noticed by the revision.
 *
 * A file that is a symbolic link is followed: what it points to is replaced in its own folder, and
 * the link stays. A link to nothing is refused, because saving would put a file in its place.
 * @implements {Store}
 */
export class FileStore {
  #timeout;
  /** @type {string} */
  folder;

  /** @param {{ folder?: string, timeout?: number } | null} [given] `timeout`: milliseconds to wait for another process */
  constructor(given) {
    const { folder = defaultFolder(), timeout = 30_000 } = options(given, ["folder", "timeout"]);
    if (typeof folder !== "string" || folder === "" || folder.includes("\0")) {
      throw new DiffledgerError("invalidOption", "`folder` must be the path of a folder");
    }
    if (typeof timeout !== "number" || !Number.isFinite(timeout) || timeout < 0) {
      throw new DiffledgerError("invalidOption", "`timeout` must be a number of milliseconds");
    }
    this.folder = resolve(folder);
    this.#timeout = timeout;
  }

  /**
   * @param {string} name
   * @returns {Stored | null}
   */
  load(name) {
    const path = this.#path(name);
    return guarded("read", path, () => {
      const bytes = read(followed(path));
      return bytes && { revision: revision(bytes), data: decoded(bytes, path) };
    });
  }

  /**
   * @param {string} name
   * @param {string} data
   * @param {string | null} expectedRevision
   * @returns {Promise<string>} the new revision
   */
  async save(name, data, expectedRevision) {
    const path = this.#path(name);
    const bytes = encoded(data);
    return this.#alone("saved", path, (target, held) => {
      checkRevision(name, revisionOf(target), expectedRevision);
      replace(target, bytes, held);
      return revision(bytes);
    });
  }

  /**
   * Deletes the file; with a link also what it points to.
   * @param {string} name
   * @returns {Promise<void>}
   */
  async remove(name) {
    const path = this.#path(name);
    if (!exists("deleted", path)) return;
    await this.#alone("deleted", path, (target) => {
      for (const file of new Set([target, path])) {
        if (present(file)) unlinkSync(file);
      }
    });
  }

  /**
   * A link is renamed itself: what it points to stays where it is.
   * @param {string} name
   * @returns {Promise<string | null>}
   */
  async setAside(name) {
    const path = this.#path(name);
    if (!exists("set aside", path)) return null;
    return this.#alone("set aside", path, (target) => {
      const found = revisionOf(target);
      if (found === null) return null;
      const aside = asideName(name, found, (candidate) => present(join(this.folder, candidate)));
      renameSync(path, join(this.folder, aside));
      return aside;
    });
  }

  /** @param {unknown} name */
  #path(name) {
    return join(this.folder, checkedName(name));
  }

  /**
   * @template T
   * @param {string} verb
   * @param {string} path
   * @param {(target: string, held: import("./lock.js").Held) => T} section
   * @returns {Promise<T>}
   */
  async #alone(verb, path, section) {
    try {
      const target = followed(path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      return await locked(target, this.#timeout, (held) => section(target, held));
    } catch (cause) {
      throw failure(verb, path, cause);
    }
  }

  static {
    receivesOnlyOwn(this, (that) => #timeout in that);
  }
}

function defaultFolder() {
  /** @type {unknown} */
  let failure;
  try {
    const home = homedir();
    // Empty where `HOME` is: the files would go into whatever folder the program runs in.
    if (home !== "") return join(home, ".diffledger");
  } catch (cause) {
    failure = cause;
  }
  throw new DiffledgerError("storeMissing", "there is no home folder for `~/.diffledger`: set `HOME`, or name a folder", failure);
}

/**
 * Writes beside the file and renames: whoever reads, at any moment, finds the old or the new one.
 * @param {string} path
 * @param {Uint8Array} bytes
 * @param {import("./lock.js").Held} held
 */
function replace(path, bytes, held) {
  // Named after the lock, so that whoever clears the lock of a dead process finds it.
  const temporary = beside(path, `${held.nonce}.tmp`);
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    held.check();
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}

/**
 * @param {string} path
 * @returns {Uint8Array | null}
 */
function read(path) {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (/** @type {any} */ (cause).code === "ENOENT") return null;
    throw cause;
  }
}

/** @param {string} path */
function revisionOf(path) {
  const bytes = read(path);
  return bytes && revision(bytes);
}

/** @param {string} path */
function present(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * @param {string} verb
 * @param {string} path
 */
function exists(verb, path) {
  return guarded(verb, path, () => present(path));
}

/**
 * Where a link leads; the path itself when it is none.
 * @param {string} path
 */
function followed(path) {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  try {
    return realpathSync(path);
  } catch (cause) {
    if (/** @type {any} */ (cause).code !== "ENOENT") throw cause;
    throw new DiffledgerError("storeFailed", `\`${path}\` is a link to a file that is not there: restore the file or delete the link`, cause);
  }
}

/**
 * @template T
 * @param {string} verb
 * @param {string} path
 * @param {() => T} step
 * @returns {T}
 */
function guarded(verb, path, step) {
  try {
    return step();
  } catch (cause) {
    throw failure(verb, path, cause);
  }
}

/** @type {Record<string, string>} */
const REASONS = {
  EACCES: "it is not allowed: check the owner and the mode of the file and its folder",
  EPERM: "it is not allowed: check the owner and the mode of the file and its folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it is larger than a file may be",
  EROFS: "the file system is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/**
 * @param {string} verb
 * @param {string} path
 * @param {any} cause
 */
function failure(verb, path, cause) {
  if (cause instanceof DiffledgerError) return cause;
  const code = cause?.code ?? cause?.name ?? "unknown";
  const reason = REASONS[code];
  return new DiffledgerError("storeFailed", `\`${path}\` cannot be ${verb}: ${reason ? `${reason} (${code})` : code}`, cause);
}
