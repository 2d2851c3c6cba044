// Other processes that use a store, as a test wants them.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const STORE = new URL("../../pkg/js/stores/file.js", import.meta.url).href;

/**
 * Starts Node with a script in which `FileStore` is there.
 * @param {string} script
 * @param {{ args?: string[], options?: import("node:child_process").SpawnOptions, shell?: string }} [how]
 *   shell: what a shell does before it becomes Node
 */
export function start(script, { args = [], options = {}, shell } = {}) {
  const source = `import { FileStore } from ${JSON.stringify(STORE)};\n${script}`;
  const words = [process.execPath, "--input-type=module", "-e", source, "--", ...args];
  const [command, ...rest] = shell ? ["/bin/sh", "-c", `${shell}; exec "$@"`, "sh", ...words] : words;
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (text) => { stdout += text; });
  child.stderr?.on("data", (text) => { stderr += text; });
  /** @type {Promise<{ code: number | null, signal: string | null, stdout: string, stderr: string }>} */
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/**
 * What a script writes that must succeed.
 * @param {string} script
 * @param {Parameters<typeof start>[1]} [how]
 */
export async function run(script, how) {
  const { code, signal, stdout, stderr } = await start(script, how).ended;
  if (code !== 0) throw new Error(`a process ended with ${code ?? signal}: ${stderr}`);
  return stdout;
}

/** The sources, for tests that start other programs. */
export const sources = fileURLToPath(new URL("../../pkg/js/", import.meta.url));
