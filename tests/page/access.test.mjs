// What axe finds: nothing, in light and dark, wide and narrow, in each state.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { DESKTOP, PHONE, load, open } from "./page.mjs";

const axe = createRequire(new URL("../npm/", import.meta.url)).resolve("axe-core/axe.min.js");

const STATES = {
  opening: async () => {},
  crunch: (page) => page.locator("input[type=range]").fill("13"),
  "first turn": (page) => page.locator("input[type=range]").fill("0"),
  selected: (page) => page.locator(".missing h3 button").click(),
  dialog: (page) => page.locator("button.crunch").click(),
  problem: async (page) => {
    const buffer = Buffer.from("no chat");
    await page.setInputFiles("input[type=file]", { name: "a.txt", mimeType: "text/plain", buffer });
    await page.waitForSelector(".problem");
  },
  skipped: (page) => load(page, "odd.json", JSON.stringify([{ role: "user", content: "hello" }, 7, { role: "robot" }])),
};

for (const colorScheme of ["light", "dark"]) {
  for (const viewport of [DESKTOP, PHONE]) {
    for (const [state, reach] of Object.entries(STATES)) {
      test(`${state}, ${colorScheme}, ${viewport.width} wide`, async () => {
        const { page, close } = await open({ viewport, colorScheme, reducedMotion: "reduce", bypassCSP: true });
        await reach(page);
        await page.addScriptTag({ path: axe });
        const parts = viewport === PHONE && state === "opening" ? ["Chat", "Window", "Missing", "More"] : [null];
        for (const part of parts) {
          if (part) await page.locator(".tabs button", { hasText: part }).click();
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`);
          assert.deepEqual(found, [], part ?? state);
        }
        await close();
      });
    }
  }
}
