// Many processes on one file, and processes that are killed.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { FileStore } from "../../pkg/js/stores/file.js";
import { run, start } from "./processes.mjs";

const NAME = "ledger_my-session.json";
const base = mkdtempSync(join(tmpdir(), "diffledger-"));
const folder = () => mkdtempSync(join(base, "case-"));
after(() => rmSync(base, { recursive: true }));

// Adds `count` lines, each in a save of its own; loads again when somebody else was faster.
const ADD = `
  const [folder, label, count] = process.argv.slice(1);
  const store = new FileStore({ folder });
  for (let line = 0; line < Number(count); line += 1) {
    for (let saved = false; !saved;) {
      const found = store.load("${NAME}");
      const data = (found?.data ?? "") + label + " " + line + " " + "x".repeat(20) + ".\\n";
      saved = await store.save("${NAME}", data, found?.revision ?? null).then(() => true, (error) => {
        if (error.code !== "conflict") throw error;
        return false;
      });
    }
  }`;

// Reads until it is told to end, and counts what no writer ever wrote.
const READ = `
  const store = new FileStore({ folder: process.argv[1] });
  let [reads, torn, last, going] = [0, 0, 0, true];
  process.on("SIGTERM", () => { going = false; });
  process.stdout.write(" ");
  while (going) {
    const data = store.load("${NAME}")?.data ?? "";
    const lines = data.split("\\n");
    if (lines.pop() !== "" || lines.length < last || !lines.every((line) => /^\\S+ \\d+ x{20}\\.$/.test(line))) torn += 1;
    last = lines.length;
    reads += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  console.log(JSON.stringify({ reads, torn }));`;

test("16 processes save 200 times each: 3200 lines, none lost, none doubled, none read half", { timeout: 300_000 }, async (context) => {
  const place = folder();
  const reader = start(READ, { args: [place] });
  await new Promise((resolve) => reader.child.stdout?.once("data", resolve));
  await Promise.all(Array.from({ length: 16 }, (_, label) => run(ADD, { args: [place, `p${label}`, "200"] })));
  reader.child.kill("SIGTERM");
  const { reads, torn } = JSON.parse((await reader.ended).stdout);
  context.diagnostic(`${reads} reads`);
  assert.ok(reads > 50, `only ${reads} reads`);
  assert.equal(torn, 0);
  const lines = new FileStore({ folder: place }).load(NAME)?.data.trimEnd().split("\n") ?? [];
  assert.equal(lines.length, 3200);
  assert.equal(new Set(lines).size, 3200);
  assert.deepEqual(readdirSync(place), [NAME]);
});

test("many processes that find the same dead lock do not get in together", { timeout: 120_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const place = folder();
    const dead = start(`process.stdout.write(String(process.pid));`);
    const { stdout: pid } = await dead.ended;
    const alive = await lockText(place);
    writeFileSync(join(place, `.${NAME}.lock`), JSON.stringify({ ...JSON.parse(alive), pid: Number(pid) }));
    await Promise.all(Array.from({ length: 8 }, (_, label) => run(ADD, { args: [place, `p${label}`, "5"] })));
    assert.equal(new FileStore({ folder: place }).load(NAME)?.data.trimEnd().split("\n").length, 40);
    assert.deepEqual(readdirSync(place), [NAME]);
  }
});

/**
 * What stands in a lock of this machine.
 * @param {string} place
 */
async function lockText(place) {
  const { locked, beside } = await import("../../pkg/js/stores/lock.js");
  const { readFileSync } = await import("node:fs");
  const path = join(place, "other");
  return locked(path, 0, () => readFileSync(beside(path, "lock"), "utf8"));
}

test("kill -9 in the middle of 200 saves leaves one of the two states, and the next process can save", { timeout: 300_000 }, async (context) => {
  // Large enough that most of the time is spent in writing.
  const ALTERNATE = `
    const store = new FileStore({ folder: process.argv[1] });
    const states = ["a".repeat(3e6), "b".repeat(3e6)];
    let revision = store.load("${NAME}")?.revision ?? null;
    process.stdout.write(" ");
    for (let count = 0; count < 200; count += 1) revision = await store.save("${NAME}", states[count % 2], revision);
    console.log("done");`;
  const place = folder();
  let inside = 0;
  for (let round = 0; round < 20; round += 1) {
    const { child, ended } = start(ALTERNATE, { args: [place] });
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    await sleep(20 + 13 * round);
    child.kill("SIGKILL");
    assert.equal((await ended).signal, "SIGKILL", "it was killed before it was done");
    if (readdirSync(place).length > 1) inside += 1;

    const store = new FileStore({ folder: place });
    const found = store.load(NAME);
    assert.ok(found === null || (found.data.length === 3e6 && /^(a+|b+)$/.test(found.data)), "one of the two states");
    await store.save(NAME, "a".repeat(3e6), found?.revision ?? null);
    assert.deepEqual(readdirSync(place), [NAME]);
  }
  context.diagnostic(`${inside} of 20 were killed inside a save`);
  assert.ok(inside > 0, "none was killed inside a save");
});

test("two stores of one process, and two saves at once, are as safe as two processes", async () => {
  const place = folder();
  const stores = [new FileStore({ folder: place }), new FileStore({ folder: place })];
  await Promise.all(stores.flatMap((store, label) => Array.from({ length: 20 }, async (_, line) => {
    for (;;) {
      const found = store.load(NAME);
      try {
        return await store.save(NAME, `${found?.data ?? ""}${label} ${line}\n`, found?.revision ?? null);
      } catch (error) {
        if (/** @type {any} */ (error).code !== "conflict") throw error;
      }
    }
  })));
  assert.equal(new Set(stores[0]?.load(NAME)?.data.trimEnd().split("\n")).size, 40);
});
