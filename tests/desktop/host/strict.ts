/** Raised for whatever of Electron the host does not stand in for: nothing may pass by accident (toolchain §7). */
export function unimplemented(what: string): never {
  throw new Error(`the test host does not implement ${what}`);
}

/** The parts as an object that refuses every other property. */
export function strict<T extends object>(name: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key, receiver) {
      // `then` is asked for by every `await`, symbols by the runtime's own inspection.
      if (key in target || typeof key === "symbol" || key === "then")
        return Reflect.get(target, key, receiver);
      return unimplemented(`${name}.${key}`);
    },
    set(_target, key) {
      return unimplemented(`setting ${name}.${String(key)}`);
    },
  });
}

/** Refuses options the host would silently ignore. */
export function onlyKnown(what: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) if (!known.includes(key)) unimplemented(`${what}: ${key}`);
}
