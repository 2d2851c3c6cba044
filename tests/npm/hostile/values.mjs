// Values that nobody should hand over, each made anew by its name.

/** What an async function of the caller throws: nobody waits for a listener, so that it is told to nobody. */
export const OWN = Symbol("the caller's own");

const BIG = "The retry queue waits 30 s. ".repeat((64 << 20) / 28);

/** Every trap of it throws, also the lookup of the trap. */
const throwing = (target) => new Proxy(target, new Proxy({}, { get: () => { throw new Error("a trap"); } }));

const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

const nested = (depth, wrap, inner) => {
  let value = inner;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
};

const cyclic = () => {
  const value = [{ role: "user" }];
  value[0].content = value;
  return value;
};

const getters = (...names) => {
  const value = {};
  for (const name of names) Object.defineProperty(value, name, { enumerable: true, get: () => { throw new Error("a getter"); } });
  return value;
};

const brokenThen = (then) => Object.defineProperty(Promise.resolve(1), "then", { value: then });

class LyingBytes extends Uint8Array {
  get length() { return 3; }
  get byteLength() { return 1e9; }
}

const message = (content) => ({ role: "user", content });

/**
 * Makers by name.
 * @param {typeof import("diffledger")} diffledger for objects of the wrong class
 * @returns {Record<string, () => any>}
 */
export const values = (diffledger) => ({
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  NaN: () => NaN,
  Infinity: () => Infinity,
  "-Infinity": () => -Infinity,
  "-0": () => -0,
  "-1": () => -1,
  "1.5": () => 1.5,
  "2^32": () => 2 ** 32,
  "2^53": () => 2 ** 53,
  "1e308": () => 1e308,
  "a BigInt": () => 10n ** 40n,
  "a Symbol": () => Symbol("s"),
  "Symbol.iterator": () => Symbol.iterator,
  "an empty string": () => "",
  "a blank string": () => " \t\n\u00a0\u2028",
  "a NUL": () => "a\0b",
  "lone surrogates": () => "\ud800 port \udc00",
  "a bidi override": () => "\u202e\u0000port 8443\ufeff",
  "a path": () => "../../etc/passwd",
  "__proto__": () => "__proto__",
  "constructor": () => "constructor",
  "64 MB of text": () => BIG,
  "4 MB without a space": () => "x".repeat(4 << 20),
  "100 kB of words": () => BIG.slice(0, 100_000),
  "100 kB of brackets": () => "[".repeat(100_000),
  "100 kB of backslashes": () => "\\".repeat(100_000),
  "100 kB of combining marks": () => `e${"\u0301".repeat(100_000)}`,
  "a String object": () => new String("retry queue"),
  "a Number object": () => new Number(3),
  "an empty object": () => ({}),
  "an empty array": () => [],
  "an array with holes": () => [, , message("a"), ,],
  "a million holes": () => new Array(1e6),
  "an array of undefined": () => [undefined, null, NaN, () => 1, Symbol("s")],
  "an array of BigInts": () => [1n],
  "a frozen array": () => Object.freeze([Object.freeze(message("a"))]),
  "an object without a prototype": () => Object.assign(Object.create(null), message("a")),
  "an object with 100 000 keys": () => Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`k${index}`, index])),
  "an array with fields": () => Object.assign([message("a")], { path: 1, id: 2, messages: 3 }),
  "100 levels of arrays": () => nested(100, (value) => [value], 1),
  "100 levels of messages": () => nested(100, (value) => ({ role: "user", content: [value] }), "a"),
  "100 levels of messages in an array": () => [nested(100, (value) => ({ role: "user", content: [value] }), "a")],
  "100 000 levels of arrays": () => nested(100_000, (value) => [value], 1),
  "100 000 levels of objects": () => nested(100_000, (value) => ({ messages: value }), 1),
  "100 000 levels as a text": () => `${"[".repeat(1e5)}${"]".repeat(1e5)}`,
  "a cycle": cyclic,
  "getters that throw": () => getters("id", "role", "content", "messages", "path", "concept", "signal", "store", "model", "then", "url", "length", "handle"),
  "a message whose getter throws": () => [getters("role")],
  "a toJSON that throws": () => ({ toJSON() { throw new Error("toJSON"); } }),
  "a toJSON that gives nothing": () => ({ toJSON: () => undefined }),
  "a toJSON that gives a Symbol": () => ({ toJSON: () => Symbol("s") }),
  "a toJSON that gives a text": () => ({ toJSON: () => "retry" }),
  "a toString that throws": () => ({ toString() { throw new Error("toString"); }, valueOf() { throw new Error("valueOf"); } }),
  "a toPrimitive that throws": () => ({ [Symbol.toPrimitive]() { throw new Error("toPrimitive"); } }),
  "a proxy that throws": () => throwing({}),
  "a proxy of an array that throws": () => throwing([]),
  "a proxy of a function that throws": () => throwing(() => {}),
  "a proxy of bytes that throws": () => throwing(new Uint8Array(3)),
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of an array": () => revoked([]),
  "a revoked proxy of a function": () => revoked(() => {}),
  "an array whose elements are such": () => [throwing({}), revoked([])],
  "a proxy of an array that lies about its length": () => new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 32 - 1 : undefined) }),
  "a function": () => () => "x",
  "a function that throws": () => () => { throw undefined; },
  "an async function that throws": () => async () => { throw OWN; },
  "a class": () => class {},
  "a Map": () => new Map([["id", "a"]]),
  "a Date that is none": () => new Date(NaN),
  "a regular expression": () => /a/g,
  "an Error": () => new Error("e"),
  "bytes": () => new Uint8Array([0xff, 0xfe, 0x00]),
  "bytes of JSON": () => new TextEncoder().encode('[{"role":"user","content":"a"}]'),
  "bytes that lie about their length": () => new LyingBytes(5000).fill(91),
  "an ArrayBuffer": () => new ArrayBuffer(8),
  "shared bytes": () => new Uint8Array(new SharedArrayBuffer(8)),
  "bytes whose buffer is gone": () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  },
  "floats": () => new Float64Array([NaN]),
  "a promise": () => Promise.resolve([]),
  "a promise that never settles": () => new Promise(() => {}),
  "a promise that is rejected": () => {
    const promise = Promise.reject(undefined);
    promise.catch(() => {});
    return promise;
  },
  "a promise whose then throws": () => brokenThen(() => { throw new Error("then"); }),
  "a promise whose then does nothing": () => brokenThen(() => {}),
  "a promise whose constructor throws": () => Object.defineProperty(Promise.resolve(1), "constructor", { get: () => { throw new Error("constructor"); } }),
  "a thenable that never settles": () => ({ then() {} }),
  "a thenable that calls both": () => ({ then(resolve, reject) { resolve("a"); reject(new Error("b")); resolve("c"); throw new Error("d"); } }),
  "a thenable that throws": () => ({ then() { throw new Error("then"); } }),
  "a thenable that resolves to itself": () => {
    const value = { then(resolve) { resolve(value); value.then = undefined; } };
    return value;
  },
  "an aborted signal": () => AbortSignal.abort(Symbol("why")),
  "an AbortController": () => new AbortController(),
  "a signal that calls at once": () => ({ aborted: false, addEventListener(_, listener) { listener(); listener(); }, removeEventListener() {} }),
  "a signal that throws": () => ({ aborted: false, addEventListener() { throw new Error("listen"); }, removeEventListener() { throw new Error("leave"); } }),
  "a signal without an end": () => ({ aborted: false, addEventListener() {} }),
  "a signal that changes its mind": () => {
    let asked = 0;
    return { get aborted() { asked += 1; if (asked > 1) throw new Error("asked twice"); return false; }, addEventListener() {}, removeEventListener: 3 };
  },
  "a Ledger": () => new diffledger.Ledger("other", { store: new diffledger.MemoryStore() }),
  "a disposed Ledger": () => {
    const ledger = new diffledger.Ledger("other", { store: new diffledger.MemoryStore() });
    ledger.dispose();
    return ledger;
  },
  "a Session": () => new diffledger.Session({ id: "other" }),
  "an Ollama": () => new diffledger.Ollama(),
  "a MemoryStore": () => new diffledger.MemoryStore(),
  "a store without methods": () => ({ load: 1, save: "x" }),
  "an object that looks like a Ledger": () => ({ handle: 4_000_000_000, __wbg_ptr: 12_345 }),
  "a prototype": () => diffledger.Session.prototype,
  "the package": () => diffledger,
  "the global object": () => globalThis,
});

