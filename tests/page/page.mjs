// The built page, served and opened in Chromium.

import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { launch, serve } from "../npm/chromium.mjs";

/** Where the page was built. */
export const folder = process.env.DIFFLEDGER_PAGE ?? fileURLToPath(new URL("../../target/page", import.meta.url));
// Not at the root of the server: all addresses have to be relative.
export const address = `${await serve(dirname(folder))}/${basename(folder)}/`;
const browser = await launch();

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 320, height: 720 };

/**
 * Opens the page, alive, with the options of a browser's context; `fragment` is what follows the
 * address. `asked` and `errors` grow as long as it is open.
 */
export async function open({ fragment = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const [asked, errors] = [[], []];
  page.on("request", (request) => request.url().startsWith("data:") || asked.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address + fragment, { waitUntil: "networkidle" });
  if (options.javaScriptEnabled !== false) await page.waitForSelector("button.crunch:enabled");
  return { page, asked, errors, close: () => context.close() };
}

/** Where the cursor stands, as the page says it. */
export const place = (page) => page.locator("output.place").textContent();

/** Hands a file to the page, and waits until its name is shown. */
export async function load(page, name, text) {
  const buffer = Buffer.from(text);
  await page.setInputFiles("input[type=file]", { name, mimeType: "application/octet-stream", buffer });
  await page.waitForFunction((name) => document.querySelector(".about b").textContent === name, name, { timeout: 120_000 });
}
