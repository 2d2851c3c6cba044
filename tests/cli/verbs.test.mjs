// What each verb prints, and what it keeps.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { diffledger, folder, words } from "./command.mjs";

const CHAT = JSON.stringify([
  { role: "user", content: "How do failed pulls get another try?" },
  { role: "assistant", content: "The `retry queue` waits 30 s\nand `doubles` it." },
  { role: "user", content: 7 },
]);

/**
 * A home in which the chat was learnt, and lost where that is said.
 * @param {{ lost?: boolean }} [how]
 */
async function home({ lost = false } = {}) {
  const place = folder();
  await printed(["ingest", "-"], { home: place, input: CHAT });
  if (lost) await printed(["crunch"], { home: place });
  return place;
}

/**
 * What a command prints that must succeed, saying nothing beside it.
 * @param {string[]} args
 * @param {Parameters<typeof diffledger>[1]} [with_]
 */
async function printed(args, with_) {
  const { code, stdout, stderr } = await diffledger(args, with_);
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

test("status: counts, then entries, the most referred to first", async () => {
  const place = await home({ lost: true });
  await printed(["inject", "the `doubles`"], { home: place });
  assert.equal(await printed(["status"], { home: place }), [
    "Session : default", "Turn    : 1", "Live    : 1   Stale: 1   Total: 2", "",
    "  [live ] doubles (×2 refs, turn 1)", "  [STALE] retry queue (×1 refs, turn 0)", "",
  ].join("\n"));
});

test("inject: nothing missing says so, advances the turn and saves", async () => {
  const place = await home();
  assert.equal(await printed(["inject", "the `retry queue`"], { home: place }), "No gaps detected.\n");
  assert.match(await printed(["status"], { home: place }), /Turn {4}: 1\n/);
});

test("inject: gaps as a list, then each fill under its concept, every line indented; the next time it is known", async () => {
  const place = await home({ lost: true });
  const expected = "Gaps: ['retry queue']\n\n[retry queue]\n  The `retry queue` waits 30 s\n  and `doubles` it.\n";
  assert.equal(await printed(["inject", "-"], { home: place, input: "what of the `retry queue`?\n" }), expected);
  assert.equal(await printed(["inject", "what of the `retry queue`?"], { home: place }), "No gaps detected.\n");
});

test("inject: what could move the cursor or turn the line round is shown, not sent", async () => {
  const place = folder();
  const content = "`it's` \u001b[2J\u0007 \u009b31m \u202eabc\r\nnext\ttab \u{1f469}\u200d\u{1f467}";
  await printed(["ingest", "-"], { home: place, input: JSON.stringify([{ content }]) });
  await printed(["crunch"], { home: place });
  assert.equal(await printed(["inject", "`it's`"], { home: place }), "Gaps: [\"it's\"]\n\n[it's]\n  `it's` \\x1b[2J\\x07 \\x9b31m \\u202eabc\n  next\ttab \u{1f469}\u200d\u{1f467}\n");
  await printed(["crunch"], { home: place });
  const json = await printed(["--json", "inject", "`it's`"], { home: place });
  assert.doesNotMatch(json.trimEnd(), /[\0-\x1f\x7f-\x9f\u202e]/);
  assert.equal(JSON.parse(json).fills[0].text, content);
});

test("inject: a model or store is asked only when a flag or a variable names it", async () => {
  const place = await home({ lost: true });
  assert.equal((await diffledger(["inject", "hello `nothing`"], { home: place })).stderr, "");
  for (const [args, env, asked] of /** @type {[string[], Record<string, string>, object][]} */ ([
    [["--model", "m"], {}, { name: "m" }],
    [["--ollama", "http://h:1"], {}, { url: "http://h:1" }],
    [[], { DIFFLEDGER_MODEL: "m", DIFFLEDGER_OLLAMA_URL: "http://h:1" }, { name: "m", url: "http://h:1" }],
    [["--model", "flag"], { DIFFLEDGER_MODEL: "variable" }, { name: "flag" }],
  ])) {
    const { code, stderr } = await diffledger(["inject", "hello", ...args], { home: place, env });
    assert.deepEqual([code, stderr], [0, `diffledger: the model ${JSON.stringify(asked)} was asked (unreachable)\n`]);
  }
  const { code, stdout, stderr } = await diffledger(["inject", "`nothing`"], { home: place, env: { DIFFLEDGER_HYPHAE_URL: "http://h:2" } });
  assert.deepEqual([code, stdout, stderr], [0, "Gaps: ['nothing']\n", "diffledger: `nothing` stays open: nothing answers at `http://h:2` (unreachable)\n"]);
});

test("inject: the host's transcript is learnt first, and a crunch in it is told once a time", async () => {
  const place = await home();
  const file = join(place, "chat.json");
  writeFileSync(file, JSON.stringify([{ content: "[crunch]" }]));
  const env = { CLAUDE_TRANSCRIPT_PATH: join(place, "not there"), CLAUDE_CODE_TRANSCRIPT: file };
  assert.match(await printed(["inject", "`doubles`"], { home: place, env }), /^\[crunch detected\] marking all entries stale\nGaps: \['doubles'\]\n/);
  assert.equal(JSON.parse(await printed(["inject", "`doubles`", "--json"], { home: place, env })).crunch.kind, "marker");
  assert.equal(await printed(["inject", "hello"], { home: place, env: { CLAUDE_TRANSCRIPT_PATH: join(place, "not there") } }), "No gaps detected.\n");
  writeFileSync(file, "{");
  const broken = await diffledger(["inject", "hello"], { home: place, env });
  assert.deepEqual([broken.code, broken.stdout], [0, "No gaps detected.\n"]);
  assert.match(broken.stderr, /transcript was not learnt: .*\(invalidJson\)/);
});

test("crunch and reset print the sentences of the reference", async () => {
  const place = await home();
  assert.equal(await printed(["crunch"], { home: place }), "Marked 2 entries stale. Ledger ready for post-crunch re-fill.\n");
  assert.equal(await printed(["reset"], { home: place }), "Ledger reset for session 'default'.\n");
  assert.match(await printed(["status"], { home: place }), /Turn {4}: 0\nLive {4}: 0 {3}Stale: 0 {3}Total: 0\n/);
});

test("extract prints a list as the reference does, and one line with --json", async () => {
  assert.equal(await printed(["extract", "retry `größe`"]), '[\n  "retry",\n  "größe"\n]\n');
  assert.equal(await printed(["extract", "--json", "retry"]), '["retry"]\n');
  assert.equal(await printed(["extract", "ok"]), "[]\n");
  assert.equal(await printed(["extract", "--", "--json"]), "[]\n");
});

test("ingest: says what was learnt, what was not understood, and learns nothing twice", async () => {
  const place = folder();
  const file = join(place, "chat.json");
  writeFileSync(file, CHAT);
  assert.equal(await printed(["ingest", file], { home: place }), "Learnt 2 messages for session 'default'.\nNot understood: image 1\n");
  assert.deepEqual(JSON.parse(await printed(["ingest", "--json"], { home: place, env: { CLAUDE_TRANSCRIPT_PATH: file } })), { sessionId: "default", messages: 0, crunch: null, skipped: { image: 1 } });
});

test("--json prints one line and nothing else, before or after the verb", async () => {
  const place = await home({ lost: true });
  for (const args of [["--json", "status"], ["status", "--json"], ["inject", "x", "--json"], ["--json", "crunch"], ["reset", "--json"]]) {
    const text = await printed(args, { home: place });
    assert.equal(text.indexOf("\n"), text.length - 1);
    assert.equal(typeof JSON.parse(text), "object");
  }
});

test("the session comes from the flag, then DIFFLEDGER_SESSION, then CLAUDE_SESSION_ID, then it is default", async () => {
  const env = { DIFFLEDGER_SESSION: "second", CLAUDE_SESSION_ID: "third" };
  const session = async (/** @type {string[]} */ args, /** @type {Record<string, string>} */ given) => JSON.parse(await printed([...args, "--json"], { env: given })).sessionId;
  assert.equal(await session(["--session", "first", "status"], env), "first");
  assert.equal(await session(["status", "--session", "first"], env), "first");
  assert.equal(await session(["status"], env), "second");
  assert.equal(await session(["status"], { ...env, DIFFLEDGER_SESSION: "" }), "third");
  assert.equal(await session(["status"], {}), "default");
});

test("files are kept in ~/.diffledger or in --folder, for their owner only", async () => {
  const place = await home();
  assert.deepEqual(readdirSync(join(place, ".diffledger")), ["ledger_default.json", "session_default.jsonl"]);
  assert.equal(statSync(join(place, ".diffledger", "session_default.jsonl")).mode & 0o777, 0o600);
  const other = join(folder(), "other");
  await printed(["crunch", "--folder", other, "--session", "s"], { home: place });
  assert.deepEqual(readdirSync(other), ["ledger_s.json"]);
  assert.equal(existsSync(join(place, ".diffledger", "ledger_s.json")), false);
});

test("twelve commands at once on one session: each is done once", { timeout: 120_000 }, async () => {
  const place = await home();
  await Promise.all(Array.from({ length: 12 }, () => printed(["inject", "hello"], { home: place })));
  assert.match(await printed(["status"], { home: place }), /Turn {4}: 12\n/);
  const chats = Array.from({ length: 6 }, (_, index) => JSON.stringify([{ content: `\`thing ${index}\` is here` }]));
  await Promise.all(chats.map((input) => printed(["ingest", "-"], { home: place, input })));
  assert.equal(readFileSync(join(place, ".diffledger", "session_default.jsonl"), "utf8").trimEnd().split("\n").length, 8);
});

test("a reader that goes away is no crash, and what was to be saved is saved", { skip: process.platform === "win32" }, async () => {
  const place = await home();
  const child = spawn("/bin/sh", ["-c", '("$@"; echo "$?" >&2) | true', "sh", ...words, "inject", "hello"], { env: { HOME: place, PATH: process.env.PATH } });
  let stderr = "";
  child.stderr.on("data", (text) => { stderr += text; });
  await new Promise((resolve) => child.on("close", resolve));
  assert.equal(stderr, "0\n");
  assert.match(await printed(["status"], { home: place }), /Turn {4}: 1\n/);
});

test("--version and --help end with 0; each verb's help has its arguments, examples and variables", async () => {
  assert.match(await printed(["--version"]), /^\d+\.\d+\.\d+\n$/);
  const all = await printed(["--help"]);
  for (const verb of ["status", "inject", "crunch", "reset", "extract", "ingest"]) {
    assert.match(all, new RegExp(`^  ${verb}`, "m"));
    const own = await printed([verb, "--help"]);
    assert.equal(await printed(["help", verb]), own);
    for (const part of [`Usage: diffledger ${verb}`, "--session <id>", "--json", "Examples:\n  ", "Exit codes:"]) assert.ok(own.includes(part), `${verb}: ${part}`);
  }
  assert.match(await printed(["inject", "--help"]), /--recall <url>[^]*DIFFLEDGER_OLLAMA_URL/);
});