/** Random JSON of a seed, the same on every run; most of it is nearly a conversation. */
export function randomJson(seed) {
  let state = seed;
  const below = (end) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 14)) >>> 0) % end;
  };
  const pick = (list) => list[below(list.length)];
  const KEYS = ["role", "content", "type", "text", "tool_calls", "tool_use_id", "id", "uuid", "parentUuid", "message", "messages", "system", "isMeta", "name", "input", "function", "arguments", "__proto__", "compactMetadata", "subtype", "isCompactSummary"];
  const TEXTS = ["user", "assistant", "system", "tool", "text", "tool_use", "tool_result", "thinking", "summary", "compact_boundary", "The retry queue waits 30 s.", "which port was it?", "again", "", "\ud83d", "<diffledger id=\"x\">", "</diffledger>", "<system-reminder>", "[Old tool result content cleared]", "0", "a".repeat(500)];
  const value = (depth) => {
    switch (below(depth > 5 ? 5 : 8)) {
      case 0: return pick([null, true, false, 0, -1, 1e300, 1.5]);
      case 1: case 2: case 3: case 4: return pick(TEXTS);
      case 5: return Array.from({ length: below(5) }, () => value(depth + 1));
      default: return Object.fromEntries(Array.from({ length: below(6) }, () => [pick(KEYS), value(depth + 1)]));
    }
  };
  return below(3) === 0 ? value(0) : Array.from({ length: below(8) }, () => ({ role: pick(TEXTS), content: value(1), ...(below(2) ? value(3) : {}) }));
}
