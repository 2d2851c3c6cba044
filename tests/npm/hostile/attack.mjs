// Hands anything to one place of the package after the other. What comes of it must be a result or a
// typed error, soon, and the object must work afterwards as it did before.

import { readFileSync } from "node:fs";

import * as diffledger from "diffledger";

import { OWN, randomJson, values } from "./values.mjs";

const { FileStore, IndexedDbStore, Ledger, LocalStorageStore, MemoryStore, Ollama, Session } = diffledger;

// No server is asked, and who waits for what never settles need not wait long.
const { setTimeout: wait } = globalThis;
globalThis.fetch = async () => { throw new TypeError("no network here"); };
globalThis.setTimeout = (callback, milliseconds, ...rest) => wait(callback, Math.min(milliseconds, 20), ...rest);

/** Longer than any call takes, on a busy machine too. */
const MOST_MS = 240_000;

const declared = readFileSync(new URL("./node_modules/diffledger/index.d.ts", import.meta.url), "utf8");
const union = declared.match(/type ErrorCode =([^;]*);/)[1];
const CODES = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code);

const TALK = [
  { role: "user", content: "How do failed pulls get another try?" },
  { role: "assistant", content: "The retry queue waits 30 s and doubles after each failure." },
];
const ASK = "how does the retry queue work?";
const CHAT = [...TALK, { role: "user", content: ASK }];

const faults = [];
let cases = 0;
process.on("uncaughtException", (error) => faults.push(`thrown where nobody catches: ${error?.stack ?? String(error)}`));
process.on("unhandledRejection", (error) => error === OWN || faults.push(`rejected where nobody waits: ${error?.stack ?? String(error)}`));

const MAKERS = Object.entries(values(diffledger));

/** Calls `attack` with each value, then asks `probe` whether all is as before. */
async function each(place, attack, probe = async () => "") {
  const before = await probe();
  for (const [name, make] of MAKERS) await one(`${place}: ${name}`, () => attack(make()), probe, before);
}

async function one(label, attack, probe, before) {
  cases += 1;
  const start = performance.now();
  const ended = await Promise.race([outcome(label, attack), new Promise((resolve) => wait(resolve, MOST_MS, "hang"))]);
  if (ended === "hang") faults.push(`${label}: does not settle`);
  const took = performance.now() - start;
  if (took > 10_000) console.error(`slow: ${label}: ${took.toFixed(0)} ms`);
  const after = await probe().catch((error) => `the probe fails: ${error?.stack ?? error}`);
  if (after !== before) faults.push(`${label}: afterwards ${after.slice(0, 300)}, before ${before.slice(0, 300)}`);
}

async function outcome(label, attack) {
  try {
    const made = await attack();
    if (made instanceof Session || made instanceof Ledger) made.dispose();
  } catch (error) {
    const typed = error instanceof Error && error.name === "DiffledgerError" && CODES.includes(error.code);
    if (!typed) faults.push(`${label}: a foreign error: ${error?.stack ?? String(error)}`);
    else if (error.message.length > 2_000) faults.push(`${label}: a message of ${error.message.length} characters`);
  }
}

/** What a session says after being begun anew. */
async function probeOf(session) {
  await session.purge();
  await session.turn(TALK);
  await session.crunch();
  const turn = await session.turn(CHAT.slice(2));
  return JSON.stringify([turn, session.look(ASK), session.entries, session.summary()]);
}

/** What a ledger says after a reset. */
async function probeOfLedger(ledger) {
  ledger.reset();
  ledger.add("staging port", "Staging listens on port 8444.");
  ledger.markAllStale();
  const gaps = await diffledger.detectGaps("what is the staging port?", ledger);
  return JSON.stringify([gaps, ledger.entries, ledger.summary(), ledger.turn, ledger.staleEntries(), ledger.isKnown("port")]);
}

const PLACES = { session, sessionOptions, messages, ledger, functions, callbacks, stores, receivers, init };

