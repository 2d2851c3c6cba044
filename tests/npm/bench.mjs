// What the package costs in Node: `node tests/npm/bench.mjs`, after `cargo xtask package`. It measures
// and prints, and is no test. For the same turns without JavaScript, save the arrays with
// `--arrays FILE` and hand that file to `cargo run --release -p diffledger-core --example turns`.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { install, run } from "./installation.mjs";

const ROUNDS = 20;
const { values } = parseArgs({ options: { arrays: { type: "string" } } });

const folder = await install({
  "start.mjs": `
    const start = performance.now();
    const { default: init } = await import("diffledger");
    await init();
    console.log(performance.now() - start);`,
  "start.cjs": `
    const start = performance.now();
    require("diffledger");
    console.log(performance.now() - start);`,
  "nothing.mjs": `
    const start = performance.now();
    await import("./package.mjs");
    console.log(performance.now() - start);`,
  "package.mjs": "export default 1;",
  "turns.mjs": `
    import { readFileSync } from "node:fs";
    import { Session } from "diffledger";
    for (const [name, arrays] of Object.entries(JSON.parse(readFileSync("arrays.json", "utf8")))) {
      const session = new Session({ id: "bench" });
      const times = [];
      for (const array of arrays) {
        const start = performance.now();
        await session.turn(array);
        times.push(performance.now() - start);
      }
      const [first, ...rest] = times;
      console.log(name + ": first " + first.toFixed(1) + " ms, then " + rest.sort((a, b) => a - b)[rest.length >> 1].toFixed(1) + " ms");
    }`,
});

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

for (const file of ["nothing.mjs", "start.mjs", "start.cjs"]) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(Number(await run(folder, process.execPath, [file])));
  console.log(`${file}: median ${median(times).toFixed(1)} ms, best ${times[0].toFixed(1)} ms of ${ROUNDS} fresh processes`);
}

/** A conversation of `count` messages, and the same again and again with another question at its end. */
function arrays(count) {
  const things = ["tunnel", "queue", "limiter", "parser", "cursor", "bucket", "replica"];
  const talk = Array.from({ length: count }, (_, at) => ({
    role: at % 2 ? "assistant" : "user",
    content: at % 2
      ? `The ${things[at % 7]} of part ${at % 311} listens on port ${8000 + (at % 311)}, waits ${at % 60} s and writes to src/part_${at % 311}/main.rs.`
      : `now the ${things[(at + 1) % 7]} of part ${(at + 1) % 311}, please: what does it do and where is it?`,
  }));
  const asked = Array.from({ length: ROUNDS + 1 }, (_, round) => ({ role: "user", content: `which port was the ${things[round % 7]} of part ${round} on?` }));
  return asked.map((question) => [...talk, question]);
}

const all = JSON.stringify(Object.fromEntries([1_000, 10_000].map((count) => [`${count} messages`, arrays(count)])));
await writeFile(join(folder, "arrays.json"), all);
if (values.arrays) await writeFile(values.arrays, all);
console.log(await run(folder, process.execPath, ["turns.mjs"]));
