// The preload's own world: `require("electron")` as a sandboxed preload sees it, nothing more. Evaluated by the
// browser before any script of the page; `preload` is the built file as a function.
globalThis.flownetIsolatedWorld = ({ secret, binding }, preload) => {
  if (window.top !== window) return;
  const unimplemented = (what) => {
    throw new Error(`the test host does not implement ${what}`);
  };
  const strict = (name, parts) =>
    new Proxy(parts, {
      get: (target, key) =>
        Object.hasOwn(target, key) ? target[key] : unimplemented(`${name}.${String(key)}`),
    });
  const listeners = new Map();
  const exposed = new Map();
  const ipcRenderer = strict("ipcRenderer", {
    send: (channel, ...args) => globalThis[binding](JSON.stringify({ channel, args })),
    on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
  });
  const contextBridge = strict("contextBridge", {
    exposeInMainWorld(key, api) {
      const names = Object.keys(api);
      if (names.some((name) => typeof api[name] !== "function"))
        unimplemented("contextBridge values but functions");
      exposed.set(key, api);
      document.dispatchEvent(new CustomEvent(`${secret}:expose`, { detail: { key, names } }));
    },
  });
  const callback =
    (fn) =>
    (...values) =>
      document.dispatchEvent(new CustomEvent(`${secret}:callback`, { detail: { fn, values } }));
  document.addEventListener(`${secret}:call`, ({ detail: { key, name, args } }) => {
    const given = args.map((arg) => (arg.fn === undefined ? arg.value : callback(arg.fn)));
    if (exposed.get(key)[name](...given) !== undefined) unimplemented("results of exposed functions");
  });
  globalThis.flownetDeliver = (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
  };
  const module = { exports: {} };
  const require = (name) =>
    name === "electron"
      ? strict("electron", { ipcRenderer, contextBridge })
      : unimplemented(`require("${name}")`);
  preload(require, module, module.exports, strict("process", {}));
};
