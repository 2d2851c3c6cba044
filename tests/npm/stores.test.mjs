// The stores of pages in a real browser, as they are packed.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { launch, outcome, serve } from "./chromium.mjs";
import { install } from "./installation.mjs";

const FILE = "./node_modules/diffledger/diffledger.js";
const page = (file) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="${file}"></script>`;

// Every claim begins with nothing. 10 MB are more than a page may keep in localStorage.
const claimed = (type, make) => `
  import { ${type} } from "${FILE}";
  import { claims } from "./claims.mjs";
  const failed = [];
  let held = 0;
  for (const { holds, check } of claims) {
    if ("${type}" === "LocalStorageStore" && holds.startsWith("10 MB")) continue;
    try { await check(${make}); held += 1; } catch (error) { failed.push(holds + ": " + error.message); }
  }
  globalThis.outcome = { held, failed };`;

const folder = await install({
  "claims.mjs": await readFile(new URL("../stores/claims.mjs", import.meta.url), "utf8"),
  "local.mjs": claimed("LocalStorageStore", "new LocalStorageStore({ prefix: holds })"),
  "local.html": page("./local.mjs"),
  "indexed.mjs": claimed("IndexedDbStore", "new IndexedDbStore({ database: holds })"),
  "indexed.html": page("./indexed.mjs"),
  "tab.mjs": `
    import init, * as diffledger from "${FILE}";
    await init();
    globalThis.outcome = "ready";
    // Adds to one session, each time in a save of its own; begins anew when the other tab was faster.
    globalThis.work = async (type, tab, count) => {
      let conflicts = 0;
      for (let number = 0; number < count; number += 1) {
        for (let saved = false; !saved;) {
          const session = new diffledger.Session({ id: "shared", store: new diffledger[type]() });
          await session.load();
          await session.learn([{ role: "user", content: "The \`" + tab + "_item_" + number + "\` is done." }]);
          // Or the next array would be taken for another version of this one.
          await session.crunch();
          saved = await session.save().then(() => true, (error) => {
            if (error.code !== "conflict") throw error;
            conflicts += 1;
            return false;
          });
          session.dispose();
        }
      }
      return conflicts;
    };
    globalThis.kept = async (type) => {
      const session = new diffledger.Session({ id: "shared", store: new diffledger[type]() });
      await session.load();
      return session.entries.map((entry) => entry.concept).filter((concept) => concept.includes("_item_"));
    };`,
  "tab.html": page("./tab.mjs"),
});
const browser = await launch();
const address = await serve(folder);

for (const [file, count] of [["local", 11], ["indexed", 12]]) {
  test(`what holds for every store holds in Chromium: ${file}`, async () => {
    assert.deepEqual(await outcome(browser, `${address}/${file}.html`), { held: count, failed: [] });
  });
}

// Not for LocalStorageStore: a tab sees late what another has written, whatever lock they hold.
test("two tabs that save one session at once lose nothing of either", async (context) => {
  const type = "IndexedDbStore";
  const profile = await browser.newContext();
  const tabs = await Promise.all(["a", "b"].map(async (name) => {
    const tab = await profile.newPage();
    await tab.goto(`${address}/tab.html`);
    await tab.waitForFunction("globalThis.work");
    return [name, tab];
  }));
  const conflicts = await Promise.all(tabs.map(([name, tab]) => tab.evaluate(([type, name]) => globalThis.work(type, name, 25), [type, name])));
  context.diagnostic(`conflicts: ${conflicts.join(", ")}`);
  const kept = await tabs[0][1].evaluate((type) => globalThis.kept(type), type);
  const expected = ["a", "b"].flatMap((name) => Array.from({ length: 25 }, (_, number) => `${name}_item_${number}`));
  assert.deepEqual([...new Set(kept)].sort(), expected.sort());
  assert.ok(conflicts[0] + conflicts[1] > 0, "they never met");
  await profile.close();
});
