import { app, BrowserWindow, nativeImage } from "electron";
import { LINE_CHANNEL } from "../../shared/api/index.ts";
import { BADGE_ICON } from "./badge-icon.ts";
import type { ShellWindow, WindowHandlers, WindowOptions } from "./ports.ts";
import { WINDOW_SECURITY } from "./window-security.ts";

/** Makes an Electron window: the only place that does, and the only one that sends to a page (electron-desktop R1, I8). */
export function createElectronWindow(options: WindowOptions, handlers: WindowHandlers): ShellWindow {
  const { preload, ...frame } = options;
  const window = new BrowserWindow({
    ...frame,
    show: false,
    autoHideMenuBar: false,
    webPreferences: { ...WINDOW_SECURITY, preload },
  });
  // Kept: of a destroyed window not even the number can be asked.
  const { id } = window.webContents;
  guardNavigation(window, handlers);
  tellEvents(window, handlers);
  return {
    id,
    load: (url) => window.loadURL(url),
    send(data) {
      if (!window.isDestroyed()) window.webContents.send(LINE_CHANNEL, data);
    },
    show() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    hide: () => window.hide(),
    badge: (count, meaning) => showBadge(window, count, meaning),
    reload: () => window.webContents.reload(),
    destroy: () => window.destroy(),
    bounds: () => window.getNormalBounds(),
  };
}

/** Windows lays a mark over the icon in the task bar; other systems show the number itself. */
function showBadge(window: BrowserWindow, count: number, meaning: string): void {
  if (window.isDestroyed()) return;
  if (process.platform === "win32") {
    window.setOverlayIcon(count === 0 ? null : nativeImage.createFromDataURL(BADGE_ICON), meaning);
  } else {
    app.setBadgeCount(count);
  }
}

interface Preventable {
  preventDefault(): void;
}

/** Ways out of the page, all through one question (electron-desktop R5). */
function guardNavigation(window: BrowserWindow, handlers: WindowHandlers): void {
  const contents = window.webContents;
  const guard = (details: Preventable & { readonly url: string }): void => {
    if (!handlers.mayNavigate(details.url)) details.preventDefault();
  };
  contents.on("will-navigate", guard);
  contents.on("will-frame-navigate", guard);
  contents.on("will-redirect", guard);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    handlers.openRequested(url);
    return { action: "deny" };
  });
}

function tellEvents(window: BrowserWindow, handlers: WindowHandlers): void {
  const contents = window.webContents;
  contents.on("did-start-navigation", ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) handlers.documentStarted();
  });
  contents.on("render-process-gone", (_event, { reason }) => handlers.pageGone(reason));
  contents.on("unresponsive", () => handlers.pageGone("unresponsive"));
  window.on("close", (event) => {
    if (!handlers.mayClose()) event.preventDefault();
  });
  window.on("query-session-end", (event) => {
    if (handlers.delaysSessionEnd()) event.preventDefault();
  });
  window.on("session-end", () => handlers.sessionEnding());
  window.on("closed", () => handlers.closed());
}