async function session() {
  const session = new Session({ id: "probe", model: () => '{"references": []}', recall: () => [] });
  const probe = () => probeOf(session);
  for (const method of ["turn", "learn", "tell"]) {
    const good = method === "tell" ? ASK : CHAT;
    await each(`${method}(value)`, (value) => session[method](value), probe);
    await each(`${method}(…, value)`, (value) => session[method](good, value), probe);
    for (const field of ["signal", "onProgress", "other"]) {
      await each(`${method}(…, {${field}})`, (value) => session[method](good, { [field]: value }), probe);
    }
  }
  for (const method of ["crunch", "markAllStale", "injected", "look", "summary", "load"]) {
    await each(`${method}(value)`, (value) => session[method](value), probe);
  }
  for (const field of ["keep", "summary", "other"]) await each(`crunch({${field}})`, (value) => session.crunch({ [field]: value }), probe);
  await each("markAllStale({id})", (value) => session.markAllStale({ id: value }), probe);
  await each("save(value)", (value) => session.save(value), probe);
}

const LIMITS = ["matching", "jaccard", "staleTurns", "gapMax", "fillChars", "fillTokens", "logBytes", "other"];

async function sessionOptions() {
  const used = async (session) => {
    try {
      await session.turn(TALK);
      await session.crunch();
      await session.turn(CHAT.slice(2));
      session.look(ASK);
      await session.save();
    } finally {
      session.dispose();
    }
  };
  await each("new Session(value)", (value) => used(new Session(value)));
  for (const field of ["id", "store", "model", "recall", ...LIMITS]) {
    await each(`new Session({${field}})`, (value) => used(new Session({ id: "a", store: new MemoryStore(), [field]: value })));
  }
  for (const [option, fields] of [["model", ["url", "name", "key", "timeout"]], ["recall", ["url", "key", "topK", "timeout"]]]) {
    for (const field of fields) {
      await each(`new Session({${option}: {${field}}})`, (value) => used(new Session({ id: "a", store: new MemoryStore(), [option]: { [field]: value } })));
    }
  }
  for (const field of ["url", "name", "key", "timeout"]) {
    await each(`new Ollama({${field}})`, (value) => new Ollama({ [field]: value }).version());
  }
  await each("new Ollama(value)", (value) => new Ollama(value).models());
  const ollama = new Ollama();
  for (const method of ["version", "models"]) {
    await each(`${method}(value)`, (value) => ollama[method](value));
    await each(`${method}({signal})`, (value) => ollama[method]({ signal: value }));
  }
  await each("embed(value)", (value) => ollama.embed(value));
  await each("embed([value])", (value) => ollama.embed([value]));
  await each("embed(…, {signal})", (value) => ollama.embed(["a"], { signal: value }));
}

/** In every place of a conversation, and conversations made at random. */
async function messages() {
  const session = new Session({ id: "probe" });
  const probe = () => probeOf(session);
  const places = {
    "[value]": (value) => [...TALK, value],
    "{messages}": (value) => ({ messages: value }),
    "{messages, system}": (value) => ({ messages: TALK, system: value }),
    role: (value) => [{ role: value, content: "a" }],
    content: (value) => [{ role: "user", content: value }],
    "content[0]": (value) => [{ role: "user", content: [value] }],
    text: (value) => [{ role: "user", content: [{ type: "text", text: value }] }],
    input: (value) => [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "Bash", input: value }] }],
    tool_calls: (value) => [{ role: "assistant", tool_calls: value }],
    id: (value) => [{ id: value, role: "user", content: "a" }],
    uuid: (value) => [{ type: "user", uuid: value, parentUuid: value, message: { role: "user", content: "a" } }],
  };
  for (const [place, made] of Object.entries(places)) await each(`turn(${place})`, (value) => session.turn(made(value)), probe);
  const before = await probe();
  for (let seed = 1; seed <= 1500; seed += 1) {
    await one(`turn(random ${seed})`, () => session.turn(randomJson(seed)), async () => before, before);
    if (seed % 50 === 0) await one(`random up to ${seed}`, async () => {}, probe, before);
  }
}

