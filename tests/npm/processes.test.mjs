// Many processes on one session of the installed package, and processes that are killed.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { install } from "./installation.mjs";

const PROCESSES = 16;
/** Saves of each process; `DIFFLEDGER_SAVES=200` is the full run, which takes minutes. */
const SAVES = Number(process.env.DIFFLEDGER_SAVES ?? 20);

const LOG = "session_shared.jsonl";
const LEDGER = "ledger_shared.json";

const app = await install({
  // Turns are told or messages learnt, each saved on its own; after a conflict all is done again.
  "save.mjs": `
    import { FileStore, Session } from "diffledger";
    const [folder, verb, label, count] = process.argv.slice(2);
    const session = new Session({ id: "shared", store: new FileStore({ folder }) });
    let conflicts = 0;
    for (let item = 0; item < Number(count); item += 1) {
      for (let saved = false; !saved;) {
        await session.load();
        if (verb === "tell") await session.tell("hello");
        else await session.learn([{ role: "assistant", content: "The \`setting_" + label + "_" + item + "\` is on." }]);
        saved = await session.save().then(() => true, async (error) => {
          if (error.code !== "conflict") throw error;
          conflicts += 1;
          await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()));
        });
      }
    }
    console.log(conflicts);`,
  // Reads until it is told to end, and counts what no writer ever wrote.
  "read.mjs": `
    import { FileStore } from "diffledger";
    const store = new FileStore({ folder: process.argv[2] });
    let [reads, torn, going] = [0, 0, true];
    process.on("SIGTERM", () => { going = false; });
    console.log("ready");
    while (going) {
      try {
        const log = store.load("${LOG}")?.data ?? "\\n";
        if (!log.endsWith("\\n")) throw new Error("it breaks off");
        for (const line of log.trim().split("\\n")) if (line) JSON.parse(line);
        JSON.parse(store.load("${LEDGER}")?.data ?? "null");
      } catch {
        torn += 1;
      }
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    console.log(JSON.stringify({ reads, torn }));`,
  // Says each state before it is saved, so that whoever kills it knows how far it can be.
  "alternate.mjs": `
    import { FileStore, Session } from "diffledger";
    const session = new Session({ id: "shared", store: new FileStore({ folder: process.argv[2] }) });
    await session.load();
    for (let count = 0; count < 200; count += 1) {
      const content = "The \`setting_" + count + "\` is on. " + "Nothing else was said about it. ".repeat(300);
      await session.learn([{ role: "assistant", content }]);
      await session.tell("hello");
      process.stdout.write(session.summary().turn + " " + session.summary().total + "\\n");
      await session.save();
    }
    console.log("done");`,
});
const { FileStore, Session } = await import(pathToFileURL(join(app, "node_modules/diffledger/node.mjs")).href);
const folder = () => mkdtempSync(join(app, "case-"));
const execute = promisify(execFile);
const node = async (file, ...words) => (await execute(process.execPath, [file, ...words], { cwd: app })).stdout.trim();

async function stored(place) {
  const session = new Session({ id: "shared", store: new FileStore({ folder: place }) });
  await session.load();
  return session;
}

test(`${PROCESSES} processes save ${SAVES} turns each: none lost, none doubled, none read half`, { timeout: 3_600_000 }, async (context) => {
  const place = folder();
  const reader = spawn(process.execPath, ["read.mjs", place], { cwd: app });
  let output = "";
  reader.stdout.on("data", (text) => { output += text; });
  await new Promise((resolve) => reader.stdout.once("data", resolve));

  const start = performance.now();
  const conflicts = await Promise.all(Array.from({ length: PROCESSES }, (_, label) => node("save.mjs", place, "tell", `p${label}`, `${SAVES}`)));
  context.diagnostic(`${((performance.now() - start) / 1000).toFixed(1)} s, ${conflicts.reduce((sum, text) => sum + Number(text), 0)} conflicts`);
  reader.kill("SIGTERM");
  await new Promise((resolve) => reader.on("close", resolve));

  const { reads, torn } = JSON.parse(output.split("\n")[1] ?? "");
  assert.ok(reads > 10, `only ${reads} reads`);
  assert.equal(torn, 0);
  assert.equal((await stored(place)).summary().turn, PROCESSES * SAVES);
  assert.deepEqual(readdirSync(place), [LEDGER, LOG]);
});

test(`${PROCESSES} processes save 3 messages each: each is in the log once`, { timeout: 600_000 }, async () => {
  const place = folder();
  await Promise.all(Array.from({ length: PROCESSES }, (_, label) => node("save.mjs", place, "learn", `p${label}`, "3")));
  const texts = readFileSync(join(place, LOG), "utf8").match(/setting_p\d+_\d+/g) ?? [];
  assert.equal(texts.length, PROCESSES * 3);
  assert.equal(new Set(texts).size, PROCESSES * 3);
});

test("kill -9 in the middle of 200 saves leaves one of the two states, whichever of the files was being written", { timeout: 600_000 }, async (context) => {
  const found = { before: 0, after: 0, between: 0 };
  for (let round = 0; round < 20; round += 1) {
    const place = folder();
    const child = spawn(process.execPath, ["alternate.mjs", place], { cwd: app });
    let output = "";
    child.stdout.on("data", (text) => { output += text; });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await sleep(20 + 23 * round);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    const states = output.trimEnd().split("\n");
    assert.notEqual(states.at(-1), "done", "it was killed before it was done");

    const session = await stored(place);
    const state = `${session.summary().turn} ${session.summary().total}`;
    const [before, after] = [states.at(-2) ?? "0 0", states.at(-1)];
    assert.ok(state === before || state === after, `\`${state}\` is neither \`${before}\` nor \`${after}\``);
    found[state === before ? "before" : "after"] += 1;
    if (outdated(place)) found.between += 1;

    await session.tell("hello");
    await session.save();
    assert.equal((await stored(place)).summary().turn, session.summary().turn);
    assert.deepEqual(readdirSync(place), [LEDGER, LOG]);
  }
  context.diagnostic(`${found.before} before, ${found.after} after, ${found.between} of them between the two files`);
});

/** Whether the ledger on the disk was written with an older log than the one that lies there. */
function outdated(place) {
  const read = (name) => readdirSync(place).includes(name) && readFileSync(join(place, name), "utf8");
  const log = read(LOG);
  return log !== false && JSON.parse(read(LEDGER) || "{}").diffledger?.log !== log.trimEnd().split("\n").length - 1;
}

test("a stop between the two files loses nothing, and the next save brings them together", async () => {
  const place = folder();
  const files = new FileStore({ folder: place });
  const first = new Session({ id: "shared", store: files });
  await first.learn([{ role: "assistant", content: "The retry queue waits 30 s and doubles after each failure." }]);
  await first.save();

  const stopped = { load: (name) => files.load(name), save: (name, ...rest) => (name === LEDGER ? new Promise(() => {}) : files.save(name, ...rest)) };
  const second = new Session({ id: "shared", store: stopped });
  await second.learn([{ role: "assistant", content: "Staging listens on port 8444." }]);
  await second.markAllStale();
  await second.tell("how long does the retry queue wait?");
  const before = readFileSync(join(place, LOG), "utf8");
  void second.save().catch(() => {});
  while (readFileSync(join(place, LOG), "utf8") === before) await sleep(5);

  const third = await stored(place);
  assert.deepEqual(third.summary(), second.summary());
  assert.deepEqual(third.entries, second.entries);
  assert.equal((await third.tell("which port is staging on?")).fills[0].text, "Staging listens on port 8444.");
  await third.save();
  assert.ok(!outdated(place));
});
