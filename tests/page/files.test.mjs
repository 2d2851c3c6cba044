// The built page as files: what it asks for, and what it may do.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";

import { address, folder, open } from "./page.mjs";

test("the page asks for each of its files once and for nothing else, and has nothing to complain about", async () => {
  const { page, asked, errors, close } = await open();
  const files = (await readdir(folder)).map((name) => address + (name === "index.html" ? "" : name));
  assert.deepEqual(asked.sort(), files.sort());
  // Longer than a browser waits until it says that something was preloaded in vain.
  await page.waitForTimeout(6_000);
  assert.deepEqual(errors, []);
  await close();
});

test("neither an inline script nor an inline style nor another server gets past the policy", async () => {
  const { page, close } = await open();
  const outcome = await page.evaluate(async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    const add = (name, text) => document.head.append(Object.assign(document.createElement(name), { textContent: text }));
    add("script", "globalThis.ran = true");
    add("style", "body { color: rgb(1, 2, 3) }");
    await fetch("http://127.0.0.1:9/", { mode: "no-cors" }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { ran: "ran" in globalThis, color: getComputedStyle(document.body).color, refused: refused.sort() };
  });
  assert.equal(outcome.ran, false);
  assert.notEqual(outcome.color, "rgb(1, 2, 3)");
  assert.deepEqual(outcome.refused, ["connect-src", "script-src-elem", "style-src-elem"]);
  await close();
});
