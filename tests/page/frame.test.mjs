// The static first frame: there before any script, and the same as what the core computes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { frame, written } from "./frame.mjs";
import { DESKTOP, PHONE, open } from "./page.mjs";

test("the first frame in index.html is what the page draws from the core", async () => {
  const { page, close } = await open();
  assert.equal(await written(), await frame(page), "write it anew: node tests/page/frame.mjs");
  await close();
});

test("without scripts one reads the message, the gap and the text that closes it", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  const missing = await page.locator(".missing").innerText();
  for (const text of ["which port was staging on?", "port 8444", "Filled", "Staging is on port 8444 now"]) {
    assert.ok(missing.includes(text), text);
  }
  assert.equal(await page.locator("button:enabled").count(), 0);
  await close();
});

for (const viewport of [DESKTOP, PHONE]) {
  test(`nothing jumps when the wasm takes over, ${viewport.width} wide`, async () => {
    const { page, close } = await open({ viewport });
    const shifted = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const shifts = (list) => list.getEntries().reduce((sum, entry) => sum + entry.value, 0);
          new PerformanceObserver((list) => resolve(shifts(list))).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 500);
        }),
    );
    assert.equal(shifted, 0);
    await close();
  });
}
