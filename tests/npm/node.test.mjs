// Node: both ways of loading, in one process.

import assert from "node:assert/strict";
import { test } from "node:test";

import { install, run } from "./installation.mjs";

const folder = await install({
  "import.mjs": `
    import * as diffledger from "diffledger";
    import { program } from "./program.mjs";
    console.log(await program(diffledger));`,
  "require.cjs": `
    const diffledger = require("diffledger");
    import("./program.mjs").then(({ program }) => program(diffledger)).then(console.log);`,
  "both.mjs": `
    import { createRequire } from "node:module";
    import * as imported from "diffledger";
    const required = createRequire(import.meta.url)("diffledger");
    const names = Object.keys(imported);
    const different = names.filter((name) => imported[name] !== required[name]);
    console.log(JSON.stringify({ different, imported: names, required: Object.keys(required).sort() }));`,
  "time.mjs": `
    const start = performance.now();
    const { default: init } = await import("diffledger");
    await init();
    console.log((performance.now() - start).toFixed(0));`,
});
const node = (file) => run(folder, process.execPath, [file]);

test("import runs the program", async () => assert.equal(await node("import.mjs"), "ok"));

test("require runs the program", async () => assert.equal(await node("require.cjs"), "ok"));

test("import and require give one instance with the same names", async () => {
  const { different, imported, required } = JSON.parse(await node("both.mjs"));
  assert.deepEqual(different, []);
  assert.notEqual(imported.length, 0);
  assert.deepEqual(imported, required);
});

test("import and init take a time", async (context) => {
  const times = [];
  for (let round = 0; round < 5; round += 1) times.push(Number(await node("time.mjs")));
  // The best of them: the others tell how busy the machine is.
  context.diagnostic(`import and init: ${Math.min(...times)} ms, aim 50 ms`);
  assert.ok(times.every((time) => time > 0), `${times}`);
});
