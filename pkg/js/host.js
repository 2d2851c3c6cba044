// What the wasm is told about the place where it runs.

import * as glue from "glue";

/**
 * @typedef {object} Host
 * @property {object | null} store where a ledger is kept for which no store is given
 * @property {(path?: string) => Uint8Array | string | null} readTranscript reads a file, or, without
 *   a path, the one that the environment names
 */

/** @param {Host} host */
export function connect(host) {
  glue.setHost?.(host);
}

/** The host of pages and of workers: no files. @returns {Host} */
export function webHost() {
  return { store: null, readTranscript: () => null };
}
