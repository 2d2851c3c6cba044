// Real results of every kind, as declarations that TypeScript checks: no field may be missing and none
// may be more than is declared.

import { story } from "./story_files.mjs";

/** @param {typeof import("diffledger")} diffledger */
export async function results({ Ledger, MemoryStore, Session, detectCrunch, detectGaps, fillGaps, resolveReferences }) {
  const samples = [];
  const add = (type, value) => samples.push([type, value]);

  const records = story.trim().split("\n").map((line) => JSON.parse(line));
  const session = new Session({ id: "story" });
  for (const [at, record] of records.entries()) if (record.type === "user") add("Turn", await session.turn(records.slice(0, at + 1)));
  add("Entry[]", session.entries);
  add("Summary", session.summary());
  add("Look", session.look("which port was staging on, and what is the flux capacitor?"));
  add("Crunch", await session.crunch({ keep: 2, summary: "The retry queue waits 30 s." }));
  add("Crunch | null", detectCrunch(records));

  const calls = [];
  const own = new Session({
    id: "own",
    gapMax: 1,
    model: () => { throw new Error("down"); },
    recall: (query) => [{ text: `The ${query} needs 1.21 gigawatts.`, id: "a1" }],
  });
  const onProgress = (progress) => calls.push(progress);
  add("Learnt", await own.learn([{ role: "user", content: "The retry queue waits 30 s. The rate limiter allows 80 requests." }, { role: "critic", content: "?" }]));
  add("Crunch", await own.crunch());
  add("Turn", await own.turn([{ role: "user", content: "how do the retry queue, the rate limiter and the flux capacitor work?" }], { onProgress }));
  add("Turn", await own.tell("what does the time machine need?", { onProgress }));
  add("Learnt", await own.learn([{ role: "user", content: "all else is gone" }]));
  for (const progress of calls) add("Progress", progress);

  const store = new MemoryStore();
  const ledger = new Ledger("seed", { store });
  ledger.add("staging port", "Staging listens on port 8444.", { source: "docs", score: 900 });
  ledger.markAllStale();
  const gaps = await detectGaps("what is the staging port?", ledger);
  add("Gap[]", [...gaps]);
  add("Fill[]", [...(await fillGaps([...gaps, "flux"], ledger, { recall: (query) => [{ text: `${query}: flows` }] }))]);
  add("ErrorInfo[]", [...(await resolveReferences("and the second?", ["a", "b"], { model: () => "hm" })).degraded]);
  add("Entry[]", ledger.staleEntries());
  add("Summary", ledger.summary());
  await ledger.save();
  add("Stored | null", store.load("ledger_seed.json"));
  return { declared: declarations(samples), unseen: unseen(samples) };
}

function declarations(samples) {
  const types = [...new Set(samples.flatMap(([type]) => type.match(/[A-Z]\w+/g)))];
  const lines = samples.map(([type, value]) => `(${JSON.stringify(value)}) satisfies ${type};`);
  return [`import type { ${types.join(", ")} } from "diffledger";`, ...lines].join("\n");
}

/** Fields that were empty or null in every sample: nothing is known of what stands there. */
function unseen(samples) {
  const seen = new Map();
  const visit = (name, value) => {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    seen.set(name, (seen.get(name) ?? false) || !isEmpty);
    if (Array.isArray(value)) value.forEach((item) => visit(`${name}[]`, item));
    else if (value && typeof value === "object" && name !== "skipped") Object.entries(value).forEach(([field, inner]) => visit(field, inner));
  };
  for (const [type, value] of samples) visit(type, value);
  return [...seen].filter(([, isSeen]) => !isSeen).map(([name]) => name);
}
