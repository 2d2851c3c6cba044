// The table of claims against each store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";

import "./packages.mjs";
import { claims } from "./claims.mjs";
import { page } from "./page.mjs";

const { MemoryStore } = await import("../../pkg/js/stores/memory.js");
const { FileStore } = await import("../../pkg/js/stores/file.js");
const { LocalStorageStore } = await import("../../pkg/js/stores/local_storage.js");
const { IndexedDbStore } = await import("../../pkg/js/stores/indexed_db.js");

const base = mkdtempSync(join(tmpdir(), "diffledger-"));
after(() => rmSync(base, { recursive: true }));

/** @type {Record<string, () => any>} */
const stores = {
  memory: () => new MemoryStore(),
  file: () => new FileStore({ folder: mkdtempSync(join(base, "claim-")) }),
  "localStorage with locks": () => {
    page({ locks: true, quota: Infinity });
    return new LocalStorageStore();
  },
  "localStorage without locks": () => {
    page({ locks: false, quota: Infinity });
    return new LocalStorageStore();
  },
  indexedDB: () => {
    globalThis.indexedDB = new IDBFactory();
    return new IndexedDbStore();
  },
};

for (const [label, make] of Object.entries(stores)) {
  for (const { holds, check } of claims) test(`${label}: ${holds}`, () => check(make()));
}
