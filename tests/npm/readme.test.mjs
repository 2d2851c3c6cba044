// Every snippet of the package's page, run as it stands there in a folder with nothing but the package.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { launch, outcome, serve } from "./chromium.mjs";
import { install, run } from "./installation.mjs";

const page = await readFile(new URL("../../pkg/README.md", import.meta.url), "utf8");

/** The blocks of a language, in order. */
const blocks = (language) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text);

const snippets = blocks("js");
const files = Object.fromEntries(snippets.map((text, at) => [`snippet${at}.mjs`, text]));
const [web] = blocks("html");
const watch = `<script>
  setInterval(() => { globalThis.outcome = document.querySelector("#out").textContent; }, 50);
</script>`;
const folder = await install({ ...files, "page.html": web + watch, "chat.jsonl": '{"role":"assistant","content":"Staging listens on port 8444."}\n' });

test("there are snippets", () => assert.ok(snippets.length > 6));

for (const [at, text] of snippets.entries()) {
  test(`snippet ${at} runs, and prints what its comments say`, async () => {
    const printed = await run(folder, process.execPath, [`snippet${at}.mjs`], { HOME: folder });
    // The comment after a `console.log` is what it prints; a description has no place there.
    const promised = [...text.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said);
    for (const said of promised.filter((said) => !said.startsWith("the same"))) {
      assert.ok(printed.includes(said), `${said}\nis not in\n${printed}`);
    }
  });
}

test("the page shows the fill", async () => {
  const shown = await outcome(await launch(), `${await serve(folder)}/page.html`);
  assert.ok(shown.includes("> The retry queue waits 30 s and doubles after each failure."), shown);
});

test("every command is there", async () => {
  const words = blocks("sh").join("").matchAll(/^npx diffledger (.*?)(?: {2,}#.*)?$/gm);
  const lines = [...words].map(([, line]) => line);
  assert.equal(lines.length, 6);
  for (const line of lines) {
    const command = `node node_modules/diffledger/cli.js ${line}`;
    await run(folder, "sh", ["-c", command], { HOME: folder });
  }
});

test("every error code is explained", async () => {
  const types = await readFile(new URL("../../pkg/src/types.d.ts", import.meta.url), "utf8");
  const [, union] = types.match(/type ErrorCode =(.*?);/s);
  for (const [, code] of union.matchAll(/"(\w+)"/g)) assert.ok(page.includes(`\`${code}\``), code);
});
