// Deno, Bun and workerd.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";
import { Miniflare } from "miniflare";

import { install, run, tool } from "./installation.mjs";

const folder = await install({
  "import.mjs": `
    import * as diffledger from "diffledger";
    import { program } from "./program.mjs";
    console.log(await program(diffledger));`,
  "worker.mjs": `
    import * as diffledger from "diffledger";
    import { program } from "./program.mjs";
    export default { fetch: async () => new Response(await program(diffledger)) };`,
});

test("Deno runs the program with the right to read alone", async () => {
  const words = ["run", "--quiet", "--no-prompt", "--allow-read", "--node-modules-dir=manual", "import.mjs"];
  const environment = { DENO_DIR: join(folder, ".deno"), DENO_NO_UPDATE_CHECK: "1" };
  assert.equal(await run(folder, tool(".bin/deno"), words, environment), "ok");
});

test("Bun runs the program", async () => {
  assert.equal(await run(folder, await bun(), ["run", "import.mjs"]), "ok");
});

test("workerd runs the program", async () => {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["worker.mjs"],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["*.wasm"],
  });
  const wasm = await readFile(join(folder, "node_modules/diffledger/diffledger_bg.wasm"));
  const workerd = new Miniflare({
    compatibilityDate: "2025-01-01",
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "diffledger_bg.wasm", contents: wasm },
    ],
  });
  try {
    const response = await workerd.dispatchFetch("http://localhost/");
    assert.equal(await response.text(), "ok");
  } finally {
    await workerd.dispose();
  }
});

/** Bun's program is in the package for this platform; what npm links would be made by a script. */
async function bun() {
  const folders = await readdir(tool("@oven")).catch(() => []);
  assert.equal(folders.length, 1, `npm installed no Bun for this platform: ${folders}`);
  return tool(`@oven/${folders[0]}/bin/bun${process.platform === "win32" ? ".exe" : ""}`);
}
