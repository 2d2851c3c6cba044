/// <reference lib="esnext.disposable" />
// The types of the package, written by hand. A test compiles them against what the package returns.

/** Makes the WebAssembly ready. Does nothing in Node, Deno, Bun, workerd and from `diffledger/inline`. */
export default function init(input?: InitInput | { module_or_path: InitInput | Promise<InitInput> } | Promise<InitInput>): Promise<void>;
export type InitInput = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** The version of the package. */
export const version: string;

export type ErrorCode =
  | "invalidSessionId" | "invalidOption" | "unknownFormat" | "invalidJson" | "notText" | "tooLarge"
  | "invalidAnswer" | "outOfRange" | "nothingFound" | "limitReached" | "forgotten"
  | "invalidInput" | "damaged" | "newerVersion" | "conflict" | "storeMissing" | "storeFailed"
  | "fileUnreadable" | "callbackFailed" | "disposed" | "aborted" | "timeout" | "unreachable" | "blocked"
  | "badStatus" | "badBody" | "modelMissing";

/** Everything that the package throws or rejects with. */
export interface DiffledgerError extends Error {
  name: "DiffledgerError";
  code: ErrorCode;
  /** What somebody else's code threw, where that was the reason. */
  cause?: unknown;
}

/** An error as part of a result. */
export interface ErrorInfo { code: ErrorCode; message: string }

export type State = "live" | "weakened" | "stale" | "expired" | "unknown";
export type Kind = "term" | "identifier" | "path" | "command" | "url" | "quantity" | "error" | "quote";
export type Mark = "decision" | "constraint" | "task" | "failure";
export type Rule =
  | "exact" | "tokenSubset" | "jaccard" | "prefix" | "ordinal" | "typed" | "pronoun" | "ellipsis"
  | "topic" | "session" | "model";

/** Why a message is taken to refer to something. */
export interface Evidence {
  rule: Rule;
  /** The words of the message that refer, as indices into the string; null when the whole message does. */
  span: [number, number] | null;
  /** Trigrams or tokens in common and of both together, for the fuzzy rules. */
  shared?: number;
  total?: number;
  score: number;
  /** One clause for people. */
  note: string;
}

export interface Candidate { concept: string; entry: number; score: number }

/** Something that the message refers to and that the agent no longer knows. */
export interface Gap {
  concept: string;
  kind: Kind;
  state: State;
  /** Its entry in the ledger; null when it was never told here. */
  entry: number | null;
  evidence: Evidence;
  runnersUp: Candidate[];
  status: "filled" | "open";
  /** Why it is open. */
  error: ErrorInfo | null;
}

/** The original words that close a gap. */
export interface Fill {
  concept: string;
  /** Verbatim. */
  text: string;
  source: { kind: "log" | "ledger" | "memory" | "remote"; seqs: number[]; id: string | null };
  /** Estimated. */
  tokens: number;
  /** Whether it is a part of a longer text. */
  cut: boolean;
}

/** A compaction: what left the window, and what went with it. */
export interface Crunch {
  id: string;
  kind: "vanished" | "placeholder" | "summary" | "marker" | "manual";
  dropped: number[];
  lost: string[];
  lostKinds: Kind[];
  survived: string[];
}

export interface Turn {
  /** The number of the user message that was looked at; 0 before the first one. */
  id: number;
  crunch: Crunch | null;
  gaps: Gap[];
  /** What the message names and nobody ever told in this session. */
  unknown: string[];
  fills: Fill[];
  /** The fills as one fenced block for the prompt; "" when there is nothing to say. */
  inject: string;
  /** What worked worse than configured, and why. */
  degraded: ErrorInfo[];
  /** What was not understood, counted by kind. */
  skipped: Record<string, number>;
}

export interface Look { gaps: Gap[]; fills: Fill[]; unknown: string[] }

export interface Injection { turn: number; text: string; source: string; score: number }

/** The ledger's record of one concept. */
export interface Entry {
  id: number;
  concept: string;
  canonical: string;
  kind: Kind;
  state: State;
  firstTurn: number;
  lastTurn: number;
  referenceCount: number;
  /** Positions in the log of the messages that state something about it. */
  carriers: number[];
  injections: Injection[];
  marks: Mark[];
}

export interface Summary {
  sessionId: string;
  turn: number;
  live: number;
  stale: number;
  expired: number;
  total: number;
}

/**
 * A conversation in any format that is understood: an array of messages (plain, OpenAI chat,
 * Anthropic, Claude Code records), an object with `messages` (and `system`), or the text of a file.
 */
