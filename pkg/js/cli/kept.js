import { setTimeout as sleep } from "node:timers/promises";

import { openSession } from "../cli_session.js";
import { DiffledgerError } from "../stores/error.js";

/** @typedef {import("../cli_session.js").CliSession} CliSession */
/** @typedef {import("../stores/file.js").FileStore} FileStore */
/** @typedef {import("./settings.js").Settings} Settings */

// Of several that save at once one wins a round, so the last of sixteen needs about as many; far more
// only hides a program that writes all the time.
const TRIES = 100;
const TRY_PAUSE_MS = 50;
// The Python package writes in place: what cannot be read may only be half written.
const READS = 4;
const READ_PAUSE_MS = 50;

/**
 * The two files of a session on disk: its log, where it has one, and its ledger.
 * @param {string} id
 */
function names(id) {
  return { session: `session_${id}.jsonl`, ledger: `ledger_${id}.json` };
}

/**
 * Opens a session without keeping what happens to it.
 * @param {FileStore} store
 * @param {Settings} settings
 */
export async function opened(store, { id, limits }) {
  const name = names(id);
  for (let reads = 1; ; reads += 1) {
    try {
      const session = store.load(name.session);
      const ledger = store.load(name.ledger);
      return { session, ledger, open: openSession({ id, limits, sessionText: session?.data ?? null, ledgerText: ledger?.data ?? null }) };
    } catch (error) {
      if (!(error instanceof Error) || /** @type {any} */ (error).code !== "damaged" || reads === READS) throw error;
      await sleep(READ_PAUSE_MS);
    }
  }
}

/**
 * Opens a session, lets `step` work on it and saves it. Where somebody else saved in the meantime,
 * all of it is done again on what they left. The log goes first: once it is saved, what `step` did is
 * in it, and a conflict of the ledger only asks for the two to be brought together, not for `step`.
 * @template T
 * @param {FileStore} store
 * @param {Settings} settings
 * @param {(session: CliSession) => T | Promise<T>} step
 * @returns {Promise<T>}
 */
export async function kept(store, settings, step) {
  const name = names(settings.id);
  /** @type {{ result: T } | null} */
  let logged = null;
  for (let tries = 1; ; tries += 1) {
    const { open, session, ledger } = await opened(store, settings);
    /** @type {T} */
    const result = logged ? logged.result : await step(open);
    const saved = open.saved();
    try {
      if (saved.session !== null && saved.session !== session?.data) {
        await store.save(name.session, saved.session, session?.revision ?? null);
        logged = { result };
      }
      if (saved.ledger !== ledger?.data) await store.save(name.ledger, saved.ledger, ledger?.revision ?? null);
      return result;
    } catch (error) {
      if (!(error instanceof DiffledgerError) || error.code !== "conflict" || tries === TRIES) throw error;
      await sleep(Math.random() * TRY_PAUSE_MS);
    }
  }
}

/**
 * Begins a session anew. Files that cannot be read are kept under other names.
 * @param {FileStore} store
 * @param {Settings} settings
 * @returns {Promise<string[]>} those names
 */
export async function begunAnew(store, settings) {
  const aside = [];
  try {
    await opened(store, settings);
  } catch (error) {
    if (!(error instanceof Error) || /** @type {any} */ (error).code !== "damaged") throw error;
    for (const name of Object.values(names(settings.id))) aside.push(await store.setAside(name));
  }
  await kept(store, settings, (session) => session.reset());
  return aside.filter((name) => name !== null);
}
