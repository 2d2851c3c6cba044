// The first frame of the page as text, which index.html holds so that it is there before any wasm, and
// without scripts. `node tests/page/frame.mjs` writes it anew, after `cargo xtask page`.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const INDEX = fileURLToPath(new URL("../../index.html", import.meta.url));
const [FROM, TO] = ['<div id="page">\n', "\n</div>\n</body>"];

/** What stands in index.html. */
export async function written() {
  const text = await readFile(INDEX, "utf8");
  return text.slice(text.indexOf(FROM) + FROM.length, text.indexOf(TO));
}

/**
 * What an open page shows, as it would be without a script: controls are off, there is no dialog, and of
 * the chat there are only the last messages, since more of them would not be seen.
 */
export function frame(page) {
  return page.evaluate(() => {
    const place = document.getElementById("page").cloneNode(true);
    const range = place.querySelector("input[type=range]");
    range.setAttribute("value", document.querySelector("input[type=range]").value);
    for (const gone of place.querySelectorAll("dialog, .messages li:nth-last-child(n + 7)")) gone.remove();
    for (const control of place.querySelectorAll("button, input, select, textarea")) control.setAttribute("disabled", "");
    const comments = document.createTreeWalker(place, NodeFilter.SHOW_COMMENT);
    const found = [];
    while (comments.nextNode()) found.push(comments.currentNode);
    for (const comment of found) comment.remove();
    // Line breaks only where they show nowhere.
    return place.innerHTML.replace(/(<\/(?:section|li|tr|p|h2|header|main|table|thead|tbody|ol|ul|nav|label|button|details)>)</g, "$1\n<").trim();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { open } = await import("./page.mjs");
  const { page } = await open();
  const text = await readFile(INDEX, "utf8");
  const [before, rest] = [text.slice(0, text.indexOf(FROM) + FROM.length), text.slice(text.indexOf(TO))];
  await writeFile(INDEX, before + (await frame(page)) + rest);
  process.exit(0);
}
