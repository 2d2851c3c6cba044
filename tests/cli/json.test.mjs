// The JSON of each verb, held against the types of the package.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { run, tool } from "../npm/installation.mjs";
import { CHAT, QUESTION, app, diffledger, printed, told } from "./command.mjs";

test("every verb prints one line of JSON, before or after its name, and it has the types of the package", async () => {
  const home = await told({ lost: true });
  /** @type {[string, string][]} */
  const found = [];
  /**
   * @param {string} type
   * @param {string[]} args
   * @param {Parameters<typeof diffledger>[1]} [with_]
   */
  const take = async (type, args, with_) => {
    for (const words of [["--json", ...args], [...args, "--json"]]) {
      const text = await printed(words, { home, ...with_ });
      assert.equal(text.indexOf("\n"), text.length - 1);
      assert.equal(typeof JSON.parse(text), "object");
      found.push([type, text]);
    }
  };
  await take("Turn", ["inject", QUESTION]);
  await take("Summary & { entries: Entry[] }", ["status"]);
  await take("{ sessionId: string; stale: number }", ["crunch"]);
  await take("Learnt & { sessionId: string }", ["ingest", "-"], { input: CHAT });
  await take("Learnt & { sessionId: string }", ["ingest", "-"], { input: '[{"role": "user", "content": "Good."}, {"role": "user", "content": 7}]' });
  await take("string[]", ["extract", QUESTION]);
  await take("{ sessionId: string; setAside: string[] }", ["reset"]);
  const down = await diffledger(["inject", "the flux capacitor?", "--recall", "http://127.0.0.1:9", "--json"], { home });
  found.push(["Turn", down.stdout]);
  assert.equal(JSON.parse(down.stdout).gaps[0].error.code, "unreachable");

  // A literal, so that a key too many is refused as well as one that is missing.
  const source = ['import type { Entry, Learnt, Summary, Turn } from "diffledger";', ...found.map(([type, text], index) => `export const value${index}: ${type} = ${text.trim()};`)];
  await writeFile(join(app, "output.mts"), source.join("\n"));
  const words = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"];
  await run(app, tool(".bin/tsc"), [...words, "output.mts"]);

  await writeFile(join(app, "wrong.mts"), `${source[0]}\nexport const value: Turn = ${JSON.stringify({ ...JSON.parse(found[0]?.[1] ?? ""), more: 1 })};`);
  await assert.rejects(run(app, tool(".bin/tsc"), [...words, "wrong.mts"]), /"more".* does not exist/);
});
