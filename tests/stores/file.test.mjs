// What files ask of a store beyond the table of claims.
import assert from "node:assert/strict";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { FileStore } from "../../pkg/js/stores/file.js";
import { refused } from "./claims.mjs";
import { run } from "./processes.mjs";

const NAME = "ledger_my-session.json";
const base = mkdtempSync(join(tmpdir(), "diffledger-"));
const folder = () => mkdtempSync(join(base, "case-"));
after(() => rmSync(base, { recursive: true }));

/** @param {string} place */
const mode = (place) => statSync(place).mode & 0o777;

test("the folder and the time limit must be usable", () => {
  for (const options of [{ folder: "" }, { folder: 7 }, { folder: "a\0b" }, { timeout: -1 }, { timeout: NaN }, { timeout: "1" }]) {
    assert.throws(() => new FileStore(/** @type {any} */ (options)), { name: "DiffledgerError", code: "invalidOption" });
  }
});

test("without a folder it is ~/.diffledger, and nothing is made before something is saved", async () => {
  assert.equal(new FileStore().folder, join(homedir(), ".diffledger"));
  const place = join(folder(), "deep", "er");
  const store = new FileStore({ folder: place });
  assert.equal(store.load(NAME), null);
  await store.remove(NAME);
  assert.equal(await store.setAside(NAME), null);
  assert.equal(existsSync(place), false);
});

test("a relative folder stays the one it was when the process changes its own", () => {
  const before = process.cwd();
  const store = new FileStore({ folder: "relative" });
  process.chdir(base);
  assert.equal(store.folder, join(before, "relative"));
  process.chdir(before);
});

test("files are 0600 and new folders 0700 under a loose umask, also where a loose file was", async () => {
  const place = join(folder(), "made");
  await run(`const store = new FileStore({ folder: process.argv[1] }); await store.save("${NAME}", "{}", null);`, { args: [place], shell: "umask 000" });
  assert.equal(mode(place), 0o700);
  assert.equal(mode(join(place, NAME)), 0o600);
  chmodSync(join(place, NAME), 0o666);
  const store = new FileStore({ folder: place });
  await store.save(NAME, "again", store.load(NAME)?.revision ?? null);
  assert.equal(mode(join(place, NAME)), 0o600);
});

test("saving leaves one file and nothing else", async () => {
  const place = folder();
  const store = new FileStore({ folder: place });
  const revision = await store.save(NAME, "first", null);
  await store.save(NAME, "second", revision);
  await refused("conflict", () => store.save(NAME, "third", revision));
  assert.deepEqual(readdirSync(place), [NAME]);
  assert.equal(readFileSync(join(place, NAME), "utf8"), "second");
});

test("what another program writes between loading and saving is a conflict and stays", async () => {
  const place = folder();
  const store = new FileStore({ folder: place });
  const revision = await store.save(NAME, "ours", null);
  writeFileSync(join(place, NAME), '{"turn": 1}');
  await refused("conflict", () => store.save(NAME, "ours again", revision));
  const found = store.load(NAME);
  assert.equal(found?.data, '{"turn": 1}');
  await store.save(NAME, "both", found.revision);
  assert.equal(store.load(NAME)?.data, "both");
});

test("bytes that are not UTF-8 are damaged, are not overwritten, and can be set aside", async () => {
  const place = folder();
  const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
  writeFileSync(join(place, NAME), bytes);
  const store = new FileStore({ folder: place });
  const error = await refused("damaged", () => store.load(NAME));
  assert.match(error.message, /ledger_my-session\.json/);
  await refused("conflict", () => store.save(NAME, "{}", null));
  const aside = await store.setAside(NAME);
  assert.match(String(aside), /^ledger_my-session\.json\.damaged-[0-9a-f]{16}$/);
  assert.deepEqual(readFileSync(join(place, String(aside))), bytes);
  assert.equal(store.load(NAME), null);
});

