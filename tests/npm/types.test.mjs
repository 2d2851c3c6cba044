// The manifest and the types, as the tools for them see the package.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";

import { install, run, tarball, tool } from "./installation.mjs";

const SAMPLE = `
import init, { normalize, version } from "diffledger";
import * as inline from "diffledger/inline";
import type { ErrorCode, Gap, Store, Turn } from "diffledger";

await init();
export const name: string = normalize("The Staging Port") + version;
export const same: typeof normalize = inline.normalize;
export const gaps = (turn: Turn): Gap[] => turn.gaps;
export const store: Store = { load: () => null, save: async () => "1" };
export const code: ErrorCode = "conflict";
// @ts-expect-error a number is no text
normalize(1);
`;

const folder = await install({ "sample.ts": SAMPLE, "sample.mts": SAMPLE });
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
    const words = ["--strict", "--noEmit", "--target", "es2022", "--module", module, "--moduleResolution", resolution, file];
    await run(folder, tool(".bin/tsc"), words);
  });
}

test("what is exported is what is declared", async () => {
  const exported = await run(folder, process.execPath, ["-p", "Object.keys(require('diffledger')).sort().join(' ')"]);
  assert.equal(exported, (await declaredValues(join(installed, "index.d.ts"))).sort().join(" "));
});

/** The names of functions, classes and constants that a declaration file exports. */
async function declaredValues(path) {
  const program = ts.createProgram([path], {});
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)));
  return symbols.filter((symbol) => symbol.flags & ts.SymbolFlags.Value).map((symbol) => symbol.name);
}
