// What every runtime runs against the installed package: a claim that is added here holds everywhere.

import { golden, story } from "./story_files.mjs";
import { difference } from "./story.mjs";

/** What an entry exports: all of it, and nothing of the wasm's inside. */
const NAMES = [
  "FileStore", "IndexedDbStore", "Ledger", "LocalStorageStore", "MemoryStore", "Ollama", "Session", "default",
  "detectCrunch", "detectGaps", "extractConcepts", "fillGaps", "normalize", "resolveReferences", "version",
];

const TALK = [
  { role: "user", content: "How do failed pulls get another try?" },
  { role: "assistant", content: "The retry queue waits 30 s and doubles after each failure." },
];
const ASK = [{ role: "user", content: "how does it work again?" }];

/** @param {typeof import("diffledger")} diffledger what the entry exports */
export async function program(diffledger) {
  await diffledger.default();
  await diffledger.default();
  equal(Object.keys(diffledger).sort(), NAMES);
  equal(diffledger.normalize("The Staging Port"), "staging port");
  equal(await difference(diffledger, { story, golden }), "");
  await aFillComesBack(diffledger);
  await aSessionIsKept(diffledger);
  await aModelIsAskedAndCanBeCalledOff(diffledger);
  await aLedgerFindsItsGaps(diffledger);
  await anErrorHasACode(diffledger);
  return "ok";
}

async function aFillComesBack({ Session }) {
  const session = new Session({ id: "program" });
  await session.turn(TALK);
  await session.crunch();
  const turn = await session.turn(ASK);
  equal(turn.fills.map((fill) => fill.text), [TALK[1].content]);
  equal(turn.inject.includes(`> ${TALK[1].content}`), true);
  equal(await session.turn(ASK), turn);
  session.dispose();
  equal((await refused(() => session.turn(ASK))).code, "disposed");
}

async function aSessionIsKept({ MemoryStore, Session }) {
  const store = new MemoryStore();
  const first = new Session({ id: "program", store });
  await first.learn(TALK);
  await first.crunch();
  await first.save();
  const second = new Session({ id: "program", store });
  const [turn] = await Promise.all([second.turn(ASK), second.save()]);
  equal(turn.fills.length, 1);
  await first.learn(ASK);
  equal((await refused(() => first.save())).code, "conflict");
}

async function aModelIsAskedAndCanBeCalledOff({ Session }) {
  const asked = [];
  const model = (request) => { asked.push(request.prompt); return "no answer"; };
  const session = new Session({ id: "program", model });
  await session.turn(TALK);
  await session.crunch();
  const turn = await session.turn(ASK);
  equal([asked.length, turn.fills.length, turn.degraded.map(({ code }) => code)], [1, 1, ["invalidAnswer"]]);
  const controller = new AbortController();
  const silent = new Session({ id: "program", model: () => { controller.abort(); return new Promise(() => {}); } });
  await silent.turn(TALK);
  await silent.crunch();
  equal((await refused(() => silent.turn(ASK, { signal: controller.signal }))).code, "aborted");
}

async function aLedgerFindsItsGaps({ Ledger, MemoryStore, detectGaps, fillGaps, resolveReferences }) {
  const ledger = new Ledger("program", { store: new MemoryStore() });
  ledger.add("staging port", "Staging listens on port 8444.");
  equal([ledger.isKnown("the staging port"), ledger.turn, ledger.entries.length], [true, 0, 1]);
  ledger.markAllStale();
  const gaps = await detectGaps("what is the staging port?", ledger);
  equal(gaps.map(({ concept, state }) => [concept, state]), [["staging port", "stale"]]);
  equal((await fillGaps(gaps, ledger)).map((fill) => fill.text), ["Staging listens on port 8444."]);
  equal([...(await resolveReferences("and the second one?", ["tunnel", "rate limiter"]))], ["rate limiter"]);
  await ledger.save();
}

async function anErrorHasACode({ Session }) {
  const error = await refused(() => new Session({ id: "../up" }));
  equal([error instanceof Error, error.name, error.code], [true, "DiffledgerError", "invalidSessionId"]);
  equal((await refused(() => Session.prototype.turn.call({}, TALK))).code, "invalidInput");
}

async function refused(action) {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was refused");
}

function equal(found, expected) {
  const [left, right] = [found, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`found ${left}, expected ${right}`);
}
