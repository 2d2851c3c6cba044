// How a session is loaded, worked on and saved while others do the same.
import assert from "node:assert/strict";
import { test } from "node:test";

import { begunAnew, kept, opened } from "../../pkg/js/cli/kept.js";
import { DiffledgerError } from "../../pkg/js/stores/error.js";
import { MemoryStore } from "../../pkg/js/stores/memory.js";

/** @type {any} */
const GIVEN = { id: "s", limits: {} };
const LEDGER = "ledger_s.json";
const SESSION = "session_s.jsonl";

/**
 * @param {string} name
 * @param {MemoryStore} store
 */
const turnOf = (name, store) => JSON.parse(store.load(name)?.data ?? "").turn;

test("what stays unreadable is damaged; what was only half written is read again", async () => {
  const store = new MemoryStore();
  const half = store.save(LEDGER, '{"turn"', null);
  await assert.rejects(opened(/** @type {any} */ (store), GIVEN), { code: "damaged" });
  let loads = 0;
  const load = store.load.bind(store);
  store.load = (name) => {
    if (name === LEDGER && (loads += 1) === 3) store.save(LEDGER, '{"session_id": "s", "turn": 7, "entries": []}', half);
    return load(name);
  };
  assert.equal((await opened(/** @type {any} */ (store), GIVEN)).open.summary().turn, 7);
});

test("an error that is no damage is not tried again", async () => {
  let loads = 0;
  const store = { load() { loads += 1; throw new DiffledgerError("storeFailed", "it failed"); } };
  await assert.rejects(opened(/** @type {any} */ (store), GIVEN), { code: "storeFailed" });
  assert.equal(loads, 1);
});

test("a conflict of the only file is worked on again, on what the other left", async () => {
  const store = new MemoryStore();
  let steps = 0;
  await kept(/** @type {any} */ (store), GIVEN, async (session) => {
    if ((steps += 1) === 1) store.save(LEDGER, '{"session_id": "s", "turn": 40, "entries": []}', null);
    await session.inject("hello", { model: null, recall: null });
  });
  assert.deepEqual([steps, turnOf(LEDGER, store)], [2, 41]);
});

test("once the log is saved the step is not done again, and both files are brought together", async () => {
  const store = new MemoryStore();
  const save = store.save.bind(store);
  let disturbed = false;
  store.save = (name, data, expected) => {
    if (name === LEDGER && !disturbed) {
      disturbed = true;
      save(LEDGER, '{"session_id": "s", "turn": 40, "entries": []}', null);
    }
    return save(name, data, expected);
  };
  let steps = 0;
  const learnt = await kept(/** @type {any} */ (store), GIVEN, (session) => {
    steps += 1;
    return session.ingest('[{"content": "the `port` is 8444"}]');
  });
  assert.deepEqual([steps, learnt.messages, disturbed], [1, 1, true]);
  assert.equal(store.load(SESSION)?.data, '{"content":"the `port` is 8444"}\n');
  assert.equal(turnOf(LEDGER, store), 40);
});

test("a conflict that never ends is told in the end", { timeout: 60_000 }, async () => {
  const store = { load: () => null, save() { throw new DiffledgerError("conflict", "again"); } };
  let steps = 0;
  await assert.rejects(kept(/** @type {any} */ (store), GIVEN, () => { steps += 1; }), { code: "conflict" });
  assert.ok(steps > 16);
});

test("what did not change is not written", async () => {
  const store = new MemoryStore();
  await kept(/** @type {any} */ (store), GIVEN, (session) => session.reset());
  store.save = () => assert.fail("it was written");
  await kept(/** @type {any} */ (store), GIVEN, (session) => session.reset());
});

test("beginning anew sets aside what cannot be read, and nothing else", async () => {
  const store = new MemoryStore();
  store.save(LEDGER, "{", null);
  const aside = await begunAnew(/** @type {any} */ (store), GIVEN);
  assert.match(aside.join(), /^ledger_s\.json\.damaged-[0-9a-f]{16}$/);
  assert.equal(store.load(String(aside[0]))?.data, "{");
  assert.deepEqual(await begunAnew(/** @type {any} */ (store), GIVEN), []);
});
