import {
  app,
  dialog,
  ipcMain,
  Menu,
  type MenuItemConstructorOptions,
  Notification,
  nativeImage,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
} from "electron";
import { LINE_CHANNEL } from "../../shared/api/index.ts";
import { createElectronWindow } from "./electron-window.ts";
import { UI_SCHEME } from "./origin.ts";
import type { MenuEntry, Notice, Shell, UiAnswer, UiRequest, Vault } from "./ports.ts";
import { TRAY_ICON } from "./tray-icon.ts";

/** Same id as the installed shortcut's: without it Windows drops notifications (electron-desktop P8). */
const APP_ID = "jp.flownet.console";

export interface ClaimOptions {
  /** Per-account folder, given the system's folder for application data. */
  readonly userData: (appData: string) => string;
  /** Whether to draw without the graphics processor (electron-desktop L11). */
  readonly softwareRendering: boolean;
  /** Scheme of links to register for; null registers none. */
  readonly linkScheme: string | null;
}

export interface Claimed {
  readonly userData: string;
  readonly packaged: boolean;
  /** Resolves when windows may be made. */
  readonly ready: Promise<Shell>;
}

/**
 * Takes the place of the one instance of this account (electron-desktop L1): the folder first, because the lock is
 * kept in it. Answers null in a second start, which has been told to the first by then and ends with code 0.
 */
export function claimShell(options: ClaimOptions): Claimed | null {
  const userData = options.userData(app.getPath("appData"));
  app.setPath("userData", userData);
  app.setAppUserModelId(APP_ID);
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return null;
  }
  if (options.softwareRendering) app.disableHardwareAcceleration();
  if (options.linkScheme !== null && app.isPackaged) app.setAsDefaultProtocolClient(options.linkScheme);
  protocol.registerSchemesAsPrivileged([
    { scheme: UI_SCHEME, privileges: { standard: true, secure: true, codeCache: true } },
  ]);
  // Windows come and go; the program ends when it says so and not when the last one closed.
  app.on("window-all-closed", () => undefined);
  return { userData, packaged: app.isPackaged, ready: app.whenReady().then(createShell) };
}

function createShell(): Shell {
  // The icon stays for the life of the program: an icon nobody holds is collected and vanishes.
  const trays: Tray[] = [];
  // The same holds for a notice that waits for a click.
  const notices = new Set<Notification>();
  return {
    languages: () => app.getPreferredSystemLanguages(),
    vault: systemVault,
    createWindow: createElectronWindow,
    serveUi: (answer) => protocol.handle(UI_SCHEME, (request) => respond(answer, request)),
    decidePermissions,
    onMessage(listener) {
      ipcMain.on(LINE_CHANNEL, ({ sender, senderFrame }, message: unknown) => {
        const mainFrame = senderFrame?.parent === null;
        listener({ windowId: sender.id, frameUrl: senderFrame?.url ?? null, mainFrame }, message);
      });
    },
    async ask({ preferred, buttons, ...words }) {
      const question = { ...words, type: "question", noLink: true, defaultId: preferred } as const;
      const { response } = await dialog.showMessageBox({
        ...question,
        cancelId: preferred,
        buttons: [...buttons],
      });
      return response;
    },
    tell(title, message) {
      void dialog.showMessageBox({ type: "warning", title, message, noLink: true });
    },
    notify: ({ title, body, urgent }, clicked) => showNotice({ title, body, urgent }, clicked, notices),
    setMenu: (entries) => Menu.setApplicationMenu(Menu.buildFromTemplate(entries.map(menuItem))),
    showTray: (tooltip, entries, opened) => void trays.push(createTray(tooltip, entries, opened)),
    openExternal: (url) => shell.openExternal(url),
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    displays: () => screen.getAllDisplays().map(({ workArea }) => workArea),
    onPower(suspended, resumed) {
      powerMonitor.on("suspend", suspended);
      powerMonitor.on("resume", resumed);
    },
    holdAwake() {
      const id = powerSaveBlocker.start("prevent-app-suspension");
      return () => powerSaveBlocker.stop(id);
    },
    onSecondStart: (started) => void app.on("second-instance", (_event, argv) => started(argv)),
    onQuit(mayQuit) {
      app.on("before-quit", (event) => {
        if (!mayQuit()) event.preventDefault();
      });
    },
    exit: (code) => app.exit(code),
  };
}

async function respond(
  answer: (request: UiRequest) => Promise<UiAnswer>,
  request: Request,
): Promise<Response> {
  const { status, headers, body } = await answer({ method: request.method, url: request.url });
  return new Response(body === null ? null : Uint8Array.from(body), { status, headers });
}

function decidePermissions(decide: (permission: string) => boolean): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(decide(permission)));
  defaultSession.setPermissionCheckHandler((_contents, permission) => decide(permission));
  defaultSession.setDevicePermissionHandler(() => false);
}

function menuItem(entry: MenuEntry): MenuItemConstructorOptions {
  const { id, label, accelerator, role, choose, entries } = entry;
  return {
    id,
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    ...(role === undefined ? {} : { role }),
    ...(choose === undefined ? {} : { click: () => choose() }),
    ...(entries === undefined ? {} : { submenu: entries.map(menuItem) }),
  };
}

/** One notice at a time: the newest takes the place of the one before, which the list still holds. */
function showNotice({ title, body, urgent }: Notice, clicked: () => void, shown: Set<Notification>): void {
  if (!Notification.isSupported()) return;
  for (const earlier of shown) earlier.close();
  shown.clear();
  const notice = new Notification({ title, body, urgency: urgent ? "critical" : "normal" });
  notice.on("click", () => clicked());
  notice.on("close", () => shown.delete(notice));
  shown.add(notice);
  notice.show();
}

function createTray(tooltip: string, entries: readonly MenuEntry[], opened: () => void): Tray {
  const tray = new Tray(nativeImage.createFromDataURL(TRAY_ICON));
  tray.setToolTip(tooltip);
  tray.setContextMenu(Menu.buildFromTemplate(entries.map(menuItem)));
  tray.on("click", opened);
  return tray;
}

/** DPAPI on Windows: safe from other accounts, not from other programs of this one (electron-desktop S1). */
const systemVault: Vault = {
  available: () => safeStorage.isAsyncEncryptionAvailable(),
  seal: (text) => safeStorage.encryptStringAsync(text),
  async open(blob) {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(blob));
    return { text: result, stale: shouldReEncrypt };
  },
};
