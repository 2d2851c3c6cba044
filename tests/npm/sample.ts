// Uses everything that is declared, as a host would. It is compiled, and never run.
import init, {
  FileStore, IndexedDbStore, Ledger, LocalStorageStore, MemoryStore, Ollama, Session, detectCrunch, detectGaps,
  extractConcepts, fillGaps, normalize, resolveReferences, version,
} from "diffledger";
import * as inline from "diffledger/inline";
import type {
  CallOptions, Candidate, Crunch, Degradable, DiffledgerError, Entry, ErrorCode, ErrorInfo, Evidence, Fill, Gap, InitInput,
  Injection, Kind, Learnt, LedgerOptions, Limits, Look, Mark, Messages, Model, ModelRequest, OllamaOptions, Progress,
  Recall, RecallOptions, Recalled, Rule, SessionOptions, State, Store, Stored, Summary, Turn, TurnOptions,
} from "diffledger";

const input: InitInput = new URL("file:///diffledger_bg.wasm");
await init();
await init(input);
await init({ module_or_path: fetch("diffledger_bg.wasm") });
export const same: typeof normalize = inline.normalize;

const limits: Limits = { matching: "refined", jaccard: 500, staleTurns: 30, gapMax: 2, fillChars: 300, fillTokens: 400, logBytes: 1 << 20 };
const ollama: OllamaOptions = { url: "http://127.0.0.1:11434", name: "qwen3:1.7b", key: "secret", timeout: 1 };
const model: Model = async ({ system, prompt, schema }: ModelRequest, { signal }) => `${system}${prompt}${Object.keys(schema)}${signal.aborted}`;
const store: Store = { load: () => null, save: async (name, data, expected) => name + data + expected };
const remote: RecallOptions = { url: "http://127.0.0.1:8100", key: "secret", topK: 3, timeout: 1 };
const recall: Recall = (query, { topK, signal }): Recalled[] => (signal.aborted ? [] : [{ text: query, id: null, score: topK }]);
const call: CallOptions = { signal: AbortSignal.timeout(10) };
const options: TurnOptions = { ...call, onProgress: ({ stage, done, total }: Progress) => console.log(stage, done / total) };

const sessionOptions: SessionOptions = { ...limits, id: "sample", store, model, recall };
using session = new Session(sessionOptions);
new Session({ id: "plain", store: null, model: ollama, recall: remote }).dispose();
const messages: Messages = [{ role: "user", content: "which port?" }];
for (const given of [messages, { messages, system: "be brief" }, "{}", new Uint8Array()] satisfies Messages[]) await session.turn(given, options);
const turn: Turn = await session.turn(messages);
const told: Turn = await session.tell("which port?", options);
const learnt: Learnt = await session.learn(messages, options);
session.injected(turn.id);
const crunch: Crunch = await session.crunch({ keep: 2, summary: "all is well" });
await session.markAllStale(crunch);
const look: Look = session.look("which port?");
await session.load();
await session.save();
await session.purge();
export const seen: [string, readonly Entry[], Summary, Crunch | null] = [session.id, session.entries, session.summary(), learnt.crunch];

const ledgerOptions: LedgerOptions = { ...limits, store: new MemoryStore() };
using ledger = new Ledger("sample", ledgerOptions);
const opened: Ledger = await Ledger.open("sample", { store: new IndexedDbStore({ database: "mine" }) });
ledger.add("port", "Staging listens on port 8444.", { source: "docs", score: 900 });
export const known: [boolean, number, string[], Entry[], number, string] = [
  ledger.isKnown("port"), ledger.conceptRefCount("port"), ledger.liveCanonicals(), ledger.staleEntries(), ledger.turn, ledger.sessionId,
];
ledger.markAllStale(null);
ledger.advanceTurn();
ledger.reset();
await ledger.save();
opened.dispose();

const gaps: Degradable<Gap> = await detectGaps("which port?", ledger, { ...call, model });
const fills: Degradable<Fill> = await fillGaps([...gaps, "port"], ledger, { ...call, recall });
const references: Degradable<string> = await resolveReferences("that one", ["port"], { model: ollama });
export const detected: (Crunch | null)[] = [detectCrunch(), detectCrunch(messages, ledger), detectCrunch({ path: "chat.jsonl" })];
export const names: string[] = [normalize("The Port"), ...extractConcepts("which port?"), version, ...references];

export const explained = gaps.map(({ evidence, runnersUp, state, kind, status, error }: Gap) => {
  const { rule, span, shared = 0, total = 0, score, note }: Evidence = evidence;
  const best: Candidate | undefined = runnersUp[0];
  return [rule satisfies Rule, span?.[0], shared / total, score, note, best?.entry, state satisfies State, kind satisfies Kind, status, error?.code];
});
export const sources = fills.map(({ source: { kind, seqs, id }, text, tokens, cut }) => [kind, seqs, id, text, tokens, cut]);
export const records = seen[1].flatMap(({ injections, marks }) => [injections satisfies Injection[], marks satisfies Mark[]]);
export const worse: ErrorInfo[] = [...turn.degraded, ...told.degraded, ...gaps.degraded];
export const found = [look.gaps, look.fills, look.unknown, turn.inject, turn.skipped["role:critic"]];

const stores = [new MemoryStore(), new FileStore({ folder: ".", timeout: 1 }), new LocalStorageStore({ prefix: "mine/" }), new IndexedDbStore()];
for (const one of stores satisfies Store[]) {
  const stored: Stored | null = await one.load("form");
  const revision: string = await one.save("form", "{}", stored?.revision ?? null);
  const aside: string | null = await one.setAside("form");
  await one.remove(aside ?? revision);
}

const client = new Ollama(ollama);
export const server: [string, string[], number[][]] = [await client.version(call), await client.models(), await client.embed(["a"])];

export function advice(error: DiffledgerError): string {
  const again: ErrorCode = "conflict";
  return error.code === again ? "load, turn, save" : `${error.message}${error.cause}`;
}

// @ts-expect-error a number is no text
normalize(1);
// @ts-expect-error a session has an id
new Session({});
// @ts-expect-error there is no such code
export const code: ErrorCode = "oops";
// @ts-expect-error there is no such option
new Session({ id: "a", gapmax: 1 });
