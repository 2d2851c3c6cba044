// What each verb prints, and what it keeps.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ANSWER, CHAT, COMMAND, QUESTION, diffledger, folder, printed, told } from "./command.mjs";

test("status: counts, then entries, the most referred to first", async () => {
  const home = await told({ lost: true });
  await printed(["inject", "is it 30 s?"], { home });
  assert.equal(await printed(["status"], { home }), [
    "Session : default", "Turn    : 3", "Live    : 1   Stale: 2   Total: 3", "",
    "  [live ] 30 s (×2 refs, turn 2)", "  [STALE] retry queue (×1 refs, turn 1)", "  [STALE] failure (×1 refs, turn 1)", "",
  ].join("\n"));
});

test("inject: nothing missing says so, advances the turn and saves", async () => {
  const home = await told();
  assert.match(await printed(["status"], { home }), /Turn {4}: 2\n/);
  assert.equal(await printed(["inject", QUESTION], { home }), "No gaps detected.\n");
  assert.match(await printed(["status"], { home }), /Turn {4}: 3\n/);
});

test("inject: gaps as a list, then each fill under its concept, indented; the next time it is known", async () => {
  const home = await told({ lost: true });
  const expected = `Gaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`;
  assert.equal(await printed(["inject", "-"], { home, input: `${QUESTION}\r\n` }), expected);
  assert.equal(await printed(["inject", QUESTION], { home }), "No gaps detected.\n");
});

test("inject: every line of a fill is indented, Windows line ends too", async () => {
  const home = folder();
  await printed(["ingest", "-"], { home, input: JSON.stringify([{ role: "assistant", content: "The `deploy_key` expired.\r\nRenew it." }]) });
  await printed(["crunch"], { home });
  assert.equal(await printed(["inject", "what about the deploy_key?"], { home }), "Gaps: ['deploy_key']\n\n[deploy_key]\n  The `deploy_key` expired.\n  Renew it.\n");
});

test("inject: what could move the cursor or turn the line round is shown, not sent", async () => {
  const home = folder();
  const content = "The `deploy_key` \u001b[2J\u0007 \u009b31m \u202eabc\tis \u{1f469}\u200d\u{1f467} old";
  await printed(["ingest", "-"], { home, input: JSON.stringify([{ role: "assistant", content }]) });
  await printed(["crunch"], { home });
  const text = await printed(["inject", "the deploy_key?"], { home });
  assert.ok(text.endsWith("\n  The `deploy_key` \\x1b[2J\\x07 \\x9b31m \\u202eabc\tis \u{1f469}\u200d\u{1f467} old\n"), text);
  await printed(["crunch"], { home });
  const json = await printed(["--json", "inject", "the deploy_key?"], { home });
  assert.doesNotMatch(json.trimEnd(), /[\0-\x1f\x7f-\x9f\u202e]/);
  assert.equal(JSON.parse(json).fills[0].text, content);
});

test("inject: the host's transcript is learnt first, and a crunch in it is told", async () => {
  const home = folder();
  const file = join(home, "chat.json");
  const env = { CLAUDE_TRANSCRIPT_PATH: join(home, "not there"), CLAUDE_CODE_TRANSCRIPT: file };
  writeFileSync(file, CHAT);
  assert.equal(await printed(["inject", "hello"], { home, env }), "No gaps detected.\n");
  writeFileSync(file, JSON.stringify([{ role: "user", content: "Good." }]));
  assert.equal(await printed(["inject", QUESTION], { home, env }), `[crunch detected] marking all entries stale\nGaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`);
  writeFileSync(file, JSON.stringify([{ role: "user", content: "Now the parser." }]));
  assert.equal(typeof JSON.parse(await printed(["inject", QUESTION, "--json"], { home, env })).crunch.kind, "string");
});

test("inject: a transcript that is not there yet is no failure; one that does not read is named, and the message still has its answer", async () => {
  const home = await told({ lost: true });
  const file = join(home, "chat.json");
  assert.equal(await printed(["inject", "hello"], { home, env: { CLAUDE_TRANSCRIPT_PATH: file } }), "No gaps detected.\n");
  writeFileSync(file, "{");
  for (const [path, reason] of [[file, /^diffledger: the transcript was not learnt: .*\(invalidJson\)\n$/], [home, /^diffledger: the transcript was not learnt: `.*` cannot be read \(EISDIR\) \(fileUnreadable\)\n$/]]) {
    const { code, stdout, stderr } = await diffledger(["inject", QUESTION], { home, env: { CLAUDE_TRANSCRIPT_PATH: String(path) } });
    assert.deepEqual([code, stdout.split("\n")[0]], [0, "Gaps: ['retry queue']"]);
    assert.match(stderr, /** @type {RegExp} */ (reason));
    await printed(["crunch"], { home });
  }
});

test("a message may begin with a dash, be empty, or be anything at all", async () => {
  for (const message of ["--json", "-x", "", " ", "\u{1f469}\u200d\u{1f467}", "word".repeat(20_000), "\t\u0001"]) {
    assert.equal(await printed(["inject", "--", message]), "No gaps detected.\n");
    assert.match(await printed(["extract", "--", message]), /^\[[^]*\]\n$/);
  }
});

