// The command of the installed package, as a process of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { install } from "../npm/installation.mjs";

/** Where the package is installed. */
export const app = await install();

/** The command, for a shell. */
export const COMMAND = join(app, "node_modules/.bin/diffledger");

const base = mkdtempSync(join(tmpdir(), "diffledger-"));
after(() => rmSync(base, { recursive: true }));

/** An empty folder. */
export const folder = () => mkdtempSync(join(base, "case-"));

/**
 * Runs the command, in a home folder of its own and with no variables but those given.
 * @param {string[]} args
 * @param {{ home?: string, cwd?: string, env?: Record<string, string>, input?: string | Uint8Array }} [with_]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export function diffledger(args, { home = folder(), cwd = home, env = {}, input = "" } = {}) {
  const child = spawn(COMMAND, args, { cwd, env: { HOME: home, PATH: process.env.PATH, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => { stdout += text; });
  child.stderr.on("data", (text) => { stderr += text; });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * What a command prints that must succeed, saying nothing beside it.
 * @param {string[]} args
 * @param {Parameters<typeof diffledger>[1]} [with_]
 */
export async function printed(args, with_) {
  const { code, stdout, stderr } = await diffledger(args, with_);
  if (code !== 0 || stderr !== "") throw new Error(`diffledger ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

/** The sentence that answers, and what the ledger keeps of it. */
export const ANSWER = "The retry queue waits 30 s and doubles after each failure.";
export const QUESTION = "how long does the retry queue wait?";

export const CHAT = JSON.stringify([
  { role: "user", content: "How do failed pulls get another try?" },
  { role: "assistant", content: ANSWER },
  { role: "user", content: "Good." },
]);

/**
 * A home in which the chat was learnt, and lost where that is said.
 * @param {{ lost?: boolean }} [how]
 */
export async function told({ lost = false } = {}) {
  const home = folder();
  await printed(["ingest", "-"], { home, input: CHAT });
  if (lost) await printed(["crunch"], { home });
  return home;
}
