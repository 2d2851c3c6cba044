// Wrong words, wrong values, broken files: what the command says and how it ends.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { diffledger, folder } from "./command.mjs";

/**
 * @param {number} code
 * @param {RegExp} message
 * @param {string[]} args
 * @param {Parameters<typeof diffledger>[1]} [with_]
 */
async function refused(code, message, args, with_) {
  const found = await diffledger(args, with_);
  assert.deepEqual([found.code, found.stdout], [code, ""], found.stderr);
  assert.match(found.stderr, message);
  assert.doesNotMatch(found.stderr, /^\s+at /m, "no stack is shown");
}

test("wrong words end with 2 and say which", async () => {
  await refused(2, /^Usage: diffledger/, []);
  await refused(2, /^diffledger: unknown command 'bogus'/, ["bogus"]);
  await refused(2, /^diffledger: unknown option '--bogus'/, ["status", "--bogus"]);
  await refused(2, /^diffledger: missing required argument 'message'/, ["inject"]);
  await refused(2, /^diffledger: too many arguments/, ["extract", "two", "words"]);
  await refused(2, /^diffledger: option '--session <id>' argument missing/, ["status", "--session"]);
  await refused(2, /^diffledger: unknown option '--model'/, ["status", "--model", "x"]);
});

test("a value that does not parse ends with 2 and names flag or variable and value", async () => {
  for (const [name, value] of [
    ["DIFFLEDGER_STALE_TURNS", "many"], ["DIFFLEDGER_STALE_TURNS", "0"], ["DIFFLEDGER_STALE_TURNS", "3.5"], ["DIFFLEDGER_STALE_TURNS", "-1"],
    ["DIFFLEDGER_GAP_MAX", "1e1"], ["DIFFLEDGER_GAP_MAX", "101"],
    ["DIFFLEDGER_JACCARD", "half"], ["DIFFLEDGER_JACCARD", "1.5"], ["DIFFLEDGER_JACCARD", "0"], ["DIFFLEDGER_JACCARD", "0x1"], ["DIFFLEDGER_JACCARD", "NaN"],
    ["DIFFLEDGER_OLLAMA_URL", "localhost"], ["DIFFLEDGER_HYPHAE_URL", "ftp://host"],
  ]) await refused(2, new RegExp(`^diffledger: \`${name}\` is \`${value}\`: it must be .* \\(invalidOption\\)\n$`), ["status"], { env: { [String(name)]: String(value) } });
  await refused(2, /`--ollama` is `not a url`/, ["inject", "x", "--ollama", "not a url"]);
  await refused(2, /`--recall` is ``/, ["inject", "x", "--recall", ""]);
  await refused(2, /`--model` is ` `/, ["inject", "x", "--model", " "]);
  await refused(2, /invalidOption/, ["status", "--folder", ""]);
});

test("a password in an address that is refused is not shown", async () => {
  const { code, stderr } = await diffledger(["inject", "x", "--ollama", "http://me:secret@:bad"]);
  assert.equal(code, 2);
  assert.ok(stderr.includes("`--ollama`") && !stderr.includes("secret"), stderr);
});

test("a session id that could leave the folder ends with 2 and touches nothing", async () => {
  for (const id of ["../x", "a/b", "", ".hidden", "a b", "x".repeat(129)]) {
    const home = folder();
    for (const verb of [["status"], ["inject", "x"], ["crunch"], ["reset"]]) await refused(2, /\(invalidSessionId\)\n$/, [...verb, "--session", id], { home });
    assert.deepEqual(readdirSync(home), []);
  }
});

test("a transcript that is not there, not given, or does not parse is named", async () => {
  await refused(1, /^diffledger: `nowhere\.jsonl` cannot be read: ENOENT \(fileUnreadable\)\n$/, ["ingest", "nowhere.jsonl"]);
  await refused(1, /`nowhere\.jsonl` cannot be read/, ["ingest"], { env: { CLAUDE_TRANSCRIPT_PATH: "nowhere.jsonl" } });
  await refused(2, /nothing to ingest.*CLAUDE_TRANSCRIPT_PATH/, ["ingest"]);
  await refused(1, /\(invalidJson\)/, ["ingest", "-"], { input: "{" });
  await refused(1, /\(notText\)/, ["inject", "-"], { input: new Uint8Array([0xff]) });
});

test("a damaged ledger is an error and stays; reset keeps it under another name", async () => {
  const home = folder();
  const place = join(home, ".diffledger");
  mkdirSync(place);
  for (const [bytes, count] of /** @type {const} */ ([["{\"turn\": 1", 1], [new Uint8Array([0xff, 0xfe]), 2]])) {
    const file = join(place, "ledger_default.json");
    writeFileSync(file, bytes);
    for (const verb of [["status"], ["inject", "x"], ["crunch"]]) await refused(1, /damaged|not UTF-8.*`diffledger reset`/, verb, { home });
    assert.deepEqual(readFileSync(file), Buffer.from(bytes));
    const { code, stdout, stderr } = await diffledger(["reset"], { home });
    assert.deepEqual([code, stdout], [0, "Ledger reset for session 'default'.\n"]);
    assert.match(stderr, /kept what could not be read as `ledger_default\.json\.damaged-[0-9a-f]{16}`/);
    assert.equal(readdirSync(place).filter((name) => name.includes(".damaged-")).length, count);
    assert.equal((await diffledger(["status"], { home })).code, 0);
  }
});

test("a folder that is a file is a failed store, with its errno", async () => {
  const home = folder();
  writeFileSync(join(home, ".diffledger"), "");
  await refused(1, /cannot be (read|saved): a part of its path is not a folder \(ENOTDIR\) \(storeFailed\)\n$/, ["crunch"], { home });
});

test("looking keeps nothing", async () => {
  const home = folder();
  assert.equal((await diffledger(["status"], { home })).code, 0);
  assert.equal((await diffledger(["extract", "hello world"], { home })).code, 0);
  assert.equal((await diffledger(["--help"], { home })).code, 0);
  assert.equal(existsSync(join(home, ".diffledger")), false);
});
