import { DiffledgerError, shown } from "../stores/error.js";

/**
 * What a command works with, from flags and, where a flag is not given, variables. An empty variable
 * counts as not set. A model or a store of texts is only there when a flag or variable names it.
 * @typedef {{
 *   id: string,
 *   folder: string | undefined,
 *   json: boolean,
 *   limits: import("../../src/types.d.ts").Limits,
 *   model: import("../../src/types.d.ts").OllamaOptions | null,
 *   recall: import("../../src/types.d.ts").RecallOptions | null,
 * }} Settings
 */

/** The variables, for the help of a command: name and meaning. */
export const VARIABLES = {
  session: [
    ["DIFFLEDGER_SESSION", "the session, where --session is not given"],
    ["CLAUDE_SESSION_ID", "the same, where that is not set either (else: default)"],
  ],
  transcript: [
    ["CLAUDE_TRANSCRIPT_PATH", "the transcript of the conversation"],
    ["CLAUDE_CODE_TRANSCRIPT", "the same, where that is not set or not there"],
  ],
  limits: [
    ["DIFFLEDGER_STALE_TURNS", "turns for which an injection keeps its concept known (30)"],
    ["DIFFLEDGER_GAP_MAX", "fills for one message (2)"],
    ["DIFFLEDGER_JACCARD", "least similarity of two terms, 0 to 1 (0.50)"],
  ],
  remote: [
    ["DIFFLEDGER_MODEL", "the model that is asked (qwen3:1.7b); none is, unless this or the next is set"],
    ["DIFFLEDGER_OLLAMA_URL", "where Ollama is (http://127.0.0.1:11434)"],
    ["DIFFLEDGER_HYPHAE_URL", "a store of texts that is searched, such as http://127.0.0.1:8100; none is, unless set"],
  ],
};

/**
 * @param {{ session?: string, folder?: string, json?: boolean, model?: string, ollama?: string, recall?: string }} flags
 * @param {Record<string, string | undefined>} environment
 * @returns {Settings}
 */
export function settings(flags, environment) {
  /** @param {string} name */
  const variable = (name) => environment[name] || undefined;
  /**
   * @param {string | undefined} flag
   * @param {string} flagName
   * @param {string} name
   * @returns {[string, string] | null}
   */
  const either = (flag, flagName, name) => {
    if (flag !== undefined) return [flagName, flag];
    const value = variable(name);
    return value === undefined ? null : [name, value];
  };

  const model = either(flags.model, "--model", "DIFFLEDGER_MODEL");
  const ollama = either(flags.ollama, "--ollama", "DIFFLEDGER_OLLAMA_URL");
  const recall = either(flags.recall, "--recall", "DIFFLEDGER_HYPHAE_URL");
  if (model && model[1].trim() === "") throw refused(model, "the name of a model");
  return {
    id: flags.session ?? variable("DIFFLEDGER_SESSION") ?? variable("CLAUDE_SESSION_ID") ?? "default",
    folder: flags.folder,
    json: flags.json ?? false,
    limits: limits(variable),
    model: model || ollama ? { ...(model && { name: model[1] }), ...(ollama && { url: address(ollama) }) } : null,
    recall: recall && { url: address(recall) },
  };
}

/**
 * The files that may be the transcript, the likeliest first.
 * @param {Record<string, string | undefined>} environment
 */
export function transcripts(environment) {
  return VARIABLES.transcript.flatMap(([name = ""]) => environment[name] || []);
}

/** @param {(name: string) => string | undefined} variable */
function limits(variable) {
  /** @type {import("../../src/types.d.ts").Limits} */
  const found = {};
  const staleTurns = variable("DIFFLEDGER_STALE_TURNS");
  if (staleTurns !== undefined) found.staleTurns = whole(["DIFFLEDGER_STALE_TURNS", staleTurns], 1, 1_000_000);
  const gapMax = variable("DIFFLEDGER_GAP_MAX");
  if (gapMax !== undefined) found.gapMax = whole(["DIFFLEDGER_GAP_MAX", gapMax], 0, 100);
  const jaccard = variable("DIFFLEDGER_JACCARD");
  if (jaccard !== undefined) found.jaccard = thousandths(["DIFFLEDGER_JACCARD", jaccard]);
  return found;
}

/**
 * @param {[string, string]} setting
 * @param {number} least
 * @param {number} most
 */
function whole(setting, least, most) {
  const text = setting[1].trim();
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) throw refused(setting, `a whole number from ${least} to ${most}`);
  return number;
}

/** @param {[string, string]} setting */
function thousandths(setting) {
  const text = setting[1].trim();
  const number = Math.round(Number(text) * 1000);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text) || number < 1 || number > 1000) throw refused(setting, "a number from 0.001 to 1");
  return number;
}

/** @param {[string, string]} setting */
function address(setting) {
  const text = setting[1].trim();
  let url;
  try {
    url = new URL(text);
  } catch {
    throw refused(setting, "an address such as `http://127.0.0.1:11434`");
  }
  if (!/^https?:$/.test(url.protocol)) throw refused(setting, "an address that begins with http:// or https://");
  return text;
}

/**
 * @param {[string, string]} setting
 * @param {string} wanted
 */
function refused([name, value], wanted) {
  // An address may carry a password before its host.
  const harmless = value.replace(/[^/\s]*@/g, "…@");
  return new DiffledgerError("invalidOption", `\`${name}\` is \`${shown(harmless)}\`: it must be ${wanted}`);
}
