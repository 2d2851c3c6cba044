#!/usr/bin/env node
// The command `diffledger`: the verbs of the Python package, and `ingest`.
import { existsSync, readFileSync } from "node:fs";

import { Command, CommanderError } from "commander";

import { begunAnew, kept, opened } from "./cli/kept.js";
import * as printing from "./cli/printing.js";
import { VARIABLES, settings, transcripts } from "./cli/settings.js";
import { FileStore, extractConcepts, version } from "diffledger";
import { DiffledgerError, shown } from "./stores/error.js";
import { decoded } from "./stores/text.js";

/** @typedef {import("./cli/settings.js").Settings} Settings */

const FAILED = 1;
const MISUSED = 2;

const CODES = `
Exit codes:
  0  done
  1  failed: a file, a store, or somebody else who saves all the time
  2  a wrong option, argument or variable`;

const program = new Command("diffledger")
  .description("Keeps a ledger of what an agent has been told, and puts back what a compaction took away.")
  .version(version, "-V, --version", "print the version")
  .option("--session <id>", "the session (else: DIFFLEDGER_SESSION, CLAUDE_SESSION_ID, default)")
  .option("--folder <dir>", "where sessions are kept (else: ~/.diffledger)")
  .option("--json", "print the result as one line of JSON")
  .helpOption("-h, --help", "print this help")
  .helpCommand("help [command]", "print the help of a command")
  .addHelpText("after", help(["diffledger ingest chat.jsonl", 'diffledger inject "which port was staging on?"', "diffledger status --json"], ["session", "transcript", "limits", "remote"]))
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: (text) => complain(text.replace(/^error: /, "").trimEnd()) })
  .exitOverride();

verb("status", "show the ledger", ["diffledger status", "diffledger status --session my-session --json"], ["session", "limits"])
  .action(acting(async (store, given) => {
    const session = await opened(store, given);
    const summary = session.summary();
    print(given.json ? printing.json({ ...summary, entries: session.entries }) : printing.status(summary, session.entries));
  }));

verb("inject", "find what a message refers to and the agent has lost, and print it", ['diffledger inject "run it again"', "echo 'which port was it?' | diffledger inject -", 'diffledger inject "run it again" --model qwen3:1.7b'], ["session", "transcript", "limits", "remote"])
  .argument("<message>", "the user's message, after -- where it begins with a dash; - reads it from standard input")
  .option("--model <name>", "ask this model at Ollama")
  .option("--ollama <url>", "ask the model at this address")
  .option("--recall <url>", "search this store of texts as well")
  .action(acting(async (store, given, argument) => {
    const message = argument === "-" ? decodedMessage(await standardInput()) : String(argument);
    // An answer that cannot be kept is still one.
    await kept(store, given, async (session) => {
      /** @type {string[]} */
      const notes = [];
      const crunch = await learn(session, notes);
      const turn = await session.tell(message);
      return { turn: { ...turn, crunch: turn.crunch ?? crunch }, notes };
    }, ({ turn, notes }) => {
      if (turn.crunch && !given.json) print("[crunch detected] marking all entries stale");
      print(given.json ? printing.json(turn) : printing.turn(turn));
      for (const note of [...notes, ...printing.notes(turn)]) complain(note);
    });
  }));

verb("crunch", "say that the agent's context was compacted: all entries become stale", ["diffledger crunch"], ["session", "limits"])
  .action(acting(async (store, given) => {
    const stale = await kept(store, given, async (session) => {
      await session.markAllStale();
      return session.summary().stale;
    });
    print(given.json ? printing.json({ sessionId: given.id, stale }) : `Marked ${stale} entries stale. Ledger ready for post-crunch re-fill.`);
  }));

verb("reset", "forget a session; where a file of it is damaged, its files are kept under other names", ["diffledger reset --session my-session"], ["session"])
  .action(acting(async (store, given) => {
    const setAside = await begunAnew(store, given);
    for (const name of setAside) complain(`kept the old file as \`${name}\``);
    print(given.json ? printing.json({ sessionId: given.id, setAside }) : `Ledger reset for session '${given.id}'.`);
  }));

verb("extract", "print what a message names; nothing is kept", ['diffledger extract "the retry queue waits 30 s"'], [])
  .argument("<message>", "the message, after -- where it begins with a dash; - reads it from standard input")
  .action(acting(async (_store, given, argument) => {
    const message = argument === "-" ? decodedMessage(await standardInput()) : String(argument);
    const concepts = extractConcepts(message);
    print(printing.json(concepts, given.json ? undefined : 2));
  }));

