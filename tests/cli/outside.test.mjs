// What the command asks of models and of stores of texts, and what it does when they do not answer.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { ANSWER, QUESTION, diffledger, printed, told } from "./command.mjs";

const SERVER = fileURLToPath(new URL("../stand_in/server.mjs", import.meta.url));
const FILLED = `Gaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`;
/** Means nothing that the ledger knows; the model of the stand-in chooses the first of its list. */
const VAGUE = "please check everything and tell me when you finish";

const server = spawn(process.execPath, [SERVER, "--with-parent"], { stdio: ["pipe", "pipe", "inherit"] });
after(() => server.stdin.end());
const address = await new Promise((resolve) => server.stdout.once("data", (text) => resolve(String(text).trim().replace("listening on ", ""))));

/**
 * How many requests came under a tag.
 * @param {string} tag
 */
async function came(tag) {
  const { version } = await (await fetch(`${address}/seen/${tag}/api/version`)).json();
  return Number(/came (\d+)/.exec(version)?.[1]);
}

test("a named model is asked, and its choice is used", async () => {
  const home = await told({ lost: true });
  assert.equal(await printed(["inject", VAGUE], { home }), "No gaps detected.\n", "the built-in way finds nothing");
  assert.equal(await printed(["inject", VAGUE, "--ollama", `${address}/ok/chosen`], { home }), FILLED);
  assert.equal(await came("chosen"), 1);
});

test("flag and variable name a model or a store alike, and the flag comes first", async () => {
  const home = await told({ lost: true });
  const env = { DIFFLEDGER_MODEL: "absent:1b", DIFFLEDGER_OLLAMA_URL: `${address}/ok/variable`, DIFFLEDGER_HYPHAE_URL: `${address}/ok/texts` };
  const { code, stdout, stderr } = await diffledger(["inject", VAGUE], { home, env });
  assert.deepEqual([code, stdout], [0, "No gaps detected.\n"]);
  assert.match(stderr, /^diffledger: .*`ollama pull absent:1b`.* \(modelMissing\)\n$/);
  assert.equal(await came("variable"), 1);
  assert.equal(await printed(["inject", VAGUE, "--model", "qwen3:1.7b", "--ollama", `${address}/ok/flag`], { home, env }), FILLED);
  assert.deepEqual([await came("flag"), await came("variable"), await came("texts")], [1, 1, 0]);
});

test("a model that is down, broken, missing or talks nonsense leaves the built-in answer, and says so", async () => {
  for (const [name, url, reason] of [
    ["m", "http://127.0.0.1:9", /cannot be reached.* \(unreachable\)/],
    ["m", `${address}/broken/a`, /status `500`.* \(badStatus\)/],
    ["m", `${address}/badjson/a`, / \((badBody|invalidAnswer)\)/],
    ["m", `${address}/html/a`, / \((badBody|invalidAnswer)\)/],
    ["absent:1b", `${address}/ok/a`, /`ollama pull absent:1b`.* \(modelMissing\)/],
  ]) {
    const home = await told({ lost: true });
    const { code, stdout, stderr } = await diffledger(["inject", QUESTION, "--model", String(name), "--ollama", String(url)], { home });
    assert.deepEqual([code, stdout], [0, FILLED], String(url));
    assert.match(stderr, /** @type {RegExp} */ (reason));
    assert.equal(stderr.split("\n").length, 2, `one line: ${stderr}`);
  }
});

test("a store fills what was never told, and the next time it is known", async () => {
  const home = await told();
  const recall = ["--recall", `${address}/ok/filled`];
  const message = "how is the flux capacitor configured?";
  assert.equal(await printed(["inject", message, ...recall], { home }), "Gaps: ['flux capacitor']\n\n[flux capacitor]\n  flux capacitor: text 0\n");
  assert.equal(await printed(["inject", message, ...recall], { home }), "No gaps detected.\n");
  assert.equal(await came("filled"), 1);
});

test("a store that is down leaves the gap open, says so once, and what is in the log is filled all the same", async () => {
  const home = await told({ lost: true });
  const down = ["--recall", "http://127.0.0.1:9"];
  const { code, stdout, stderr } = await diffledger(["inject", "how is the flux capacitor configured?", ...down], { home });
  assert.deepEqual([code, stdout], [0, "Gaps: ['flux capacitor']\n"]);
  assert.match(stderr, /^diffledger: `flux capacitor` stays open: .*cannot be reached.* \(unreachable\)\n$/);
  assert.equal(await printed(["inject", QUESTION, ...down], { home }), FILLED);
});

test("what a server says cannot move the cursor, and a key in its address is not shown", async () => {
  const home = await told({ lost: true });
  const { stderr } = await diffledger(["inject", QUESTION, "--ollama", `${address.replace("//", "//me:secret@")}/html/a`], { home });
  assert.doesNotMatch(stderr.trimEnd(), /[\0-\x1f\x7f-\x9f]/);
  assert.doesNotMatch(stderr, /secret/);
});

test("no verb asks anything of anybody when nothing is named", async () => {
  let connections = 0;
  const listeners = await Promise.all([11434, 8100].map((port) => new Promise((resolve) => {
    const listener = createServer((socket) => { connections += 1; socket.destroy(); });
    // Taken by a real Ollama or store: then it is that one's log that would tell.
    listener.on("error", () => resolve(null)).listen(port, "127.0.0.1", () => resolve(listener));
  })));
  const home = await told({ lost: true });
  for (const message of [VAGUE, QUESTION, "how is the flux capacitor configured?"]) await printed(["inject", message], { home });
  for (const args of [["status"], ["extract", QUESTION], ["crunch"], ["reset"]]) await printed(args, { home });
  assert.equal(connections, 0);
  assert.ok(listeners.some((listener) => listener !== null), "one of the usual ports could be listened on");
  const [ollama] = listeners;
  if (ollama) {
    await diffledger(["inject", VAGUE, "--model", "m"], { home: await told({ lost: true }) });
    assert.equal(connections, 1, "named, it is asked at its usual address");
  }
  for (const listener of listeners) listener?.close();
});
