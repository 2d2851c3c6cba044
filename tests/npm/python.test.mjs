// The Python package `diffledger` and ours, in turns on one ledger file. The published one is used
// where `python3` finds it (installed, or through PYTHONPATH), else the stand-in in `python/`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { install } from "./installation.mjs";

const execute = promisify(execFile);
const app = await install();
const { FileStore, Ledger, Session } = await import(pathToFileURL(join(app, "node_modules/diffledger/node.mjs")).href);

const ANSWER = "The retry queue waits 30 s and doubles after each failure.";
const QUESTION = "how long does the retry queue wait?";

/** What the Python package is, and the variables with which it is found. */
const { which, env } = await (async () => {
  const asks = (env) => execute("python3", ["-c", "import diffledger; print(getattr(diffledger, '__version__', ''))"], { cwd: app, env });
  try {
    return { which: `the published package ${(await asks(process.env)).stdout.trim()}`, env: process.env };
  } catch {
    const env = { ...process.env, PYTHONPATH: fileURLToPath(new URL("python", import.meta.url)), PYTHONDONTWRITEBYTECODE: "1" };
    return asks(env).then(() => ({ which: "the stand-in", env }), () => ({ which: null, env }));
  }
})();

/** Runs lines on the ledger of a folder, in Python, and gives what `out` is then. */
async function python(folder, ...lines) {
  const source = ["import json, sys", "from diffledger import Ledger", 'ledger = Ledger("shared", sys.argv[1])', "out = None", ...lines, "print(json.dumps(out))"].join("\n");
  return JSON.parse((await execute("python3", ["-c", source, folder], { cwd: app, env })).stdout);
}

const command = async (folder, ...words) => (await execute(join(app, "node_modules/.bin/diffledger"), [...words, "--session", "shared", "--folder", folder])).stdout;

/** A folder in which the command learnt a conversation. */
async function told() {
  const folder = mkdtempSync(join(app, "case-"));
  const session = new Session({ id: "shared", store: new FileStore({ folder }) });
  await session.learn([{ role: "user", content: "How do failed pulls get another try?" }, { role: "assistant", content: ANSWER }]);
  await session.save();
  return folder;
}

const COUNTS = 'summary = ledger.summary(); out = {key: summary[key] for key in ("turn", "live", "stale", "total")}';

/** What the command says that there is, as Python counts it. */
async function counts(folder) {
  const { turn, live, stale, total } = JSON.parse(await command(folder, "status", "--json"));
  return { turn, live, stale, total };
}

function claim(name, body) {
  test(name, { skip: which === null && "there is no python3" }, async (context) => {
    context.diagnostic(`with ${which}`);
    await body(await told());
  });
}

claim("Python reads what we save: the same counts, and what is known is known to it", async (folder) => {
  const known = 'out = [ledger.is_known(concept) for concept in ("the retry queue", "30 s", "staging port")]';
  assert.deepEqual(await python(folder, COUNTS), await counts(folder));
  assert.deepEqual(await python(folder, known), [true, true, false]);
  await command(folder, "crunch");
  assert.deepEqual(await python(folder, COUNTS), await counts(folder));
  assert.deepEqual(await python(folder, known), [false, false, false]);
  await command(folder, "inject", QUESTION);
  assert.deepEqual(await python(folder, COUNTS), await counts(folder));
  assert.equal(await python(folder, 'out = ledger.is_known("retry queue")'), true);
  assert.equal(await python(folder, 'out = ledger.entries[0]["text"]'), ANSWER);
});

claim("what Python adds is known to us, and is filled after a crunch", async (folder) => {
  await python(folder, 'ledger.add("staging port", "Staging listens on port 8444.", source="docs")', "ledger.save()");
  assert.equal(await command(folder, "inject", "what is the staging port?"), "No gaps detected.\n");
  await command(folder, "crunch");
  assert.equal(await command(folder, "inject", "what is the staging port?"), "Gaps: ['staging port']\n\n[staging port]\n  Staging listens on port 8444.\n");
  assert.equal(await command(folder, "inject", QUESTION), `Gaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`, "and what we learnt is still there");
});

