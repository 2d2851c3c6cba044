// Wrong words, wrong values, broken files: what the command says and how it ends.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ANSWER, QUESTION, diffledger, folder, told } from "./command.mjs";

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
  for (const id of ["../x", "..", "a/b", "a\\b", "a:b", "", ".hidden", "a b", "x".repeat(129), "日".repeat(128)]) {
    const home = folder();
    for (const verb of [["inject", "x"], ["reset"]]) await refused(2, /\(invalidSessionId\)\n$/, [...verb, "--session", id], { home });
    assert.deepEqual(readdirSync(home), []);
  }
});

test("a transcript that is not there, not given, too large, or does not parse is named", async () => {
  await refused(1, /^diffledger: `nowhere\.jsonl` cannot be read \(ENOENT\) \(fileUnreadable\)\n$/, ["ingest", "nowhere.jsonl"]);
  await refused(1, /`nowhere\.jsonl` cannot be read/, ["ingest"], { env: { CLAUDE_TRANSCRIPT_PATH: "nowhere.jsonl" } });
  await refused(1, /cannot be read \(EISDIR\)/, ["ingest", "."]);
  await refused(1, /cannot be read/, ["ingest", "x".repeat(100_000)]);
  await refused(2, /nothing to ingest.*CLAUDE_TRANSCRIPT_PATH/, ["ingest"]);
  await refused(1, /\(invalidJson\)/, ["ingest", "-"], { input: "{" });
  await refused(1, /\(unknownFormat\)/, ["ingest", "-"]);
  await refused(1, /\(notText\)/, ["ingest", "-"], { input: new Uint8Array([0xff, 0, 0xfe]) });
  await refused(1, /the limit is `?\d+`? \(tooLarge\)/, ["ingest", "-"], { input: Buffer.alloc(65 << 20, "a") });
});

test("a message from standard input that is no text, or too large, is refused", async () => {
  await refused(1, /standard input is not UTF-8 text \(notText\)/, ["inject", "-"], { input: new Uint8Array([0xff]) });
  await refused(1, /\(tooLarge\)/, ["inject", "-"], { input: Buffer.alloc(5 << 20, "a") });
});

test("a damaged ledger or session is an error and stays; reset keeps both files under other names", async () => {
  for (const file of ["ledger_default.json", "session_default.jsonl"]) {
    for (const bytes of [Buffer.from('{"turn": 1'), Buffer.from(""), Buffer.from([0xff, 0xfe])]) {
      const home = await told();
      const place = join(home, ".diffledger");
      const path = join(place, file);
      writeFileSync(path, bytes);
      for (const verb of [["status"], ["inject", "x"]]) await refused(1, /`diffledger reset` keeps the session's files under other names and begins anew \(damaged\)\n$/, verb, { home });
      assert.deepEqual(readFileSync(path), bytes);
      const { code, stdout, stderr } = await diffledger(["reset"], { home });
      assert.deepEqual([code, stdout], [0, "Ledger reset for session 'default'.\n"]);
      const kept = [...stderr.matchAll(/^diffledger: kept the old file as `((?:session_default\.jsonl|ledger_default\.json)\.damaged-[0-9a-f]{16})`$/gm)].map((match) => String(match[1]));
      assert.deepEqual(readdirSync(place).sort(), [...kept].sort());
      assert.equal(kept.length, 2);
      assert.deepEqual(readFileSync(join(place, kept.find((name) => name.startsWith(file)) ?? "")), bytes);
      assert.equal((await diffledger(["status"], { home })).code, 0);
    }
  }
});

test("files of a newer version are left alone, by reset too", async () => {
  for (const [file, text] of [
    ["ledger_default.json", '{"session_id": "default", "turn": 0, "entries": [], "diffledger": {"schema": 9}}'],
    ["session_default.jsonl", '{"diffledger": "session", "schema": 9, "session_id": "default"}\n'],
  ]) {
    const home = await told();
    const path = join(home, ".diffledger", String(file));
    writeFileSync(path, String(text));
    for (const verb of ["status", "crunch", "reset"]) await refused(1, /has schema `9`, this version reads up to 1: update diffledger \(newerVersion\)\n$/, [verb], { home });
    assert.equal(readFileSync(path, "utf8"), text);
  }
});

test("a folder that is a file is a failed store, with its errno", async () => {
  const home = folder();
  writeFileSync(join(home, ".diffledger"), "");
  await refused(1, /cannot be (read|saved): a part of its path is not a folder \(ENOTDIR\) \(storeFailed\)\n$/, ["crunch"], { home });
});

test("where nothing can be saved a message still has its answer, and it is said", async () => {
  const home = await told({ lost: true });
  // What root cannot write either: where the lock goes there is a folder.
  mkdirSync(join(home, ".diffledger", ".session_default.jsonl.lock"));
  const { code, stdout, stderr } = await diffledger(["inject", QUESTION], { home });
  assert.deepEqual([code, stdout], [1, `Gaps: ['retry queue']\n\n[retry queue]\n  ${ANSWER}\n`]);
  assert.match(stderr, /^diffledger: `.*session_default\.jsonl` cannot be saved: .*\(storeFailed\)\n$/);
});

test("without a home folder nothing is put into whatever folder this is", async () => {
  const cwd = folder();
  await refused(1, /there is no home folder for `~\/\.diffledger`: set `HOME`, or name a folder \(storeMissing\)\n$/, ["inject", "hello"], { cwd, env: { HOME: "" } });
  assert.deepEqual(readdirSync(cwd), []);
  assert.equal((await diffledger(["inject", "hello", "--folder", "here"], { cwd, env: { HOME: "" } })).code, 0);
  assert.deepEqual(readdirSync(cwd), ["here"]);
});

test("looking keeps nothing", async () => {
  const home = folder();
  assert.equal((await diffledger(["status"], { home })).code, 0);
  assert.equal((await diffledger(["extract", "hello world"], { home })).code, 0);
  assert.equal((await diffledger(["--help"], { home })).code, 0);
  assert.equal(existsSync(join(home, ".diffledger")), false);
});
