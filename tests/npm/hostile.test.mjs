// Whatever is handed over, at every place of the package: a result or a typed error, never a hang, and
// the object works afterwards. The same values on every run.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { install, run } from "./installation.mjs";

const text = (name) => readFile(new URL(`hostile/${name}`, import.meta.url), "utf8");
const folder = await install({ "attack.mjs": await text("attack.mjs"), "values.mjs": await text("values.mjs") });

/** The places in `attack.mjs`, each in a process of its own: a fault in one hides none in another. */
const PLACES = {
  session: "the methods of a session",
  sessionOptions: "the options of a session and of a model",
  messages: "a conversation",
  ledger: "a ledger",
  functions: "the functions",
  callbacks: "what the caller's own functions give",
  stores: "stores",
  receivers: "the object that a method is called on",
  init: "init",
};

for (const [place, words] of Object.entries(PLACES)) {
  test(`anything may stand for ${words}`, async (context) => {
    const said = await run(folder, process.execPath, ["attack.mjs", place], { HOME: join(folder, "home") }, 600_000);
    const { cases, faults, count } = JSON.parse(said.split("\n").at(-1));
    context.diagnostic(`${cases} cases`);
    assert.ok(cases > 100, `only ${cases} cases`);
    assert.equal(count, 0, `${count} faults, such as\n${faults.join("\n")}`);
  });
}
