// The packed tarball, installed into an empty folder as a user would.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const execute = promisify(execFile);

/** The tarball under test: the one that is named, else the one that was built last. */
export async function tarball() {
  if (process.env.DIFFLEDGER_TARBALL) return resolve(process.env.DIFFLEDGER_TARBALL);
  const folder = join(here, "../../target/npm");
  const found = (await readdir(folder).catch(() => [])).find((name) => name.endsWith(".tgz"));
  if (!found) throw new Error("no tarball: run `cargo xtask package`, or name one in DIFFLEDGER_TARBALL");
  return join(folder, found);
}

/**
 * Installs the package beside `program.mjs` and `files`, a text by name. The folder is deleted when
 * the tests of the file are done.
 */
export async function install(files = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "diffledger-")));
  after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  for (const name of ["program.mjs", "story.mjs", "results.mjs"]) await cp(join(here, name), join(folder, name));
  await writeFile(join(folder, "story_files.mjs"), await storyFiles());
  await run(folder, "npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", await tarball()]);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The story and what must come of it, as a module: most of the runtimes have no files. */
async function storyFiles() {
  const read = (name) => readFile(join(here, "../..", name), "utf8");
  const files = { story: await read("web/story.jsonl"), golden: await read("tests/golden/story.json") };
  return Object.entries(files).map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`).join("");
}

/** Runs a program in `folder` and gives what it prints; it must succeed. */
export async function run(folder, file, words, environment = {}, timeout = 120_000) {
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1", ...environment }, timeout, maxBuffer: 64 << 20 };
  const { stdout } = await execute(file, words, options).catch((error) => {
    throw new Error(`${file} ${words.join(" ")}: ${error.message}\n${error.stdout}${error.stderr}`);
  });
  return stdout.trim();
}

/** A program of those that are installed for the tests. */
export const tool = (name) => join(here, "node_modules", name);
