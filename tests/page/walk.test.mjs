// The page used by hand: by keyboard alone, by pointer, and by those who want less motion.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PHONE, open, place } from "./page.mjs";

/** Presses Tab until `selector` has the focus. */
async function tab(page, selector) {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
  }
  assert.fail(`Tab never reaches ${selector}`);
}

test("by keyboard alone one steps, finds crunches and gaps, crunches, asks, and gets the answer", async () => {
  const { page, errors, close } = await open();
  await tab(page, "button[aria-label=Next]");
  await page.keyboard.press("Enter");
  assert.match(await place(page), /^Turn 18 of 30/);
  for (const [key, expected] of [
    ["ArrowLeft", /^Turn 17 of 30, 1 gap/],
    ["[", /^Turn 14 of 30, crunch/],
    ["Home", /^Turn 1 of 30/],
    ["]", /^Turn 14 of 30, crunch/],
    ["g", /^Turn 16 of 30, .*gap/],
    ["End", /^Turn 30 of 30/],
  ]) {
    await page.keyboard.press(key);
    assert.match(await place(page), expected, key);
    assert.match(await page.locator("[role=status]").textContent(), expected, "it is said");
  }
  await page.keyboard.press("c");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("c");
  await tab(page, "dialog button[type=submit]");
  await page.keyboard.press("Enter");
  assert.match(await place(page), /yours, crunch/);
  await tab(page, ".compose input");
  await page.keyboard.type("which port was staging on?");
  // Letters in a field are no shortcuts.
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("Enter");
  assert.match(await place(page), /^Turn 31 of 31, yours, 1 gap/);
  assert.match(await page.locator(".missing blockquote").textContent(), /8444/);
  await tab(page, ".ledger tbody button");
  await page.keyboard.press("Space");
  assert.equal(await page.locator("tr.selected").count(), 1);
  await tab(page, ".answer summary");
  await page.keyboard.press("Enter");
  assert.equal(JSON.parse(await page.locator(".json").textContent()).id, 31);
  assert.deepEqual(errors, []);
  await close();
});

test("what the visitor did in the middle is taken back by a press", async () => {
  const { page, close } = await open();
  const opening = await page.locator(".missing").innerText();
  await page.locator("button.crunch").click();
  await page.locator("dialog textarea").fill("They set up the staging tunnel.");
  await page.locator("dialog button[type=submit]").click();
  await page.waitForFunction(() => document.querySelector("output.place").textContent.includes("yours, crunch"));
  assert.match(await page.locator(".crunched").innerText(), /concepts were lost/);
  await page.locator("button.undo").click();
  await page.waitForSelector("button.undo", { state: "detached" });
  assert.match(await place(page), /^Turn 17 of 30, 1 gap/);
  assert.equal(await page.locator(".missing").innerText(), opening);
  await close();
});

test("playing goes on by itself and stops at a step by hand", async () => {
  const { page, close } = await open();
  await page.locator("select").nth(1).selectOption("4");
  await page.getByText("Play", { exact: true }).click();
  await page.waitForFunction(() => document.querySelector("output.place").textContent.startsWith("Turn 19"), null, { timeout: 10_000 });
  assert.equal(await page.locator(".play").textContent(), "Pause");
  assert.equal(await page.locator("[role=log]").getAttribute("aria-live"), "off");
  await page.locator("input[type=range]").fill("3");
  assert.equal(await page.locator(".play").textContent(), "Play");
  assert.match(await place(page), /^Turn 4 of 30/);
  await close();
});

test("the filter of the ledger leaves what it says", async () => {
  const { page, close } = await open();
  await page.locator(".filter select").selectOption("stale");
  await page.locator(".filter input").fill("port");
  const rows = await page.locator(".ledger tbody tr").allInnerTexts();
  assert.ok(rows.length > 0 && rows.every((row) => row.includes("stale") && /port/i.test(row)), rows.join("\n"));
  await close();
});

test("the address brings the view back, and a step is in it", async () => {
  const { page, close } = await open({ fragment: "#turn=14&entry=3&tab=window" });
  assert.match(await place(page), /^Turn 14 of 30, crunch/);
  await page.locator("button[aria-label=Next]").click();
  await page.waitForURL(/#turn=15&entry=3&tab=window$/);
  await close();
});

test("on a phone one part is shown at a time, and the controls stay in reach", async () => {
  const { page, close } = await open({ viewport: PHONE });
  for (const [tab, part] of [["Chat", ".chat"], ["Window", ".window"], ["Missing", ".missing"], ["More", ".ledger"]]) {
    await page.locator(".tabs button", { hasText: tab }).click();
    for (const other of [".chat", ".window", ".missing", ".ledger"]) {
      assert.equal(await page.locator(other).isVisible(), other === part, `${tab}: ${other}`);
    }
    const next = await page.locator("button[aria-label=Next]").boundingBox();
    assert.ok(next.y + next.height <= PHONE.height && next.height >= 44, tab);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, `${tab} scrolls sideways`);
  }
  await close();
});

test("nothing moves for those who want less motion", async () => {
  for (const [reducedMotion, count] of [["no-preference", 4], ["reduce", 0]]) {
    const { page, close } = await open({ reducedMotion });
    await page.keyboard.press("Tab");
    await page.locator("button[aria-label=Next]").click();
    await page.locator("button[aria-label=Back]").click();
    const moving = await page.evaluate(() => document.querySelector(".missing").getAnimations({ subtree: true }).length);
    assert.equal(moving, count, reducedMotion);
    await close();
  }
});
