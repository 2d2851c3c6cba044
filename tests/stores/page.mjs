// The parts of a page that a store uses, as a test wants them.

/**
 * Puts a new `localStorage` and `navigator.locks` into the global scope.
 * @param {{ locks: boolean, quota: number }} options quota: characters, keys included
 */
export function page({ locks, quota }) {
  put("localStorage", new FakeStorage(quota));
  put("navigator", locks ? { locks: new FakeLocks() } : {});
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function put(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/**
 * @param {string} name
 * @param {() => unknown} get
 */
export function putGetter(name, get) {
  Object.defineProperty(globalThis, name, { get, configurable: true });
}

class FakeStorage {
  /** @type {Map<string, string>} */
  #items = new Map();
  #quota;

  /** @param {number} quota */
  constructor(quota) {
    this.#quota = quota;
  }

  /** @param {string} key */
  getItem(key) {
    return this.#items.get(String(key)) ?? null;
  }

  /**
   * @param {string} key
   * @param {string} value
   */
  setItem(key, value) {
    let size = key.length + String(value).length;
    for (const [other, text] of this.#items) if (other !== key) size += other.length + text.length;
    if (size > this.#quota) throw new DOMException("exceeded the quota", "QuotaExceededError");
    this.#items.set(String(key), String(value));
  }

  /** @param {string} key */
  removeItem(key) {
    this.#items.delete(String(key));
  }
}

class FakeLocks {
  /** @type {Map<string, Promise<unknown>>} */
  #last = new Map();
  /** @type {string[]} */
  asked = [];

  /**
   * @param {string} name
   * @param {() => Promise<unknown>} action
   */
  request(name, action) {
    this.asked.push(name);
    const result = (this.#last.get(name) ?? Promise.resolve()).then(action);
    this.#last.set(name, result.catch(() => {}));
    return result;
  }
}
