// The built page as files: what it asks for, and what it may do.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { launch, serve } from "../npm/chromium.mjs";

const folder = process.env.DIFFLEDGER_PAGE ?? fileURLToPath(new URL("../../target/page", import.meta.url));
// Not at the root of the server: all addresses have to be relative.
const address = `${await serve(dirname(folder))}/${basename(folder)}/`;
const browser = await launch();

/** Opens the page; `asked` and `errors` grow as long as it is open. */
async function open() {
  const page = await browser.newPage();
  const [asked, errors] = [[], []];
  page.on("request", (request) => request.url().startsWith("data:") || asked.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address, { waitUntil: "networkidle" });
  return { page, asked, errors };
}

test("the page asks for each of its files once and for nothing else, and has nothing to complain about", async () => {
  const { page, asked, errors } = await open();
  const files = (await readdir(folder)).map((name) => address + (name === "index.html" ? "" : name));
  assert.deepEqual(asked.sort(), files.sort());
  // Longer than a browser waits until it says that something was preloaded in vain.
  await page.waitForTimeout(6_000);
  assert.deepEqual(errors, []);
  await page.close();
});

test("neither an inline script nor an inline style nor another server gets past the policy", async () => {
  const { page } = await open();
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
  await page.close();
});