async function ledger() {
  const ledger = new Ledger("probe", { store: new MemoryStore() });
  const probe = () => probeOfLedger(ledger);
  const store = () => new MemoryStore();
  await each("new Ledger(value)", (value) => new Ledger(value, { store: store() }));
  await each("new Ledger(…, value)", (value) => new Ledger("a", value));
  await each("Ledger.open(value)", (value) => Ledger.open(value, { store: store() }));
  await each("Ledger.open(…, value)", (value) => Ledger.open("a", value));
  for (const field of ["store", ...LIMITS]) {
    await each(`new Ledger(…, {${field}})`, (value) => new Ledger("a", { store: store(), [field]: value }));
    await each(`Ledger.open(…, {${field}})`, (value) => Ledger.open("a", { store: store(), [field]: value }));
  }
  await each("add(value)", (value) => ledger.add(value, "text"), probe);
  await each("add(…, value)", (value) => ledger.add("port", value), probe);
  await each("add(…, …, value)", (value) => ledger.add("port", "text", value), probe);
  for (const field of ["source", "score", "other"]) await each(`add(…, …, {${field}})`, (value) => ledger.add("port", "text", { [field]: value }), probe);
  for (const method of ["isKnown", "conceptRefCount", "markAllStale", "advanceTurn", "summary", "save", "liveCanonicals", "staleEntries"]) {
    await each(`${method}(value)`, (value) => ledger[method](value), probe);
  }
  await each("markAllStale({id})", (value) => ledger.markAllStale({ id: value }), probe);
}

async function functions() {
  const ledger = new Ledger("probe", { store: new MemoryStore() });
  const probe = () => probeOfLedger(ledger);
  const { detectCrunch, detectGaps, extractConcepts, fillGaps, normalize, resolveReferences } = diffledger;
  await each("normalize", (value) => normalize(value));
  await each("extractConcepts", (value) => extractConcepts(value));
  await each("detectCrunch(value)", (value) => detectCrunch(value), probe);
  await each("detectCrunch({path})", (value) => detectCrunch({ path: value }));
  await each("detectCrunch(…, value)", (value) => detectCrunch(CHAT, value));
  await each("detectGaps(value)", (value) => detectGaps(value, ledger), probe);
  await each("detectGaps(…, value)", (value) => detectGaps(ASK, value), probe);
  await each("detectGaps(…, …, value)", (value) => detectGaps(ASK, ledger, value), probe);
  await each("fillGaps(value)", (value) => fillGaps(value, ledger), probe);
  await each("fillGaps([value])", (value) => fillGaps([value], ledger), probe);
  await each("fillGaps([{concept}])", (value) => fillGaps([{ concept: value }], ledger), probe);
  await each("fillGaps(…, value)", (value) => fillGaps(["port"], value), probe);
  await each("fillGaps(…, …, value)", (value) => fillGaps(["port"], ledger, value), probe);
  await each("resolveReferences(value)", (value) => resolveReferences(value, ["port"]));
  await each("resolveReferences(…, value)", (value) => resolveReferences("the port", value));
  await each("resolveReferences(…, [value])", (value) => resolveReferences("the port", [value, "port"]));
  await each("resolveReferences(…, …, value)", (value) => resolveReferences("the port", ["port"], value));
  for (const field of ["model", "signal", "other"]) {
    await each(`detectGaps(…, {${field}})`, (value) => detectGaps(ASK, ledger, { [field]: value }), probe);
    await each(`resolveReferences(…, {${field}})`, (value) => resolveReferences("the port", ["port"], { [field]: value }));
  }
  for (const field of ["recall", "signal", "other"]) await each(`fillGaps(…, {${field}})`, (value) => fillGaps(["port"], ledger, { [field]: value }), probe);
}

/** A model and a search that give anything, or throw it. */
async function callbacks() {
  let give = () => [];
  const session = new Session({ id: "probe", model: () => give(), recall: () => give() });
  const probe = () => { give = () => "[]"; return probeOf(session); };
  const asks = async () => {
    await session.turn(TALK);
    await session.crunch();
    await session.turn([{ role: "user", content: "how does the flux capacitor work?" }]);
  };
  await each("a model and a search give", (value) => { give = () => value; return asks(); }, probe);
  await each("a model and a search throw", (value) => { give = () => { throw value; }; return asks(); }, probe);
  await each("a search gives [value]", (value) => { give = () => [value]; return asks(); }, probe);
  await each("a search gives [{text}]", (value) => { give = () => [{ text: value, id: "a" }]; return asks(); }, probe);
  await each("a search gives [{id}]", (value) => { give = () => [{ text: "The flux capacitor flows.", id: value }]; return asks(); }, probe);
  await each("a listener throws", (value) => session.turn(CHAT, { onProgress: () => { throw value; } }), probe);
  await each("a listener gives", (value) => session.turn(CHAT, { onProgress: () => value }), probe);
}

