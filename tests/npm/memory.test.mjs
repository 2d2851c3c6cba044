// Ten thousand turns in one process leave nothing behind.

import assert from "node:assert/strict";
import { test } from "node:test";

import { install, run } from "./installation.mjs";

// The log grows with what is said, by design, and so does the ledger: every 250 turns the session is
// purged, so that what stays is what the package itself would leak.
const TURNS = 10_000;
const PER_SESSION = 250;
const WINDOW = 40;

const folder = await install({
  "memory.mjs": `
    // The wasm's memory is no export of the package.
    let exports;
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (...all) { const made = new Instance(...all); exports = made.exports; return made; };
    const { Ledger, MemoryStore, Session, detectGaps } = await import("diffledger");

    const words = (at) => ["tunnel", "queue", "limiter", "parser", "cursor", "bucket", "replica", "ledger"][at % 8];
    const told = (at) => at % 2
      ? { role: "assistant", content: \`The \${words(at >> 1)} of part \${at % 97} listens on port \${8000 + at % 97} and waits \${at % 60} s.\` }
      : { role: "user", content: \`and how does the \${words(at >> 3)} work again, in part \${at % 97}?\` };

    const measured = [];
    const measure = async () => {
      // Objects that were dropped are freed by a task of their own.
      for (let round = 0; round < 4; round += 1) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
      const table = Object.values(exports).find((value) => value instanceof WebAssembly.Table);
      measured.push({ heap: process.memoryUsage().heapUsed, wasm: exports.memory.buffer.byteLength, table: table.length });
    };

    const controller = new AbortController();
    const store = new MemoryStore();
    const options = { id: "long", store, model: () => '{"references": [1]}', recall: async (query) => [{ text: query }] };
    const session = new Session(options);
    for (let turn = 0; turn < ${TURNS}; turn += 1) {
      const at = (turn % ${PER_SESSION}) * 2;
      const array = Array.from({ length: Math.min(at + 1, ${WINDOW}) }, (_, back) => told(at - back)).reverse();
      const { id } = await session.turn(array, { signal: controller.signal, onProgress() {} });
      session.look("which port was it?");
      if (turn % 7 === 0) session.injected(id);
      if (turn % 50 === 0) await session.crunch({ keep: 10 });
      if (turn % 100 === 0) await session.save();
      if (turn % 10 === 0) await session.turn(Symbol("s")).catch(() => {});
      if (turn % 10 === 0) {
        // Half of them are disposed of, and half are dropped.
        const [other, ledger] = [new Session({ ...options, id: "other" }), new Ledger("other", { store })];
        await other.learn(array);
        ledger.add("port", "Staging listens on port 8444.");
        await detectGaps("which port?", ledger);
        if (turn % 20 === 0) { other.dispose(); ledger.dispose(); }
      }
      if (turn % ${PER_SESSION} === ${PER_SESSION} - 1) await session.purge();
      if (turn % 1000 === 999) await measure();
    }
    console.log(JSON.stringify(measured));`,
});

test("the heap, the wasm's memory and its table of objects are as large after 10 000 turns as after 5 000", async (context) => {
  const measured = JSON.parse(await run(folder, process.execPath, ["--expose-gc", "memory.mjs"], {}, 900_000));
  const megabytes = (name) => measured.map((one) => (one[name] / 2 ** 20).toFixed(1)).join(" ");
  const tables = measured.map(({ table }) => table);
  context.diagnostic(`MB each 1000 turns: heap ${megabytes("heap")}, wasm ${megabytes("wasm")}; objects ${tables.join(" ")}`);
  // 256 kB are 52 bytes a turn: less than any object that could be left behind.
  const [warm, last] = [measured[4], measured.at(-1)];
  for (const name of ["heap", "wasm"]) {
    assert.ok(last[name] < warm[name] + (256 << 10), `${name} grew from ${warm[name]} to ${last[name]}`);
  }
  assert.equal(last.table, warm.table);
});