export type Messages = readonly unknown[] | { messages: readonly unknown[]; system?: unknown } | string | Uint8Array;

/** An array of results that says what worked worse than asked for, and why. */
export type Degradable<T> = T[] & { readonly degraded: ErrorInfo[] };

export interface Limits {
  /** "published" is the Python package's matching, for comparison. Default "refined". */
  matching?: "refined" | "published";
  /** Least similarity of two terms, in thousandths. Default 500. */
  jaccard?: number;
  /** Turns for which an injection keeps its concept known. Default 30. */
  staleTurns?: number;
  /** Fills a turn. Default 2. */
  gapMax?: number;
  /** Characters of a fill. Default 300. */
  fillChars?: number;
  /** Estimated tokens of all fills of a turn. Default 400. */
  fillTokens?: number;
  /** Bytes of text that the log keeps. Default 64 MB. */
  logBytes?: number;
}

/** A local model. Only what is given here is ever asked. */
export interface OllamaOptions {
  /** Default `http://127.0.0.1:11434`. */
  url?: string;
  /** Default `qwen3:1.7b`. */
  name?: string;
  /** Sent as `Authorization: Bearer …`; never stored, never in a message. */
  key?: string;
  /** Milliseconds. Default 15 000. */
  timeout?: number;
}

export interface ModelRequest { system: string; prompt: string; schema: object }

/** Ollama, or a function that answers a request with the model's text. */
export type Model = OllamaOptions | ((request: ModelRequest, options: { signal: AbortSignal }) => string | Promise<string>);

/** A store of texts that answers `POST {url}/recall {query, top_k}` with `{results: [{text, id?, score?}]}`. */
export interface RecallOptions {
  /** Default `http://127.0.0.1:8100`. */
  url?: string;
  /** Sent as `Authorization: Bearer …`; never stored, never in a message. */
  key?: string;
  /** How many results are asked for. Default 3. */
  topK?: number;
  /** Milliseconds. Default 5 000. */
  timeout?: number;
}

export interface Recalled { text: string; id?: string | null; score?: number | null }

/** A store of texts, or a function that searches one. */
export type Recall = RecallOptions | ((query: string, options: { topK: number; signal: AbortSignal }) => Recalled[] | Promise<Recalled[]>);

export interface CallOptions {
  /** Calls it off: the promise rejects with the code `aborted`. */
  signal?: AbortSignal | null;
}

export interface Progress { stage: "learning" | "model" | "recall"; done: number; total: number }

export interface Stored { revision: string; data: string }

/** Where a ledger or session is kept. One's own object will do; every method may be async. */
export interface Store {
  load(name: string): Stored | null | undefined | Promise<Stored | null | undefined>;
  /**
   * Saves, and answers with the new revision. Throws an error with the code `conflict` when what is
   * stored is not `expectedRevision` any more (null: nothing must be stored).
   */
  save(name: string, data: string, expectedRevision: string | null): string | Promise<string>;
  /** Deletes what is stored. Without it an empty form is saved instead. */
  remove?(name: string): void | Promise<void>;
  /** Keeps what is stored under another name, so that a new one can be begun; answers with that name. */
  setAside?(name: string): string | null | Promise<string | null>;
}

/** Keeps everything in memory. */
export class MemoryStore implements Store {
  constructor();
  load(name: string): Stored | null;
  save(name: string, data: string, expectedRevision: string | null): string;
  remove(name: string): void;
  setAside(name: string): string | null;
}

/** Files in a folder (Node, Deno, Bun): mode 0600, replaced atomically, safe with several processes. */
export class FileStore implements Store {
  /** Default folder: `~/.diffledger`. */
  constructor(options?: {
    folder?: string;
    /** How long a save waits for others, in milliseconds. Default 30 000. */
    timeout?: number;
  });
  readonly folder: string;
  load(name: string): Stored | null;
  save(name: string, data: string, expectedRevision: string | null): Promise<string>;
  remove(name: string): Promise<void>;
  setAside(name: string): Promise<string | null>;
}

/** The `localStorage` of a page, for one tab: a browser may show a tab late what another has written. */
export class LocalStorageStore implements Store {
  constructor(options?: { prefix?: string });
  load(name: string): Stored | null;
  save(name: string, data: string, expectedRevision: string | null): Promise<string>;
  remove(name: string): Promise<void>;
  setAside(name: string): Promise<string | null>;
}

/** IndexedDB, in pages and workers; safe with several tabs. */
export class IndexedDbStore implements Store {
  constructor(options?: { database?: string });
  load(name: string): Promise<Stored | null>;
  save(name: string, data: string, expectedRevision: string | null): Promise<string>;
  remove(name: string): Promise<void>;
  setAside(name: string): Promise<string | null>;
}

