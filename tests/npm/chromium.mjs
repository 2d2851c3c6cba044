// A headless Chromium, and a static server for its pages.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, extname, join } from "node:path";
import { accessSync } from "node:fs";
import { after } from "node:test";

import { chromium } from "playwright-core";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

/** Serves the files of `folder`; gives the address without a slash at the end. */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const bytes = await readFile(file).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/** Starts the browser for the tests of a file. */
export async function launch() {
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS });
  after(() => browser.close());
  return browser;
}

/** Opens a page, and gives what it sets `globalThis.outcome` to; an error in the page is one here. */
export async function outcome(browser, address) {
  const page = await browser.newPage();
  try {
    const failed = new Promise((_, reject) => page.on("pageerror", reject));
    const refused = [];
    page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
    const done = page.waitForFunction("globalThis.outcome", undefined, { timeout: 60_000 }).catch((error) => {
      throw new Error(`${error.message}; not served: ${refused.join(" ") || "nothing"}`);
    });
    await page.goto(address);
    return await Promise.race([done, failed]).then((handle) => handle.jsonValue());
  } finally {
    await page.close();
  }
}

function executable() {
  if (process.env.CHROME) return process.env.CHROME;
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(exists);
  if (!found) throw new Error("no Chromium: install it, or set CHROME to its path");
  return found;
}

function exists(path) {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
