// Chats from outside: what comes in, what goes out, and what must not happen with what it says.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { load, open, place } from "./page.mjs";

const shared = await readFile(new URL("../../../shared/transcripts/one-crunch.md", import.meta.url), "utf8").catch(() => null);

test("a transcript of somebody else is replayed with its compaction", { skip: shared === null && "shared/transcripts is not there" }, async () => {
  const { page, asked, errors, close } = await open();
  const before = asked.length;
  await load(page, "one-crunch.md", shared);
  assert.match(await page.locator(".about").textContent(), /1 crunch,/);
  await page.locator(".scrubber input").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.locator("button[aria-label=First]").focus();
  await page.keyboard.press("]");
  assert.match(await place(page), /crunch/);
  assert.match(await page.locator(".crunched").textContent(), /concepts were lost/);
  assert.equal(asked.length, before, "it stays in the tab");
  assert.deepEqual(errors, []);
  await close();
});

test("what is exported and imported again shows the same", async () => {
  const { page, close } = await open();
  await page.locator("button[aria-label=Last]").click();
  await page.locator("button.crunch").click();
  await page.locator("dialog button[type=submit]").click();
  await page.locator(".compose input").fill("which port was staging on?");
  await page.locator(".compose button").click();
  // What the visitor said is, in the file, a message like the others.
  const shown = async () => [await page.locator(".missing").innerText(), await page.locator(".window").innerText(), (await place(page)).replace(", yours", "")];
  const before = await shown();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Export").click()]);
  assert.equal(download.suggestedFilename(), "session_page.jsonl");
  await load(page, "again.jsonl", await readFile(await download.path(), "utf8"));
  await page.locator("button[aria-label=Last]").click();
  assert.deepEqual(await shown(), before);
  await close();
});

test("what a message says is shown, and never run", async () => {
  const { page, asked, errors, close } = await open();
  const before = asked.length;
  const evil = '<img src=x onerror="globalThis.ran = 1"><script>globalThis.ran = 1</script><b>bold</b> &amp; </li></ol>';
  const call = { id: "1", type: "function", function: { name: evil, arguments: JSON.stringify({ [evil]: evil }) } };
  const messages = [
    { role: "user", content: `the port "${evil}" is 8444 and \`${evil}\` is the key` },
    { role: "assistant", content: evil, tool_calls: [call] },
    { role: "tool", tool_call_id: "1", content: evil },
    { role: "user", content: `what was "${evil}"?` },
  ];
  await load(page, `${evil}.json`, JSON.stringify(messages));
  await page.locator("button[aria-label=First]").click();
  await page.locator("button.crunch").click();
  await page.locator("dialog textarea").fill(evil);
  await page.locator("dialog button[type=submit]").click();
  await page.waitForFunction(() => document.querySelector("output.place").textContent.includes("yours"));
  await page.locator("button[aria-label=Last]").click();
  await page.locator(".answer summary").click();
  assert.ok((await page.locator(".chat").innerText()).includes(evil));
  assert.equal(await page.evaluate(() => globalThis.ran), undefined);
  assert.equal(await page.locator("#page img, #page script").count(), 0);
  assert.equal(asked.length, before);
  assert.deepEqual(errors, []);
  await close();
});

test("what is no chat leaves the page as it was, and says why", async () => {
  const { page, close } = await open();
  const before = await place(page);
  for (const text of ["", "[]", "hello", "{", "\u0000\u0001", '{"diffledger":"session","schema":99,"session_id":"a"}']) {
    await page.setInputFiles("input[type=file]", { name: "no.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.waitForFunction(() => document.querySelector(".problem")?.textContent.startsWith("no.txt: "));
    assert.equal(await place(page), before);
  }
  await load(page, "yes.json", '[{"role":"user","content":"hello"}]');
  assert.equal(await page.locator(".problem").count(), 0);
  await close();
});

test("a long chat is replayed in slices, says how far it is, and can be stopped", async () => {
  const { page, close } = await open();
  const before = await place(page);
  const turn = (number) => [
    { role: "user", content: `set the limit of worker ${number} to ${number * 7} MB in config/worker-${number}.toml` },
    { role: "assistant", content: `config/worker-${number}.toml now has memory = ${number * 7}; the tests pass.` },
  ];
  const messages = Array.from({ length: 3000 }, (_, number) => turn(number)).flat();
  const buffer = Buffer.from(JSON.stringify(messages));
  await page.setInputFiles("input[type=file]", { name: "long.json", mimeType: "application/json", buffer });
  await page.waitForSelector("progress");
  // What is said meanwhile would go with the chat that is about to be replaced: it stays in its field.
  await page.locator(".compose input").fill("wait");
  await page.locator(".compose button").click();
  assert.equal(await page.locator(".compose input").inputValue(), "wait");
  await page.getByText("Cancel", { exact: true }).first().click();
  await page.waitForSelector("progress", { state: "detached" });
  assert.equal(await place(page), before);
  await close();
});

test("a file that is dropped anywhere is taken", async () => {
  const { page, close } = await open();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['[{"role":"user","content":"dropped"}]'], "dropped.json"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelector(".about b").textContent === "dropped.json");
  assert.ok((await page.locator(".chat").innerText()).includes("dropped"));
  await close();
});

test("the transcript that the address names is asked of the page's own server", async () => {
  const { page, close } = await open();
  await page.route("**/transcript", (route) => route.fulfill({ body: '[{"role":"user","content":"from the server"}]' }));
  await page.goto(`${page.url().split("#")[0]}?again#transcript=my%20chat%2Ejson`);
  await page.waitForFunction(() => document.querySelector(".about b")?.textContent === "my chat.json");
  assert.ok((await page.locator(".chat").innerText()).includes("from the server"));
  await page.waitForURL(/#transcript=my%20chat%2Ejson&turn=1/);
  await close();
});
