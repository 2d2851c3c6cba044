// The manifest and the types, as the tools for them see the package.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";

import { install, run, tarball, tool } from "./installation.mjs";

const SAMPLE = await readFile(new URL("sample.ts", import.meta.url), "utf8");

const folder = await install({
  "sample.ts": SAMPLE,
  "sample.mts": SAMPLE,
  "dump.mjs": `
    import * as diffledger from "diffledger";
    import { results } from "./results.mjs";
    console.log(JSON.stringify(await results(diffledger)));`,
});
const installed = join(folder, "node_modules/diffledger");

test("publint has nothing to say", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const { messages } = await publint({ pkgDir: installed, strict: true, level: "suggestion" });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

test("the manifest asks for no other package", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const fields = Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name));
  assert.deepEqual(fields, []);
});

test("are-the-types-wrong finds no problem with the package itself, however old the resolution", async () => {
  await run(folder, tool(".bin/attw"), [await tarball(), "--no-color", "--entrypoints", "."]);
});

test("are-the-types-wrong finds no problem with the inline entry, which is for import alone", async () => {
  await run(folder, tool(".bin/attw"), [await tarball(), "--no-color", "--entrypoints", "inline", "--profile", "esm-only"]);
});

for (const [module, resolution, file] of [["nodenext", "nodenext", "sample.mts"], ["esnext", "bundler", "sample.ts"]]) {
  test(`tsc --strict takes a sample under ${resolution}`, async () => {
    await compiled(file, module, resolution);
  });
}

/** Both must be wrong, or the samples are not held against anything. */
const MUST_FAIL = `
// @ts-expect-error a field is missing
({ concept: "a", entry: 1 }) satisfies Candidate;
// @ts-expect-error a field is more than is declared
({ concept: "a", entry: 1, score: 1, more: 1 }) satisfies Candidate;
import type { Candidate } from "diffledger";`;

test("real results have the declared fields, all of them and no others", async () => {
  const { declared, unseen } = JSON.parse(await run(folder, process.execPath, ["dump.mjs"]));
  assert.deepEqual(unseen, []);
  await writeFile(join(folder, "results.mts"), declared + MUST_FAIL);
  await compiled("results.mts", "nodenext", "nodenext");
});

async function compiled(file, module, resolution) {
  const words = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022", "--module", module, "--moduleResolution", resolution, file];
  await run(folder, tool(".bin/tsc"), words);
}

test("the exported names are those that are declared", async () => {
  const declared = await declaredValues(join(installed, "index.d.ts"));
  const exported = await run(folder, process.execPath, ["-p", "Object.keys(require('diffledger')).join(' ')"]);
  assert.deepEqual(exported.split(" ").sort(), declared.sort());
});

/** The names of functions, classes and constants that a declaration file exports. */
async function declaredValues(path) {
  const program = ts.createProgram([path], {});
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)));
  return symbols.filter((symbol) => symbol.flags & ts.SymbolFlags.Value).map((symbol) => symbol.name);
}
