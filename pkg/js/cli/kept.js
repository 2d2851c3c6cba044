import { setTimeout as sleep } from "node:timers/promises";

import { Session } from "diffledger";

/** @typedef {import("diffledger").FileStore} FileStore */
/** @typedef {import("./settings.js").Settings} Settings */

// Of several that save at once one wins a round, so the last of sixteen needs about as many; far more
// only hides a program that writes all the time.
const TRIES = 100;
const TRY_PAUSE_MS = 50;

/**
 * The session as it is stored.
 * @param {FileStore} store
 * @param {Settings} settings
 */
export async function opened(store, { id, limits, model, recall }) {
  const session = new Session({ id, store, ...limits, model, recall });
  await session.load();
  return session;
}

/**
 * Opens a session, lets `step` work on it and saves it. Where somebody else saved it in the meantime,
 * all of it is done again on what they left: nothing of the first attempt was stored.
 * @template T
 * @param {FileStore} store
 * @param {Settings} settings
 * @param {(session: Session) => T | Promise<T>} step
 * @param {(result: T) => void} [show] is called with the result, also where it cannot be saved
 * @returns {Promise<T>}
 */
export async function kept(store, settings, step, show = () => {}) {
  for (let tries = 1; ; tries += 1) {
    const session = await opened(store, settings);
    const result = await step(session);
    const failure = await session.save().then(() => null, (error) => error);
    session.dispose();
    if (failure?.code !== "conflict" || tries === TRIES) {
      show(result);
      if (failure) throw failure;
      return result;
    }
    await sleep(Math.random() * TRY_PAUSE_MS);
  }
}

/**
 * Forgets a session. Files that cannot be read are kept under other names.
 * @param {FileStore} store
 * @param {Settings} settings
 * @returns {Promise<string[]>} those names
 */
export async function begunAnew(store, settings) {
  const { id } = settings;
  const session = new Session({ id, store });
  const aside = [];
  try {
    await session.load();
  } catch (error) {
    if (/** @type {any} */ (error).code !== "damaged") throw error;
    for (const name of [`session_${id}.jsonl`, `ledger_${id}.json`]) aside.push(await store.setAside(name));
  }
  await session.purge();
  return aside.filter((name) => name !== null);
}