export interface SessionOptions extends Limits {
  /** Letters, digits, `.`, `_`, `-`; at most 128, no leading dot. */
  id: string;
  /** Loaded from at the first `turn`, written to by `save()`. Without one nothing is kept. */
  store?: Store | null;
  model?: Model | null;
  recall?: Recall | null;
}

/** What came of learning a conversation. */
export interface Learnt {
  /** How many messages were new. */
  messages: number;
  crunch: Crunch | null;
  skipped: Record<string, number>;
}

export interface TurnOptions extends CallOptions { onProgress?: ((progress: Progress) => void) | null }

export class Session {
  constructor(options: SessionOptions);
  readonly id: string;
  readonly entries: Entry[];
  summary(): Summary;
  /** One turn with the whole conversation as it is now. Concurrent calls queue. */
  turn(messages: Messages, options?: TurnOptions): Promise<Turn>;
  /** Learns the conversation as it is now, and answers nothing. */
  learn(messages: Messages, options?: TurnOptions): Promise<Learnt>;
  /** One turn with a message that stands in no array, for hosts that hand over one at a time. What it fills counts as shown, and the turn advances. */
  tell(message: string, options?: TurnOptions): Promise<Turn>;
  /** Says that the fills of a turn were put where the messages do not show them. */
  injected(turnId: number): void;
  /** A compaction by hand: the last `keep` messages stay, `summary` stands for the rest. */
  crunch(options?: { keep?: number; summary?: string }): Promise<Crunch>;
  /** Declares all lost, until the next messages bring back what they hold. */
  markAllStale(crunch?: Crunch | null): Promise<void>;
  /** What a message would need now, without recording anything. */
  look(message: string): Look;
  /** Loads what the store holds, in place of what is here; the first call of any other method does it by itself. */
  load(): Promise<void>;
  /** Rejects with the code `conflict` when another process saved the session since it was loaded: `load()`, the turn again, `save()`. */
  save(): Promise<void>;
  /** Forgets the session, log and all, in the store too. */
  purge(): Promise<void>;
  /** Frees the memory. Every later call fails with the code `disposed`. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface LedgerOptions extends Limits {
  /** Default: files in Node, `localStorage` in a page, else none. */
  store?: Store | null;
}

export class Ledger {
  /** Loads what a synchronous store holds. For one that is not synchronous: `Ledger.open`. */
  constructor(sessionId: string, options?: LedgerOptions);
  static open(sessionId: string, options?: LedgerOptions): Promise<Ledger>;
  readonly sessionId: string;
  readonly turn: number;
  /** In order of first mention. */
  readonly entries: Entry[];
  add(concept: string, text: string, options?: { source?: string; score?: number }): void;
  isKnown(concept: string): boolean;
  conceptRefCount(concept: string): number;
  liveCanonicals(): string[];
  staleEntries(): Entry[];
  /** Declares all lost; a crunch is remembered by its id. */
  markAllStale(crunch?: Crunch | null): void;
  advanceTurn(): void;
  summary(): Summary;
  reset(): void;
  save(): Promise<void>;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** The form under which a concept is compared. */
export function normalize(concept: string): string;
/** What a message names. */
export function extractConcepts(message: string): string[];
/** A compaction that a transcript records and the ledger does not know yet. Without a source (Node): the file that `CLAUDE_TRANSCRIPT_PATH`, then `CLAUDE_CODE_TRANSCRIPT` names. */
export function detectCrunch(source?: Messages | { path: string } | null, ledger?: Ledger | null): Crunch | null;
/** What the message refers to and the ledger does not hold as known. */
export function detectGaps(message: string, ledger: Ledger, options?: CallOptions & { model?: Model | null }): Promise<Degradable<Gap>>;
/** Texts for gaps, from the ledger and then from `recall`; they are added to the ledger. */
export function fillGaps(gaps: readonly (Gap | string)[], ledger: Ledger, options?: CallOptions & { recall?: Recall | null }): Promise<Degradable<Fill>>;
/** Which of `concepts`, oldest first, the message refers to. */
export function resolveReferences(message: string, concepts: readonly string[], options?: CallOptions & { model?: Model | null }): Promise<Degradable<string>>;

/** Ollama's other interfaces. */
export class Ollama {
  constructor(options?: OllamaOptions);
  version(options?: CallOptions): Promise<string>;
  models(options?: CallOptions): Promise<string[]>;
  embed(texts: readonly string[], options?: CallOptions): Promise<number[][]>;
}
