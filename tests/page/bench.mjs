// What a step costs on the page: `node tests/page/bench.mjs`, after `cargo xtask page`. It measures and
// prints, and is no test. Median and 95th of 100, in milliseconds, with layout.

import { load, open } from "./page.mjs";

const words = "tunnel queue limiter worker bastion feed partner bucket token schema migration cursor replica shard index".split(" ");
const word = (number) => words[number % words.length];

/** A coding session of so many turns, compacted now and then. */
function session(turns) {
  const lines = [];
  const add = (type, content, more) => lines.push(JSON.stringify({ type, uuid: `u${lines.length}`, parentUuid: lines.length ? `u${lines.length - 1}` : null, message: { role: type, content }, ...more }));
  for (let turn = 0; turn < turns; turn++) {
    add("user", turn % 7 === 3 ? `which port did the ${word(turn * 3)} ${turn - 3} use?` : `now set up the ${word(turn)} ${turn} on port ${3000 + turn}, config/${word(turn * 5)}-${turn}.toml has the rest`);
    add("assistant", `The ${word(turn)} ${turn} listens on port ${3000 + turn}; I changed config/${word(turn * 5)}-${turn}.toml and src/${word(turn * 2)}.rs, and ${turn % 90} tests pass.`);
    if (turn % 200 === 199) add("user", `Summary: we set up ${turn} workers.`, { isCompactSummary: true });
  }
  return lines.join("\n");
}

/** The times of `count` moves of the scrubber, from the event to the end of the layout. */
const moves = (page, count, next) =>
  page.evaluate(
    async ([count, next]) => {
      const range = document.querySelector("input[type=range]");
      const place = new Function("at", "last", "number", `return ${next}`);
      const times = [];
      for (let number = 0; number < count; number++) {
        const value = place(Number(range.value), Number(range.max), number);
        const start = performance.now();
        range.value = value;
        range.dispatchEvent(new Event("input", { bubbles: true }));
        // What a signal changes is drawn in microtasks; painting comes after them, and is the browser's.
        for (let rest = 0; rest < 20; rest++) await Promise.resolve();
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      return times.sort((one, other) => one - other);
    },
    [count, next],
  );

for (const turns of [30, 500, 2000]) {
  const { page, close } = await open();
  const text = session(turns);
  const start = performance.now();
  await load(page, `${turns}.jsonl`, text);
  const loading = performance.now() - start;
  const print = (name, times) => console.log(`${turns} turns, ${name}: ${times[times.length >> 1].toFixed(1)} (${times[Math.floor(times.length * 0.95)].toFixed(1)})`);
  console.log(`${turns} turns, ${text.length} bytes: replayed in ${(loading / 1000).toFixed(1)} s`);
  await page.locator("input[type=range]").fill(String(turns >> 1));
  print("step", await moves(page, 100, "Math.min(at + 1, last)"));
  print("scrub", await moves(page, 100, "(number * 7919) % last"));
  await close();
}
process.exit(0);
