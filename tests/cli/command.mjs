// The command as a process of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGES = new URL("../stores/packages.mjs", import.meta.url).href;
export const CLI = fileURLToPath(new URL("../../pkg/js/cli.js", import.meta.url));

const base = mkdtempSync(join(tmpdir(), "diffledger-"));
after(() => rmSync(base, { recursive: true }));

/** An empty folder. */
export const folder = () => mkdtempSync(join(base, "case-"));

/** The words that start the command, for a shell. */
export const words = [process.execPath, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--import", PACKAGES, CLI];

/**
 * Runs the command, in a home folder of its own and with no variables but those given.
 * @param {string[]} args
 * @param {{ home?: string, env?: Record<string, string>, input?: string | Uint8Array }} [with_]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export function diffledger(args, { home = folder(), env = {}, input = "" } = {}) {
  const [node = "", ...rest] = words;
  const child = spawn(node, [...rest, ...args], { env: { HOME: home, PATH: process.env.PATH, ...env } });
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