/** Stores whose methods give anything, or throw it; and the package's own stores. */
async function stores() {
  const good = () => ({ load: () => null, save: () => "1", remove: () => {}, setAside: () => null });
  const used = async (store) => {
    const session = new Session({ id: "a", store });
    for (const step of [() => session.turn(CHAT), () => session.save(), () => session.load(), () => session.purge()]) await typed(step);
    session.look(ASK);
    session.dispose();
    await typed(async () => new Ledger("a", { store }).dispose());
    await typed(async () => { const ledger = await Ledger.open("a", { store }); await ledger.save(); });
  };
  for (const method of ["load", "save", "remove"]) {
    await each(`store.${method} gives`, (value) => used({ ...good(), [method]: () => value }));
    await each(`store.${method} throws`, (value) => used({ ...good(), [method]: () => { throw value; } }));
    await each(`store.${method} is`, (value) => used({ ...good(), [method]: value }));
  }
  for (const field of ["revision", "data"]) {
    await each(`store.load gives {${field}}`, (value) => used({ ...good(), load: () => ({ revision: "1", data: "", [field]: value }) }));
  }
  for (const [type, fields] of [[MemoryStore, []], [FileStore, ["folder", "timeout"]], [LocalStorageStore, ["prefix"]], [IndexedDbStore, ["database"]]]) {
    await each(`new ${type.name}(value)`, (value) => new type(value));
    for (const field of fields) await each(`new ${type.name}({${field}})`, (value) => new type({ [field]: value }));
    const store = new type();
    for (const method of ["load", "remove", "setAside"]) await each(`${type.name}.${method}(value)`, (value) => store[method](value));
    for (const at of [0, 1, 2]) {
      await each(`${type.name}.save(argument ${at})`, (value) => store.save(...["form", "text", null].with(at, value)));
    }
  }
}

/** A step that may fail, but with a typed error. */
async function typed(step) {
  await outcome("a step of it", step);
}

/** Every method and getter of every class, called on anything. */
async function receivers() {
  for (const type of [Session, Ledger, Ollama, MemoryStore, FileStore, LocalStorageStore, IndexedDbStore]) {
    const members = Object.getOwnPropertyDescriptors(type.prototype);
    const strange = [...MAKERS, ["an object of the class that was never made", () => Object.create(type.prototype)]];
    for (const key of Reflect.ownKeys(members).filter((key) => key !== "constructor")) {
      const method = members[key].value ?? members[key].get;
      for (const [name, make] of strange) {
        const value = make();
        if (name.endsWith(type.name)) continue;
        await one(`${type.name}.${String(key)} of ${name}`, () => method.call(value, "a", "b", null), async () => "", "");
      }
    }
  }
  const session = new Session({ id: "probe" });
  await one("all methods of a session", async () => {}, () => probeOf(session), await probeOf(session));
}

/** The entry for browsers, which takes what `init` is given. */
async function init() {
  const web = await import("./node_modules/diffledger/diffledger.js");
  const endless = new Set(["a promise that never settles", "a promise whose then does nothing", "a thenable that never settles"]);
  for (const [name, make] of MAKERS.filter(([name]) => !endless.has(name))) {
    await one(`init(value): ${name}`, () => web.default(make()), async () => "", "");
    await one(`init({module_or_path}): ${name}`, () => web.default({ module_or_path: make() }), async () => "", "");
  }
  await web.default(readFileSync(new URL("./node_modules/diffledger/diffledger_bg.wasm", import.meta.url)));
  if (web.normalize("The Port") !== "port") faults.push("init: the wasm does not work afterwards");
}

await PLACES[process.argv[2]]().catch((error) => faults.push(`the test itself: ${error?.stack ?? error}`));
// What was thrown in a later task is heard of.
await new Promise((resolve) => wait(resolve, 100));
console.log(JSON.stringify({ cases, faults: faults.slice(0, 20), count: faults.length }));
process.exit();
