// A stand-in with which the command line is tested; the build puts the session of the wasm here.
import { DiffledgerError } from "./stores/error.js";

/** @typedef {import("../src/types.d.ts").Crunch} Crunch */
/** @typedef {import("../src/types.d.ts").Entry} Entry */
/** @typedef {import("../src/types.d.ts").Turn} Turn */

/** What came of learning a transcript. @typedef {{ messages: number, crunch: Crunch | null, skipped: Record<string, number> }} Learnt */

/**
 * @typedef {{
 *   ingest(conversation: Uint8Array | string): Learnt,
 *   inject(message: string, options: { model: object | null, recall: object | null }): Promise<Turn>,
 *   markAllStale(): number,
 *   reset(): void,
 *   summary(): import("../src/types.d.ts").Summary,
 *   readonly entries: Entry[],
 *   saved(): { session: string | null, ledger: string },
 * }} CliSession
 * `markAllStale` answers with the number of stale entries; `saved().session` is null where there is
 * no log to keep: what is stored then stays.
 */

export const version = "0.0.0";

/** @param {string} message */
export function extractConcepts(message) {
  return [...new Set(message.match(/`[^`]+`|[\p{L}_]{5,}/gu) ?? [])].map((word) => word.replaceAll("`", ""));
}

/**
 * @param {{ id: string, limits: object, sessionText: string | null, ledgerText: string | null }} options
 * @returns {CliSession}
 */
export function openSession({ id, sessionText, ledgerText }) {
  if (!/^[\w-][\w.-]{0,127}$/.test(id)) throw new DiffledgerError("invalidSessionId", `session id \`${id}\` is refused`);
  const ledger = parsed(ledgerText) ?? { session_id: id, turn: 0, entries: [] };
  const log = sessionText === null ? [] : sessionText.trim().split("\n").map((line) => parsed(line));

  /** @param {string} concept */
  const find = (concept) => ledger.entries.find((/** @type {any} */ entry) => entry.canonical === concept.toLowerCase());

  return {
    ingest(conversation) {
      const text = typeof conversation === "string" ? conversation : new TextDecoder().decode(conversation);
      let messages;
      try {
        messages = JSON.parse(text);
      } catch {
        throw new DiffledgerError("invalidJson", "the transcript does not parse");
      }
      /** @type {any} */
      let crunch = null;
      let count = 0;
      const skipped = /** @type {Record<string, number>} */ ({});
      for (const { content } of messages) {
        if (typeof content !== "string") {
          skipped.image = (skipped.image ?? 0) + 1;
        } else if (content === "[crunch]") {
          const lost = ledger.entries.map((/** @type {any} */ entry) => entry.concept);
          this.markAllStale();
          crunch = { id: "c1", kind: "marker", dropped: [], lost, lostKinds: [], survived: [] };
        } else if (!log.some((line) => line.content === content)) {
          log.push({ content });
          count += 1;
          for (const [, concept = ""] of content.matchAll(/`([^`]+)`/g)) {
            ledger.entries.push({ concept, canonical: concept.toLowerCase(), text: content, turn_injected: ledger.turn, reference_count: 1, stale: false });
          }
        }
      }
      return { messages: count, crunch, skipped };
    },
    async inject(message, { model, recall }) {
      ledger.turn += 1;
      const gaps = extractConcepts(message).filter((concept) => find(concept)?.stale ?? recall);
      const fills = gaps.filter(find).map((concept) => ({ concept, text: find(concept).text }));
      for (const { concept } of fills) Object.assign(find(concept), { stale: false, reference_count: find(concept).reference_count + 1, turn_injected: ledger.turn });
      const open = { code: "unreachable", message: `nothing answers at \`${/** @type {any} */ (recall)?.url}\`` };
      return /** @type {any} */ ({
        id: ledger.turn,
        crunch: null,
        gaps: gaps.map((concept) => ({ concept, state: "stale", status: find(concept) ? "filled" : "open", error: find(concept) ? null : open })),
        fills,
        unknown: [],
        inject: "",
        degraded: model ? [{ code: "unreachable", message: `the model ${JSON.stringify(model)} was asked` }] : [],
        skipped: {},
      });
    },
    markAllStale() {
      for (const entry of ledger.entries) entry.stale = true;
      return ledger.entries.length;
    },
    reset() {
      Object.assign(ledger, { turn: 0, entries: [] });
      log.length = 0;
    },
    summary() {
      const stale = ledger.entries.filter((/** @type {any} */ entry) => entry.stale).length;
      const total = ledger.entries.length;
      return { sessionId: id, turn: ledger.turn, live: total - stale, stale, expired: 0, total };
    },
    get entries() {
      return ledger.entries.map((/** @type {any} */ entry) => ({
        concept: entry.concept,
        state: entry.stale ? "stale" : "live",
        referenceCount: entry.reference_count,
        lastTurn: entry.turn_injected,
      }));
    },
    saved() {
      const lines = log.map((line) => `${JSON.stringify(line)}\n`).join("");
      return { session: lines === "" && sessionText === null ? null : lines, ledger: JSON.stringify(ledger) };
    },
  };
}

/** @param {string | null} text */
function parsed(text) {
  if (text === null || text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new DiffledgerError("damaged", "the ledger is damaged: it does not parse");
  }
}
