// Chromium: without a bundler, in a worker, and through bundlers.

import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { build as bundle } from "esbuild";
import { build as viteBuild, createServer } from "vite";

import { launch, outcome, serve } from "./chromium.mjs";
import { install } from "./installation.mjs";

const FILE = "./node_modules/diffledger/diffledger.js";

const script = (entry) => `
  import * as diffledger from "${entry}";
  import { program } from "./program.mjs";
  program(diffledger).then((text) => { globalThis.outcome = text; });`;

const page = (tag) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${tag}`;
const moduleTag = (file) => `<script type="module" src="${file}"></script>`;

const folder = await install({
  "plain.mjs": script(FILE),
  "plain.html": page(moduleTag("./plain.mjs")),
  "worker.mjs": `
    import * as diffledger from "${FILE}";
    import { program } from "./program.mjs";
    program(diffledger).then((text) => postMessage(text), (error) => postMessage(String(error.stack)));`,
  "worker.html": page(`<script>
    const worker = new Worker("./worker.mjs", { type: "module" });
    worker.onmessage = ({ data }) => { globalThis.outcome = data; };
    worker.onerror = (event) => { globalThis.outcome = "the worker did not start: " + event.message; };
  </script>`),
  "inline.mjs": script("diffledger/inline"),
  "inline.html": page(`<script src="./inline.js"></script>`),
  "missing.mjs": `
    import init from "${FILE}";
    const first = await init("./missing.wasm").catch((error) => error);
    await init();
    globalThis.outcome = [first.name, first.code];`,
  "missing.html": page(moduleTag("./missing.mjs")),
  "files.mjs": `
    import { FileStore } from "${FILE}";
    try { globalThis.outcome = new FileStore(); } catch (error) { globalThis.outcome = [error.name, error.code]; }`,
  "files.html": page(moduleTag("./files.mjs")),
  "vite.mjs": script("diffledger"),
  "index.html": page(moduleTag("/vite.mjs")),
});
const browser = await launch();
const address = await serve(folder);

test("a page without a bundler runs the program", async () => {
  assert.equal(await outcome(browser, `${address}/plain.html`), "ok");
});

test("a module worker runs the program", async () => {
  assert.equal(await outcome(browser, `${address}/worker.html`), "ok");
});

test("a wasm that is not there is a typed error, and init can be called again", async () => {
  assert.deepEqual(await outcome(browser, `${address}/missing.html`), ["DiffledgerError", "fileUnreadable"]);
});

test("a page has no file store, and says so with a code", async () => {
  assert.deepEqual(await outcome(browser, `${address}/files.html`), ["DiffledgerError", "storeMissing"]);
});

test("the inline entry is bundled by esbuild into a script without files", async () => {
  await bundle({ absWorkingDir: folder, entryPoints: ["inline.mjs"], bundle: true, outfile: "inline.js", logLevel: "error" });
  assert.equal(await outcome(browser, `${address}/inline.html`), "ok");
});

test("what Vite builds runs the program and carries the wasm once", async () => {
  await viteBuild({ root: folder, logLevel: "error" });
  assert.equal(await outcome(browser, `${await serve(join(folder, "dist"))}/`), "ok");
  const files = await readdir(join(folder, "dist"), { recursive: true });
  assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 1, `${files}`);
});

test("Vite's development server runs the program", async () => {
  const server = await createServer({ root: folder, logLevel: "error", cacheDir: join(folder, ".vite"), server: { host: "127.0.0.1", port: 0 } });
  after(() => server.close());
  await server.listen();
  assert.equal(await outcome(browser, `http://127.0.0.1:${server.httpServer.address().port}/`), "ok");
});
