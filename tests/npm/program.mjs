// What every runtime runs against the installed package: a claim that is added here holds everywhere.

/** What an entry exports: all of it, and nothing of the wasm's inside. */
const NAMES = [
  "FileStore", "IndexedDbStore", "Ledger", "LocalStorageStore", "MemoryStore", "Ollama",
  "Session", "default", "detectCrunch", "detectGaps", "extractConcepts", "fillGaps",
  "normalize", "resolveReferences", "version",
];

/** @param {typeof import("diffledger")} diffledger what the entry exports */
export async function program(diffledger) {
  await diffledger.default();
  await diffledger.default();
  equal(Object.keys(diffledger).sort(), NAMES);
  equal(diffledger.normalize("The Staging Port"), "staging port");
  return "ok";
}

function equal(found, expected) {
  const [left, right] = [found, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`found ${left}, expected ${right}`);
}
