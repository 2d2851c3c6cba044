// What a page does to a store: forbids, fills up, closes, opens a second tab.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";

import "./packages.mjs";
import { refused } from "./claims.mjs";
import { page, put, putGetter } from "./page.mjs";

const { LocalStorageStore } = await import("../../pkg/js/stores/local_storage.js");
const { IndexedDbStore } = await import("../../pkg/js/stores/indexed_db.js");
const { openDB } = await import("idb");

const NAME = "ledger_my-session.json";

beforeEach(() => {
  page({ locks: true, quota: Infinity });
  put("indexedDB", new IDBFactory());
});

/** @param {any} store */
function everything(store) {
  return [() => store.load(NAME), () => store.save(NAME, "{}", null), () => store.remove(NAME), () => store.setAside(NAME)];
}

/** @returns {any} */
function forbidden() {
  throw new DOMException("the operation is insecure", "SecurityError");
}

test("localStorage that is not there, or not allowed, is a missing store", async () => {
  put("localStorage", undefined);
  for (const action of everything(new LocalStorageStore())) await refused("storeMissing", action);
  put("localStorage", null);
  for (const action of everything(new LocalStorageStore())) await refused("storeMissing", action);
  putGetter("localStorage", forbidden);
  for (const action of everything(new LocalStorageStore())) {
    assert.equal((await refused("storeMissing", action)).cause.name, "SecurityError");
  }
});

test("localStorage that is full says so, and what was stored stays", async () => {
  page({ locks: true, quota: 200 });
  const store = new LocalStorageStore();
  const revision = await store.save(NAME, "small", null);
  const error = await refused("storeFailed", () => store.save(NAME, "x".repeat(300), revision));
  assert.match(error.message, /is full/);
  assert.equal(error.cause.name, "QuotaExceededError");
  assert.deepEqual(store.load(NAME), { revision, data: "small" });

  const large = await store.save(NAME, "x".repeat(120), revision);
  await refused("storeFailed", () => store.setAside(NAME));
  assert.equal(store.load(NAME)?.revision, large);
});

test("localStorage that fails otherwise, or gives no lock, is a failed store with the cause", async () => {
  put("localStorage", { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  for (const action of everything(new LocalStorageStore())) await refused("storeFailed", action);
  page({ locks: true, quota: Infinity });
  put("navigator", { locks: { request: async () => forbidden() } });
  assert.equal((await refused("storeFailed", () => new LocalStorageStore().save(NAME, "{}", null))).cause.name, "SecurityError");
});

test("localStorage is compared and written under the lock of its key", async () => {
  const store = new LocalStorageStore({ prefix: "mine/" });
  await store.save(NAME, "{}", null);
  assert.equal(globalThis.localStorage.getItem(`mine/${NAME}`), "{}");
  assert.deepEqual(/** @type {any} */ (navigator.locks).asked, [`mine/${NAME}`]);
});

test("what another script of the page writes to localStorage is a conflict; what is no text is damaged", async () => {
  const store = new LocalStorageStore();
  const revision = await store.save(NAME, "ours", null);
  localStorage.setItem(`diffledger/${NAME}`, "theirs");
  await refused("conflict", () => store.save(NAME, "ours again", revision));
  localStorage.setItem(`diffledger/${NAME}`, "a\ud800");
  await refused("damaged", () => store.load(NAME));
  await refused("conflict", () => store.save(NAME, "ours again", revision));
  assert.equal(localStorage.getItem(`diffledger/${String(await store.setAside(NAME))}`), "a\ud800");
});

test("an option that cannot be is refused", () => {
  for (const make of [() => new LocalStorageStore(/** @type {any} */ ({ prefix: 7 })), () => new IndexedDbStore({ database: "" }), () => new IndexedDbStore(/** @type {any} */ ({ database: 7 }))]) {
    assert.throws(make, { code: "invalidOption" });
  }
});

test("IndexedDB that is not there, or not allowed, is a missing store", async () => {
  put("indexedDB", undefined);
  for (const action of everything(new IndexedDbStore())) await refused("storeMissing", action);
  putGetter("indexedDB", forbidden);
  for (const action of everything(new IndexedDbStore())) await refused("storeMissing", action);
});

test("a store that found no IndexedDB works as soon as there is one", async () => {
  put("indexedDB", undefined);
  const store = new IndexedDbStore();
  await refused("storeMissing", () => store.load(NAME));
  put("indexedDB", new IDBFactory());
  assert.equal(await store.load(NAME), null);
});

test("two tabs that add in turns lose nothing", async () => {
  const tabs = [new IndexedDbStore(), new IndexedDbStore()];
  await Promise.all(tabs.map(async (store, tab) => {
    for (let line = 0; line < 50;) {
      const found = await store.load(NAME);
      try {
        await store.save(NAME, `${found?.data ?? ""}${tab} ${line}\n`, found?.revision ?? null);
        line += 1;
      } catch (error) {
        assert.equal(/** @type {any} */ (error).code, "conflict");
      }
    }
  }));
  assert.equal(new Set((await tabs[0]?.load(NAME))?.data.trimEnd().split("\n")).size, 100);
});

test("a connection that another tab wants closed is closed, and the next call opens it again", async () => {
  const store = new IndexedDbStore();
  await store.save(NAME, "{}", null);
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("diffledger");
    request.onsuccess = resolve;
    request.onerror = reject;
    request.onblocked = () => reject(new Error("the store blocks another tab"));
  });
  assert.equal(await store.load(NAME), null);
  await store.save(NAME, "again", null);
  assert.equal((await store.load(NAME))?.data, "again");
});

test("a connection that was closed under the store is opened again", async () => {
  const open = IDBFactory.prototype.open;
  /** @type {any[]} */
  const connections = [];
  put("indexedDB", Object.assign(new IDBFactory(), {
    /** @this {IDBFactory} @param {[string, number]} args */
    open(...args) {
      const request = open.apply(this, args);
      request.addEventListener("success", () => connections.push(request.result));
      return request;
    },
  }));
  const store = new IndexedDbStore();
  const revision = await store.save(NAME, "{}", null);
  connections[0].close();
  assert.deepEqual(await store.load(NAME), { revision, data: "{}" });
  connections[1].close();
  await store.save(NAME, "again", revision);
  assert.equal(connections.length, 3);
});

test("a database of a newer version is not touched, one that is no ours is a failed store", async () => {
  (await openDB("newer", 7)).close();
  await refused("newerVersion", () => new IndexedDbStore({ database: "newer" }).load(NAME));
  (await openDB("foreign", 1)).close();
  for (const action of everything(new IndexedDbStore({ database: "foreign" }))) {
    assert.equal((await refused("storeFailed", action)).cause.name, "NotFoundError");
  }
});

test("IndexedDB that is full says so, and what was stored stays", async () => {
  const store = new IndexedDbStore();
  const revision = await store.save(NAME, "small", null);
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  const error = await refused("storeFailed", () => store.save(NAME, "large", revision));
  IDBObjectStore.prototype.put = put;
  assert.match(error.message, /is full/);
  assert.deepEqual(await store.load(NAME), { revision, data: "small" });
});

test("what is no text in IndexedDB is damaged and can be set aside", async () => {
  const store = new IndexedDbStore();
  await store.save(NAME, "{}", null);
  const database = await openDB("diffledger", 1);
  await database.put("forms", { not: "text" }, NAME);
  await refused("damaged", () => store.load(NAME));
  const aside = String(await store.setAside(NAME));
  assert.deepEqual(await database.get("forms", aside), { not: "text" });
  assert.equal(await store.load(NAME), null);
  database.close();
});
