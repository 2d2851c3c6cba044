import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { DiffledgerError } from "./error.js";

/**
 * Who holds a lock. A process id alone would be mistaken for another's after a restart, in another
 * container or when ids are used again, so the machine's start, the id's namespace and the process's
 * own start stand beside it, where the system tells them.
 * @typedef {{ pid: number, started: string, host: string, nonce: string }} Owner
 */

/** A lock that is held, inside its section. @typedef {{ nonce: string, check: () => void }} Held */

/**
 * How long a lock may stand whose owner cannot be asked after: one of another host, or one that was
 * killed between making the file and writing its name into it. Sections take milliseconds; shorter
 * would risk a slow network disk, longer would keep people waiting after a crash.
 */
const ABANDONED_MS = 20_000;

/** @type {string | undefined} */
let known;

/** The machine, its boot and the name space of its processes. Asked at the first lock: Deno asks its user before it tells. */
function host() {
  return (known ??= [hostname, () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), () => readlinkSync("/proc/self/ns/pid")].map(told).join(" "));
}

/**
 * A file of ours beside `path`: hidden, so that it is never taken for a saved form.
 * @param {string} path
 * @param {string} suffix
 */
export function beside(path, suffix) {
  return join(dirname(path), `.${basename(path)}.${suffix}`);
}

/**
 * Runs `section` while no other process is in one for the same path. The section is synchronous, so
 * that a lock is never held over an `await`; only waiting for it is asynchronous.
 *
 * The lock is a file made with O_EXCL. A dead owner's lock is deleted only by who holds a second
 * such file, and only after reading the lock again: without that, of two processes that both found
 * it dead, the slower would delete the new lock of the faster, and both would be in. The second file
 * is held for microseconds and goes by age alone; should its holder be killed or stopped just then,
 * `check`, which the section calls right before its one irreversible step, notices a lost lock.
 * @template T
 * @param {string} path
 * @param {number} timeout milliseconds
 * @param {(held: Held) => T} section
 * @returns {Promise<T>}
 */
export async function locked(path, timeout, section) {
  const lock = beside(path, "lock");
  // Not `node:crypto`, which takes several milliseconds to load.
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
  const owner = JSON.stringify({ pid: process.pid, started: started(process.pid), host: host(), nonce });
  const deadline = performance.now() + timeout;
  for (let pause = 1; !take(lock, owner); pause = Math.min(2 * pause, 50)) {
    if (release(path, lock)) continue;
    if (performance.now() > deadline) throw busy(lock, timeout);
    await sleep(pause * (0.5 + Math.random()));
  }
  const mine = () => content(lock)?.text === owner;
  const check = () => {
    if (!mine()) throw new DiffledgerError("conflict", `\`${lock}\` was taken over by another process: load again, learn again, save again`);
  };
  try {
    return section({ nonce, check });
  } finally {
    if (mine()) rmSync(lock, { force: true });
  }
}

/**
 * @param {string} lock
 * @param {string} text
 * @returns {boolean} whether it is ours now
 */
function take(lock, text) {
  let file;
  try {
    file = openSync(lock, "wx", 0o600);
  } catch (cause) {
    if (/** @type {any} */ (cause).code === "EEXIST") return false;
    throw cause;
  }
  try {
    writeFileSync(file, text);
  } catch (cause) {
    rmSync(lock, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
  return true;
}

/**
 * Deletes the lock of an owner that is no more, and the temporary file that it left.
 * @param {string} path
 * @param {string} lock
 * @returns {boolean} whether the lock is gone
 */
function release(path, lock) {
  const found = content(lock);
  if (!found) return true;
  if (lives(found)) return false;
  const steal = `${lock}.steal`;
  if (!take(steal, "")) {
    const other = content(steal);
    if (other && aged(other)) rmSync(steal, { force: true });
    return false;
  }
  try {
    const again = content(lock);
    if (!again || again.text !== found.text || again.changed !== found.changed) return !again;
    const nonce = owner(again.text)?.nonce;
    if (nonce) rmSync(beside(path, `${nonce}.tmp`), { force: true });
    unlinkSync(lock);
    return true;
  } finally {
    rmSync(steal, { force: true });
  }
}

/** @param {{ text: string, changed: number }} found */
function lives(found) {
  const named = owner(found.text);
  if (!named || named.host !== host()) return !aged(found);
  try {
    process.kill(named.pid, 0);
  } catch (cause) {
    // EPERM: it lives and is somebody else's.
    if (/** @type {any} */ (cause).code === "ESRCH") return false;
  }
  const now = started(named.pid);
  return now === "" || named.started === "" || now === named.started;
}

/** @param {{ changed: number }} found */
function aged(found) {
  return Date.now() - found.changed > ABANDONED_MS;
}

/**
 * @param {string} text
 * @returns {Owner | null}
 */
function owner(text) {
  try {
    const found = JSON.parse(text);
    const whole = Number.isInteger(found.pid) && found.pid > 0 && /^[0-9a-f]{16}$/.test(found.nonce);
    return whole && typeof found.host === "string" && typeof found.started === "string" ? found : null;
  } catch {
    return null;
  }
}

/**
 * When a process started, as Linux counts it; "" where that is not told, "dead" for one that was
 * killed and whose parent has not looked yet.
 * @param {number} pid
 */
function started(pid) {
  return told(() => {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may have spaces in it; state is the first field after it, start the 20th.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "dead" : fields[19] ?? "";
  });
}

/**
 * @param {string} file
 * @returns {{ text: string, changed: number } | null}
 */
function content(file) {
  let opened;
  try {
    opened = openSync(file, "r");
  } catch (cause) {
    if (/** @type {any} */ (cause).code === "ENOENT") return null;
    throw cause;
  }
  try {
    return { changed: fstatSync(opened).mtimeMs, text: readFileSync(opened, "utf8") };
  } finally {
    closeSync(opened);
  }
}

/** @param {() => string} ask */
function told(ask) {
  try {
    return ask();
  } catch {
    return "";
  }
}

/**
 * @param {string} lock
 * @param {number} timeout
 */
function busy(lock, timeout) {
  const named = owner(content(lock)?.text ?? "");
  const who = named ? `process ${named.pid} on \`${named.host.split(" ")[0]}\`` : "an unknown process";
  return new DiffledgerError(
    "storeFailed",
    `\`${lock}\` has been held by ${who} for more than ${timeout} ms: try again, or delete it when that process is not using diffledger`,
  );
}