test("crunch and reset print the sentences of the reference", async () => {
  const home = await told();
  assert.equal(await printed(["crunch"], { home }), "Marked 3 entries stale. Ledger ready for post-crunch re-fill.\n");
  assert.equal(await printed(["reset"], { home }), "Ledger reset for session 'default'.\n");
  assert.match(await printed(["status"], { home }), /Turn {4}: 0\nLive {4}: 0 {3}Stale: 0 {3}Total: 0\n/);
  assert.equal(await printed(["inject", QUESTION], { home }), "No gaps detected.\n", "the log is forgotten too");
});

test("extract prints a list as the reference does, and one line with --json", async () => {
  assert.equal(await printed(["extract", "the retry queue waits 30 s for `größe`"]), '[\n  "retry queue",\n  "30 s",\n  "größe"\n]\n');
  assert.equal(await printed(["extract", "--json", "-"], { input: "see src/main.rs\r\n" }), '["src/main.rs"]\n');
  assert.equal(await printed(["extract", "ok"]), "[]\n");
});

test("ingest: says what was learnt, what was not understood, and learns nothing twice", async () => {
  const home = folder();
  const file = join(home, "chat.json");
  writeFileSync(file, JSON.stringify([...JSON.parse(CHAT), { role: "user", content: 7 }]));
  assert.equal(await printed(["ingest", "chat.json"], { home }), "Learnt 3 messages for session 'default'.\nNot understood: content:number 1\n");
  const again = await printed(["ingest", "--json"], { home, env: { CLAUDE_TRANSCRIPT_PATH: file } });
  assert.deepEqual(JSON.parse(again), { sessionId: "default", messages: 0, crunch: null, skipped: { "content:number": 1 } });
});

test("ingest: a crunch is told with its counts", async () => {
  const home = await told();
  const text = await printed(["ingest", "-"], { home, input: JSON.stringify([{ role: "user", content: "Good." }]) });
  assert.equal(text, "Learnt 0 messages for session 'default'.\n[crunch detected] 3 concepts lost, 0 survived\n");
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

test("sessions know nothing of each other, whatever letters and dots their names have", async () => {
  const home = folder();
  for (const id of ["größe", "日本", "v1..2", "a.", "-x", "x".repeat(128)]) {
    await printed(["ingest", "-", `--session=${id}`], { home, input: CHAT });
    await printed(["crunch", `--session=${id}`], { home });
    assert.equal(JSON.parse(await printed(["status", `--session=${id}`, "--json"], { home })).stale, 3);
  }
  assert.equal(JSON.parse(await printed(["status", "--json"], { home })).total, 0);
});

test("the limits come from the variables", async () => {
  const home = await told({ lost: true });
  const { code, stderr } = await diffledger(["inject", "retry queue, 30 s, failure"], { home, env: { DIFFLEDGER_GAP_MAX: "1" } });
  assert.equal(code, 0);
  assert.equal(stderr.match(/ stays open: .*\(limitReached\)/g)?.length, 2, stderr);
  for (const [turns, state] of [["30", "live "], ["2", "STALE"]]) {
    const env = { DIFFLEDGER_STALE_TURNS: String(turns) };
    const short = await told({ lost: true });
    for (const message of [QUESTION, "hello", "hello", "hello"]) await printed(["inject", message], { home: short, env });
    assert.ok((await printed(["status"], { home: short, env })).includes(`[${state}] retry queue `), `after ${turns} turns`);
  }
});

test("files are kept in ~/.diffledger or in --folder, for their owner only", async () => {
  const home = await told();
  assert.deepEqual(readdirSync(join(home, ".diffledger")), ["ledger_default.json", "session_default.jsonl"]);
  for (const name of readdirSync(join(home, ".diffledger"))) assert.equal(statSync(join(home, ".diffledger", name)).mode & 0o777, 0o600);
  assert.equal(statSync(join(home, ".diffledger")).mode & 0o777, 0o700);
  const other = join(folder(), "other");
  await printed(["crunch", "--folder", other, "--session", "s"], { home });
  assert.deepEqual(readdirSync(other), ["ledger_s.json", "session_s.jsonl"]);
  assert.equal(existsSync(join(home, ".diffledger", "ledger_s.json")), false);
});

test("sixteen commands at once on one session: each is done once", { timeout: 300_000 }, async () => {
  const home = await told();
  await Promise.all(Array.from({ length: 16 }, () => printed(["inject", "hello"], { home })));
  assert.match(await printed(["status"], { home }), /Turn {4}: 18\n/);
  const chats = Array.from({ length: 6 }, (_, index) => JSON.stringify([{ role: "assistant", content: `The \`setting_${index}\` is here.` }]));
  await Promise.all(chats.map((input) => printed(["ingest", "-"], { home, input })));
  const log = readFileSync(join(home, ".diffledger", "session_default.jsonl"), "utf8");
  for (let index = 0; index < 6; index += 1) assert.equal(log.split(`setting_${index}\``).length, 2, `setting_${index} was learnt once`);
});

test("a reader that goes away is no crash, and what was to be saved is saved", async () => {
  const home = await told();
  const child = spawn("/bin/sh", ["-c", '("$@"; echo "$?" >&2) | true', "sh", COMMAND, "inject", "hello"], { env: { HOME: home, PATH: process.env.PATH } });
  let stderr = "";
  child.stderr.on("data", (text) => { stderr += text; });
  await new Promise((resolve) => child.on("close", resolve));
  assert.equal(stderr, "0\n");
  assert.match(await printed(["status"], { home }), /Turn {4}: 3\n/);
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
