// The page's world: what the preload exposed, as frozen functions. Calls cross between the worlds as events whose
// details the browser clones; their names are secret, so that no script of the page can listen or speak.
globalThis.flownetPageWorld = ({ secret }) => {
  if (window.top !== window) return;
  const callbacks = [];
  const argument = (value) => (typeof value === "function" ? { fn: callbacks.push(value) - 1 } : { value });
  document.addEventListener(`${secret}:expose`, ({ detail: { key, names } }) => {
    const call =
      (name) =>
      (...args) => {
        const detail = { key, name, args: args.map(argument) };
        document.dispatchEvent(new CustomEvent(`${secret}:call`, { detail }));
      };
    const api = Object.freeze(Object.fromEntries(names.map((name) => [name, call(name)])));
    Object.defineProperty(window, key, { value: api, enumerable: true });
  });
  document.addEventListener(`${secret}:callback`, ({ detail: { fn, values } }) => callbacks[fn](...values));
};