verb("ingest", "learn a transcript", ["diffledger ingest chat.jsonl", "cat chat.json | diffledger ingest -"], ["session", "transcript", "limits"])
  .argument("[file]", "the transcript; - reads it from standard input (else: CLAUDE_TRANSCRIPT_PATH, CLAUDE_CODE_TRANSCRIPT)")
  .action(acting(async (store, given, argument) => {
    const bytes = argument === "-" ? await standardInput() : transcriptFile(argument);
    const learnt = await kept(store, given, (session) => session.learn(bytes));
    print(given.json ? printing.json({ sessionId: given.id, ...learnt }) : printing.learnt(learnt, given.id));
  }));

// A reader that has seen enough, such as `head`, is no failure: what was to be saved is saved by then.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (/** @type {any} */ (error).code === "EPIPE") process.exit();
    // A full disk, or a terminal that is gone: there may be nowhere left to say it.
    try {
      if (stream !== process.stderr) complain(`the output cannot be written (${/** @type {any} */ (error).code})`);
    } finally {
      process.exit(FAILED);
    }
  });
}

program.parseAsync().catch((error) => { process.exitCode = ended(error); });

/**
 * @param {string} name
 * @param {string} description
 * @param {string[]} examples
 * @param {(keyof typeof VARIABLES)[]} variables
 */
function verb(name, description, examples, variables) {
  return program.command(name).description(description).addHelpText("after", help(examples, variables));
}

/**
 * @param {string[]} examples
 * @param {(keyof typeof VARIABLES)[]} variables
 */
function help(examples, variables) {
  const sections = ["", "Examples:", ...examples.map((line) => `  ${line}`)];
  const rows = variables.flatMap((group) => VARIABLES[group]);
  if (rows.length > 0) sections.push("", "Environment (with defaults):", ...rows.map(([name = "", meaning]) => `  ${name.padEnd(24)}${meaning}`));
  return [...sections, CODES].join("\n");
}

/**
 * @param {(store: FileStore, given: Settings, argument: string | undefined) => Promise<void>} action
 * @returns {(this: Command) => Promise<void>}
 */
function acting(action) {
  return async function () {
    const given = settings(this.optsWithGlobals(), process.env);
    await action(new FileStore({ folder: given.folder }), given, this.args[0]);
  };
}

/**
 * Learns the host's transcript before a message is looked at. One that cannot be read is no reason
 * to leave the message without an answer.
 * @param {import("diffledger").Session} session
 * @param {string[]} notes
 */
async function learn(session, notes) {
  try {
    const transcript = readable(transcripts(process.env));
    return transcript && (await session.learn(transcript)).crunch;
  } catch (error) {
    const { message, code } = /** @type {any} */ (error);
    notes.push(`the transcript was not learnt: ${message} (${code})`);
    return null;
  }
}

/** @param {string | undefined} file */
function transcriptFile(file) {
  const candidates = file === undefined ? transcripts(process.env) : [file];
  const [last] = candidates.slice(-1);
  if (last === undefined) {
    throw new DiffledgerError("invalidInput", "there is nothing to ingest: name a file, or set `CLAUDE_TRANSCRIPT_PATH`");
  }
  return readable(candidates) ?? read(last);
}

/**
 * The first file that is there.
 * @param {string[]} files
 */
function readable(files) {
  for (const file of files) {
    // The next may be there; a host names its transcript before it writes it.
    if (existsSync(file)) return read(file);
  }
  return null;
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code, name } = /** @type {any} */ (cause);
    throw new DiffledgerError("fileUnreadable", `\`${shown(file)}\` cannot be read (${code ?? name})`, cause);
  }
}

async function standardInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @param {Uint8Array} bytes */
function decodedMessage(bytes) {
  try {
    return decoded(bytes, "standard input").replace(/\r?\n$/, "");
  } catch (cause) {
    throw new DiffledgerError("notText", "standard input is not UTF-8 text", cause);
  }
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string} text */
function complain(text) {
  process.stderr.write(`diffledger: ${printing.safe(text)}\n`);
}

/** @param {unknown} error */
function ended(error) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
  const { code, message } = /** @type {any} */ (error);
  complain(code === "damaged" ? `${message}; \`diffledger reset\` keeps the session's files under other names and begins anew (${code})` : `${message} (${code ?? "internal error"})`);
  return ["invalidSessionId", "invalidOption", "invalidInput"].includes(code) ? MISUSED : FAILED;
}
