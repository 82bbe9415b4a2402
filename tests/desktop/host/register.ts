/** `--import` this before an Electron program: its `electron` is the stand-in (toolchain §7). */
import { registerHooks } from "node:module";

const standIn = new URL("./electron.ts", import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "electron" || specifier === "electron/main")
      return { url: standIn, shortCircuit: true };
    return next(specifier, context);
  },
});
