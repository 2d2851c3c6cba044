// What the wasm is told about the place where it runs.

import { setHost } from "glue";

import { LocalStorageStore } from "./stores/local_storage.js";

/**
 * @typedef {object} Host
 * @property {object | null} store where a ledger is kept for which no store is given
 * @property {(path?: string) => Uint8Array | string | null} readTranscript reads a file, or, without
 *   a path, the one that the environment names
 * @property {(milliseconds: number) => void} [pause] waits without letting others run
 */

/** @param {Host} host */
export function connect(host) {
  setHost(host);
}

/** The host of pages and of workers: no files, and `localStorage` where it can be used. @returns {Host} */
export function webHost() {
  return { store: usable() ? new LocalStorageStore() : null, readTranscript: noFile };
}

/** @param {string} [path] */
function noFile(path) {
  if (path === undefined) return null;
  throw new Error("there are no files here: hand over the messages or the text");
}

/** Reading the name alone throws in a page that may not store anything. */
function usable() {
  try {
    return typeof localStorage === "object" && localStorage !== null;
  } catch {
    return false;
  }
}
