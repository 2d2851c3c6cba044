import { DiffledgerError } from "./stores/error.js";

/**
 * Lets the methods and getters of a class be called on its own objects alone. What they were called
 * on else would be an error of the language for a store, and for the wasm an address: any number.
 * @param {Function} type
 * @param {(that: any) => boolean} owns
 */
export function receivesOnlyOwn(type, owns) {
  const what = `this must be a ${type.name}: call the method on its object`;
  /** @param {Function} method */
  const checked = (method) => function (/** @type {any[]} */ ...args) {
    let ours = false;
    try {
      ours = this instanceof type && owns(this);
    } catch {
      // A proxy whose traps throw.
    }
    if (!ours) throw new DiffledgerError("invalidInput", what);
    return method.apply(this, args);
  };
  const { constructor, ...members } = Object.getOwnPropertyDescriptors(type.prototype);
  for (const key of Reflect.ownKeys(members)) {
    const { value, get, ...rest } = members[key];
    Object.defineProperty(type.prototype, key, get ? { ...rest, get: checked(get) } : { ...rest, value: checked(value) });
  }
}
