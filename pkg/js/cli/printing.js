/** @typedef {import("../../src/types.d.ts").Entry} Entry */
/** @typedef {import("../../src/types.d.ts").Summary} Summary */
/** @typedef {import("../../src/types.d.ts").Turn} Turn */

// Control characters move the cursor and rename the window; direction marks let a text look like another.
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text for a terminal: line breaks and tabs as they are, other control characters as `\x1b`.
 * @param {string} text
 */
export function safe(text) {
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, escape);
}

/**
 * One line of JSON, or several, without raw control characters.
 * @param {unknown} value
 * @param {number} [indent]
 */
export function json(value, indent) {
  return JSON.stringify(value, null, indent).replace(/[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (character) => `\\u${code(character, 4)}`);
}

/**
 * @param {Summary} summary
 * @param {readonly Entry[]} entries
 */
export function status(summary, entries) {
  const expired = summary.expired > 0 ? `   Expired: ${summary.expired}` : "";
  const lines = [
    `Session : ${safe(summary.sessionId)}`,
    `Turn    : ${summary.turn}`,
    `Live    : ${summary.live}   Stale: ${summary.stale}${expired}   Total: ${summary.total}`,
    "",
  ];
  const byReferences = [...entries].sort((one, other) => other.referenceCount - one.referenceCount);
  for (const entry of byReferences) {
    const state = entry.state === "live" ? "live " : entry.state.toUpperCase();
    lines.push(`  [${state}] ${oneLine(entry.concept)} (×${entry.referenceCount} refs, turn ${entry.lastTurn})`);
  }
  return lines.join("\n");
}

/** @param {Turn} turn */
export function turn({ gaps, fills }) {
  if (gaps.length === 0) return "No gaps detected.";
  const lines = [`Gaps: [${gaps.map((gap) => quoted(gap.concept)).join(", ")}]`];
  for (const fill of fills) lines.push("", `[${oneLine(fill.concept)}]`, indented(fill.text));
  return lines.join("\n");
}

/**
 * What a turn has to say beside its result: a line each.
 * @param {Turn} turn
 */
export function notes({ gaps, degraded }) {
  const open = gaps.flatMap((gap) => (gap.error ? [`\`${oneLine(gap.concept)}\` stays open: ${oneLine(gap.error.message)} (${gap.error.code})`] : []));
  const said = new Set(gaps.map((gap) => gap.error?.message));
  return [...open, ...degraded.filter((error) => !said.has(error.message)).map((error) => `${oneLine(error.message)} (${error.code})`)];
}

/**
 * @param {import("../../src/types.d.ts").Learnt} learnt
 * @param {string} id
 */
export function learnt({ messages, crunch, skipped }, id) {
  const lines = [`Learnt ${messages} ${messages === 1 ? "message" : "messages"} for session '${safe(id)}'.`];
  if (crunch) lines.push(`[crunch detected] ${crunch.lost.length} concepts lost, ${crunch.survived.length} survived`);
  const kinds = Object.entries(skipped).map(([kind, count]) => `${oneLine(kind)} ${count}`);
  if (kinds.length > 0) lines.push(`Not understood: ${kinds.join(", ")}`);
  return lines.join("\n");
}

/** @param {string} text */
export function oneLine(text) {
  return safe(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

/** @param {string} text */
function indented(text) {
  return safe(text).split("\n").map((line) => (line === "" ? "" : `  ${line}`)).join("\n");
}

/**
 * As Python shows a string in a list.
 * @param {string} text
 */
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = oneLine(text.replace(/\\/g, "\\\\"));
  return mark + (mark === "'" ? inside.replace(/'/g, "\\'") : inside) + mark;
}

/** @param {string} character */
function escape(character) {
  return character < "\u0100" ? `\\x${code(character, 2)}` : `\\u${code(character, 4)}`;
}

/**
 * @param {string} character
 * @param {number} digits
 */
function code(character, digits) {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