test("a folder in the place of the file, or a file in the place of the folder, is named with its errno", async () => {
  const place = folder();
  mkdirSync(join(place, NAME));
  const store = new FileStore({ folder: place });
  for (const action of [() => store.load(NAME), () => store.save(NAME, "{}", null)]) {
    const error = await refused("storeFailed", action);
    assert.match(error.message, /ledger_my-session\.json` cannot be (read|saved): it is a folder \(EISDIR\)/);
    assert.equal(error.cause.code, "EISDIR");
  }
  writeFileSync(join(place, "plain"), "");
  const below = new FileStore({ folder: join(place, "plain") });
  await refused("storeFailed", () => below.load(NAME));
  await refused("storeFailed", () => below.save(NAME, "{}", null));
});

test("a folder that may not be written to is named, and what is in it can be read", { skip: process.platform === "win32" }, async () => {
  const place = folder();
  writeFileSync(join(place, NAME), "{}");
  chmodSync(base, 0o755);
  chmodSync(place, 0o555);
  const found = await run(
    `const store = new FileStore({ folder: process.argv[1] });
     const { revision, data } = store.load("${NAME}");
     const refusals = [];
     for (const action of [() => store.save("${NAME}", "new", revision), () => store.remove("${NAME}"), () => store.setAside("${NAME}")]) {
       await action().catch((error) => refusals.push([error.code, error.cause?.code, error.message.includes(process.argv[1])]));
     }
     console.log(JSON.stringify({ data, refusals }));`,
    // Root may write anywhere, so as root it is tried as nobody.
    { args: [place], options: process.getuid?.() === 0 ? { uid: 65534, gid: 65534, cwd: "/" } : {} },
  );
  const refusal = ["storeFailed", "EACCES", true];
  assert.deepEqual(JSON.parse(found), { data: "{}", refusals: [refusal, refusal, refusal] });
  chmodSync(place, 0o755);
  assert.deepEqual(readdirSync(place), [NAME]);
});

test("a write that fails half-way leaves the old file and nothing else", { skip: process.platform === "win32" }, async () => {
  const place = folder();
  await new FileStore({ folder: place }).save(NAME, "old", null);
  const found = await run(
    `const store = new FileStore({ folder: process.argv[1] });
     await store.save("${NAME}", "x".repeat(1e6), store.load("${NAME}").revision).catch((error) => console.log(error.code, error.cause.code, error.message));`,
    { args: [place], shell: "trap '' XFSZ; ulimit -f 100" },
  );
  assert.match(found, /^storeFailed EFBIG .*larger than a file may be/);
  assert.deepEqual(readdirSync(place), [NAME]);
  assert.equal(readFileSync(join(place, NAME), "utf8"), "old");
});

test("a link is followed and stays a link", async () => {
  const place = folder();
  const elsewhere = folder();
  const target = join(elsewhere, "kept.json");
  writeFileSync(target, "old");
  symlinkSync(target, join(place, NAME));
  const store = new FileStore({ folder: place });
  const found = store.load(NAME);
  assert.equal(found?.data, "old");
  await store.save(NAME, "new", found.revision);
  assert.equal(lstatSync(join(place, NAME)).isSymbolicLink(), true);
  assert.equal(readFileSync(target, "utf8"), "new");
  assert.deepEqual([readdirSync(place), readdirSync(elsewhere)], [[NAME], ["kept.json"]]);

  const aside = String(await store.setAside(NAME));
  assert.equal(store.load(aside)?.data, "new");
  assert.equal(store.load(NAME), null);
  await store.remove(aside);
  assert.deepEqual([readdirSync(place), readdirSync(elsewhere)], [[], []]);
});

test("a link to nothing, or in a circle, is refused and stays", async () => {
  const place = folder();
  for (const goal of [join(place, "nothing"), join(place, NAME)]) {
    symlinkSync(goal, join(place, NAME));
    const store = new FileStore({ folder: place });
    await refused("storeFailed", () => store.load(NAME));
    await refused("storeFailed", () => store.save(NAME, "{}", null));
    assert.deepEqual(readdirSync(place), [NAME]);
    rmSync(join(place, NAME));
  }
});
