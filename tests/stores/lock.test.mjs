// Whose lock is taken over, and whose is not.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { FileStore } from "../../pkg/js/stores/file.js";
import { beside, locked } from "../../pkg/js/stores/lock.js";
import { refused } from "./claims.mjs";
import { start } from "./processes.mjs";

const NAME = "ledger_my-session.json";
const base = mkdtempSync(join(tmpdir(), "diffledger-"));
after(() => rmSync(base, { recursive: true }));

/** A folder with a store that does not wait long. */
function place() {
  const folder = mkdtempSync(join(base, "case-"));
  return { folder, lock: join(folder, `.${NAME}.lock`), store: new FileStore({ folder, timeout: 150 }) };
}

/**
 * A lock as its owner leaves it: taken by a process that is then killed, or kept alive.
 * @param {string} folder
 */
async function holder(folder) {
  const { child, ended } = start(
    `import { writeFileSync } from "node:fs";
     import { beside, locked } from ${JSON.stringify(new URL("../../pkg/js/stores/lock.js", import.meta.url).href)};
     const path = process.argv[1];
     await locked(path, 0, ({ nonce }) => {
       writeFileSync(beside(path, nonce + ".tmp"), "half");
       process.stdout.write("in");
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { args: [join(folder, NAME)] },
  );
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return { child, ended };
}

/**
 * @param {string} file
 * @param {number} seconds
 */
function age(file, seconds) {
  const then = Date.now() / 1000 - seconds;
  utimesSync(file, then, then);
}

test("the lock of a process that lives is not taken over, however old; the error names both and says what to do", async () => {
  const { folder, lock, store } = place();
  const { child, ended } = await holder(folder);
  age(lock, 3600);
  const error = await refused("storeFailed", () => store.save(NAME, "{}", null));
  assert.ok(error.message.includes(lock) && error.message.includes(`process ${child.pid}`) && error.message.includes("delete it"), error.message);
  assert.equal(store.load(NAME), null);
  child.kill("SIGKILL");
  await ended;
});

test("the lock of a process that was killed is taken over at once, and what it left is removed", async () => {
  const { folder, lock, store } = place();
  const { child, ended } = await holder(folder);
  child.kill("SIGKILL");
  await ended;
  assert.deepEqual([existsSync(lock), readdirSync(folder).length], [true, 2]);
  await store.save(NAME, "{}", null);
  assert.deepEqual(readdirSync(folder), [NAME]);
});

test("a process that has the number of a dead one is not taken for it", { skip: process.platform !== "linux" }, async () => {
  const { folder, lock, store } = place();
  const { child, ended } = await holder(folder);
  const { readFileSync } = await import("node:fs");
  const owner = JSON.parse(readFileSync(lock, "utf8"));
  writeFileSync(lock, JSON.stringify({ ...owner, started: "1" }));
  await store.save(NAME, "{}", null);
  assert.equal(store.load(NAME)?.data, "{}");
  child.kill("SIGKILL");
  await ended;
});

test("of another host, or unreadable: waited for while young, taken over when old", async () => {
  const foreign = JSON.stringify({ pid: 1, started: "", host: "elsewhere", nonce: "0123456789abcdef" });
  for (const text of [foreign, "", "null", "[]", "{\"pid\":0}", JSON.stringify({ pid: -1, started: "", host: "", nonce: "../../../../x" })]) {
    const { folder, lock, store } = place();
    writeFileSync(lock, text);
    await refused("storeFailed", () => store.save(NAME, "{}", null));
    assert.equal(existsSync(lock), true);
    age(lock, 60);
    await store.save(NAME, "{}", null);
    assert.deepEqual(readdirSync(folder), [NAME]);
  }
});

test("a dead lock is not deleted while somebody else is about to, and is after they died", async () => {
  const { folder, lock, store } = place();
  const steal = `${lock}.steal`;
  writeFileSync(lock, "");
  age(lock, 60);
  writeFileSync(steal, "");
  await refused("storeFailed", () => store.save(NAME, "{}", null));
  assert.equal(existsSync(lock), true);
  age(steal, 60);
  await store.save(NAME, "{}", null);
  assert.deepEqual(readdirSync(folder), [NAME]);
});

test("a lock that was lost is noticed before the one step that cannot be taken back", async () => {
  const { folder, lock } = place();
  const path = join(folder, NAME);
  await refused("conflict", () => locked(path, 0, ({ check }) => {
    check();
    writeFileSync(lock, "somebody else's");
    check();
  }));
  assert.equal(existsSync(lock), true, "what is somebody else's is left to them");
});

test("a section that throws gives the lock back", async () => {
  const { folder, lock } = place();
  const path = join(folder, NAME);
  await assert.rejects(locked(path, 0, () => { throw new Error("inside"); }), /inside/);
  assert.equal(existsSync(lock), false);
  assert.equal(await locked(path, 0, ({ nonce }) => beside(path, nonce).length > path.length), true);
});
