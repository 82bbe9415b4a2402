/** The desktop front: windows, private scheme, lines, menus, tray, life cycle, secrets. */
export { LINK_SCHEME } from "./deep-link.ts";
export { createDesktop, type Desktop, type DesktopDeps, type OpenedConsole } from "./desktop.ts";
export { claimShell } from "./electron-api.ts";
export { markStart } from "./life/start-marker.ts";
export { createSealedSecrets, type SealedSecrets } from "./secrets/store.ts";
export { childNode, startOptions, userDataFolder } from "./start-options.ts";
export { proxyFromAnswer } from "./system-proxy.ts";
