// What holds for every store. Without anything of Node, so that a browser can run the table too.

/**
 * @typedef {import("../../pkg/src/types.d.ts").Store} Store
 * @typedef {{ holds: string, check: (store: Required<Store>) => Promise<void> }} Claim
 */

const NAME = "ledger_my-session.json";
const BAD_NAMES = ["", ".", "..", ".hidden", "../up", "a/../b", "a/b", "a\\b", "/etc/x", "a\0b", "x".repeat(201), "é".repeat(101), "\ud800", null, undefined, 7, {}];

/** @type {Claim[]} */
export const claims = [
  {
    holds: "a name that could leave the folder is refused by every method",
    async check(store) {
      for (const name of /** @type {any[]} */ (BAD_NAMES)) {
        await refused("invalidSessionId", () => store.load(name));
        await refused("invalidSessionId", () => store.save(name, "{}", null));
        await refused("invalidSessionId", () => store.remove(name));
        await refused("invalidSessionId", () => store.setAside(name));
      }
    },
  },
  {
    holds: "what is no text is refused, and nothing is stored",
    async check(store) {
      for (const data of /** @type {any[]} */ ([undefined, null, 7, {}, new Uint8Array(3), "a\ud800b", "\udc00"])) {
        await refused("invalidInput", () => store.save(NAME, data, null));
      }
      equal(await store.load(NAME), null);
    },
  },
  {
    holds: "a revision that is not the stored one is a conflict and changes nothing",
    async check(store) {
      await refused("conflict", () => store.save(NAME, "new", "0123456789abcdef"));
      equal(await store.load(NAME), null);
      const first = await store.save(NAME, "first", null);
      await refused("conflict", () => store.save(NAME, "new", "0123456789abcdef"));
      await refused("conflict", () => store.save(NAME, "new", ""));
      equal(await store.load(NAME), { revision: first, data: "first" });
      const second = await store.save(NAME, "second", first);
      await refused("conflict", () => store.save(NAME, "third", first));
      equal(await store.load(NAME), { revision: second, data: "second" });
    },
  },
  {
    holds: "expecting nothing where something is stored is a conflict and changes nothing",
    async check(store) {
      const revision = await store.save(NAME, "first", null);
      await refused("conflict", () => store.save(NAME, "new", null));
      await refused("conflict", () => store.save(NAME, "first", null));
      equal(await store.load(NAME), { revision, data: "first" });
    },
  },
  {
    holds: "a conflict says what to do",
    async check(store) {
      await store.save(NAME, "first", null);
      const error = await refused("conflict", () => store.save(NAME, "new", null));
      equal(error.name, "DiffledgerError");
      equal(error.message.includes(NAME) && error.message.endsWith("load again, learn again, save again"), true);
    },
  },
  {
    holds: "nothing is null, also after removing, and removing nothing is no error",
    async check(store) {
      equal(await store.load(NAME), null);
      await store.remove(NAME);
      await store.save(NAME, "first", null);
      await store.remove(NAME);
      equal(await store.load(NAME), null);
      await store.save(NAME, "again", null);
      equal((await store.load(NAME))?.data, "again");
    },
  },
  {
    holds: "what is saved is loaded, to the character",
    async check(store) {
      let revision = null;
      for (const data of ["", " \n", "a\0b", "\r\n\u2028", "\ufeff{}", "größe 端口 مرحبا 👩‍👩‍👧 e\u0301 \u{10ffff}", "{}"]) {
        revision = await store.save(NAME, data, revision);
        equal(await store.load(NAME), { revision, data });
      }
    },
  },
  {
    holds: "10 MB are saved and loaded",
    async check(store) {
      const data = "The retry queue waits 30 s, größer. ".repeat(270_000);
      const revision = await store.save(NAME, data, null);
      const found = await store.load(NAME);
      equal(found?.revision, revision);
      equal(found?.data === data, true);
    },
  },
  {
    holds: "the revision is of what is stored: the same text has the same, another has another",
    async check(store) {
      const first = await store.save(NAME, "first", null);
      const second = await store.save(NAME, "second", first);
      equal(first !== second, true);
      equal(await store.save(NAME, "first", second), first);
      equal(await store.save("another.jsonl", "first", null), first);
    },
  },
  {
    holds: "names do not touch each other",
    async check(store) {
      const names = ["ledger_a.json", "session_a.jsonl", "ledger_A", "ledger_ä.json", "x".repeat(200), "constructor", "__proto__", "%2e%2e%2f", "a b"];
      for (const name of names) await store.save(name, `of ${name}`, null);
      for (const name of names) equal((await store.load(name))?.data, `of ${name}`);
    },
  },
  {
    holds: "what is set aside is kept under a name of its own, never over another",
    async check(store) {
      equal(await store.setAside(NAME), null);
      const revision = await store.save(NAME, "damaged", null);
      const aside = await store.setAside(NAME);
      equal(aside, `${NAME}.damaged-${revision}`);
      equal(await store.load(NAME), null);
      equal(await store.load(String(aside)), { revision, data: "damaged" });
      await store.save(String(aside), "changed since", revision);
      await store.save(NAME, "damaged", null);
      const second = await store.setAside(NAME);
      equal(second, `${NAME}.damaged-${revision}-2`);
      equal((await store.load(String(aside)))?.data, "changed since");
      equal((await store.load(String(second)))?.data, "damaged");
    },
  },
  {
    holds: "of saves that start from the same revision exactly one wins",
    async check(store) {
      const revision = await store.save(NAME, "start", null);
      const tries = await Promise.allSettled(Array.from({ length: 20 }, async (_, index) => store.save(NAME, `of ${index}`, revision)));
      const won = tries.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
      equal(won.length, 1);
      equal((await store.load(NAME))?.data, `of ${won[0]}`);
      for (const result of tries) if (result.status === "rejected") equal(result.reason.code, "conflict");
    },
  },
];

/**
 * @param {string} code
 * @param {() => unknown} action
 * @returns {Promise<any>} the error
 */
export async function refused(code, action) {
  let result;
  try {
    result = await action();
  } catch (error) {
    if (!(error instanceof Error) || /** @type {any} */ (error).code !== code) throw new Error(`expected \`${code}\`, got ${error}`, { cause: error });
    return error;
  }
  throw new Error(`expected \`${code}\`, got ${JSON.stringify(result)}`);
}

/**
 * @param {unknown} found
 * @param {unknown} expected
 */
export function equal(found, expected) {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right?.slice(0, 200)}, found ${left?.slice(0, 200)}`);
}