claim("a file that Python alone has written is taken as it is", async () => {
  const folder = mkdtempSync(join(app, "case-"));
  await python(folder, 'ledger.add("the Staging Port", "Staging listens on port 8444.")', "ledger.advance_turn()", "ledger.save()");
  assert.deepEqual(await counts(folder), { turn: 1, live: 1, stale: 0, total: 1 });
  const ledger = await Ledger.open("shared", { store: new FileStore({ folder }) });
  assert.ok(ledger.isKnown("staging port"));
  ledger.add("retry queue", ANSWER);
  await ledger.save();
  assert.deepEqual(await python(folder, 'out = [entry["canonical"] for entry in ledger.entries]'), ["staging port", "retry queue"]);
});

claim("that Python declares all lost is seen, and what it is told again is not lost", async (folder) => {
  await python(folder, "ledger.mark_all_stale()", 'ledger.add("30 s", "Thirty seconds.")', "ledger.save()");
  assert.deepEqual(await python(folder, COUNTS), await counts(folder));
  const { entries } = JSON.parse(await command(folder, "status", "--json"));
  assert.deepEqual(entries.map(({ concept, state }) => [concept, state]), [["retry queue", "stale"], ["30 s", "live"], ["failure", "stale"]]);
  assert.equal(await command(folder, "inject", QUESTION), `Gaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`);
});

claim("a reset in Python empties ours, log and all; one of ours empties Python's", async (folder) => {
  await python(folder, 'ledger._data["entries"] = []', 'ledger._data["turn"] = 0', "ledger.save()");
  assert.deepEqual(await counts(folder), { turn: 0, live: 0, stale: 0, total: 0 });
  assert.equal(await command(folder, "inject", QUESTION), "No gaps detected.\n");
  assert.doesNotMatch(readFileSync(join(folder, "session_shared.jsonl"), "utf8"), /retry queue/);

  await python(folder, 'ledger.add("staging port", "Staging listens on port 8444.")', "ledger.save()");
  await command(folder, "reset");
  assert.deepEqual(await python(folder, COUNTS), { turn: 0, live: 0, stale: 0, total: 0 });
});

claim("what only we know comes through Python's save unchanged", async (folder) => {
  const ours = () => JSON.parse(readFileSync(join(folder, "ledger_shared.json"), "utf8")).diffledger;
  const before = ours();
  assert.equal(typeof before.schema, "number");
  await python(folder, 'ledger.add("staging port", "Staging listens on port 8444.")', "ledger.save()");
  assert.deepEqual(ours(), before);
  const session = new Session({ id: "shared", store: new FileStore({ folder }) });
  await session.load();
  assert.deepEqual(session.entries.map(({ concept, kind }) => [concept, kind]).slice(0, 2), [["retry queue", "term"], ["30 s", "quantity"]]);
});

claim("the turns are counted on by both", async (folder) => {
  const { turn } = await counts(folder);
  assert.equal(await python(folder, "ledger.advance_turn()", "ledger.save()", "out = ledger.turn"), turn + 1);
  await command(folder, "inject", "hello");
  assert.equal(await python(folder, "ledger.advance_turn()", "ledger.save()", "out = ledger.turn"), turn + 3);
  assert.equal((await counts(folder)).turn, turn + 3);
});

claim("ten rounds in turns: nothing of either is lost", async (folder) => {
  for (let round = 0; round < 10; round += 1) {
    await python(folder, `ledger.add("python note ${round}", "Python wrote note ${round} down.")`, "ledger.advance_turn()", "ledger.save()");
    const session = new Session({ id: "shared", store: new FileStore({ folder }) });
    await session.load();
    await session.tell("hello");
    if (round === 5) await session.markAllStale();
    await session.save();
  }
  const notes = 'out = sorted(entry["concept"] for entry in ledger.entries if "note" in entry["concept"])';
  assert.equal((await python(folder, notes)).length, 10);
  const { turn, stale } = await counts(folder);
  assert.equal(turn, 1 + 20);
  assert.equal(stale, (await python(folder, "out = len(ledger.stale_entries())")));
  assert.equal(await command(folder, "inject", QUESTION), `Gaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`);
});
