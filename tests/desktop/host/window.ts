import { EventEmitter } from "node:events";
import type { Page } from "@playwright/test";
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle, WebContents } from "electron";
import { browserContext, type ForgedSender, host, hostedUrl, type WindowAtHost } from "./host.ts";
import { type HostPage, openHostPage } from "./host-page.ts";
import { ipcMain } from "./ipc.ts";
import { fromHosted } from "./scheme.ts";
import { onlyKnown, strict, unimplemented } from "./strict.ts";

const FRAME_OPTIONS =
  "title x y width height minWidth minHeight backgroundColor show autoHideMenuBar webPreferences";
/** What the host gives every page, whatever is asked: anything laxer is refused. */
const PREFERENCES: Readonly<Record<string, unknown>> = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  navigateOnDragDrop: false,
  devTools: false,
  spellcheck: false,
};

export interface EventWithPrevention {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable<T extends object>(details: T): T & EventWithPrevention {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  return event;
}

type OpenHandler = Parameters<WebContents["setWindowOpenHandler"]>[0];
type Implemented =
  | "loadURL"
  | "show"
  | "hide"
  | "focus"
  | "isMinimized"
  | "restore"
  | "isDestroyed"
  | "destroy"
  | "isVisible"
  | "getNormalBounds";

/** A window of the host: one page of the browser (toolchain §7). */
export class HostWindow extends EventEmitter implements Pick<BrowserWindow, Implemented>, WindowAtHost {
  readonly id = host.nextWindowId++;
  readonly webContents: ReturnType<typeof createContents>;
  private readonly opening: Promise<HostPage>;
  private opened: HostPage | null = null;
  private visible: boolean;
  private readonly bounds: Rectangle;
  private destroyed = false;
  /** The address the program itself goes to: not a navigation of the page. */
  private expected: string | null = null;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    onlyKnown("window option", options, FRAME_OPTIONS.split(" "));
    const { preload, ...preferences } = options.webPreferences ?? {};
    onlyKnown("web preference", preferences, Object.keys(PREFERENCES));
    for (const [key, value] of Object.entries(preferences)) {
      if (PREFERENCES[key] !== value) unimplemented(`web preference ${key}: ${String(value)}`);
    }
    this.visible = options.show ?? true;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    this.webContents = createContents(this);
    host.windows.set(this.id, this);
    this.opening = openHostPage(browserContext(), preload ?? unimplemented("a window without a preload"), {
      sent: (channel, args) => this.receive(channel, args),
      windowOpened: (url) => this.webContents.openRequested(fromHosted(url)),
      navigatedWithin: (url) => this.started(fromHosted(url), true, true),
    });
    this.opening.then(
      (opened) => {
        this.opened = opened;
      },
      (error: unknown) => console.error(`window: ${String(error)}`),
    );
  }

  async loadURL(url: string): Promise<void> {
    const { page } = await this.opening;
    this.expected = url.replace(/#.*$/s, "");
    await page.goto(hostedUrl(url));
  }

  async reloadPage(): Promise<void> {
    const { page } = await this.opening;
    this.expected = this.url().replace(/#.*$/s, "");
    await page.reload();
  }

  url(): string {
    return this.opened === null ? "" : fromHosted(this.opened.page.url());
  }

  shows(page: Page): boolean {
    return this.opened?.page === page;
  }

  /** Asks the program about a navigation on its way; false when it was prevented. */
  navigationStarts(url: string, mainFrame: boolean): boolean {
    const own = mainFrame && this.expected === url.replace(/#.*$/s, "");
    this.expected = null;
    if (!own && !this.mayNavigate(url, mainFrame)) return false;
    this.started(url, mainFrame, false);
    return true;
  }

  private mayNavigate(url: string, isMainFrame: boolean): boolean {
    const details = preventable({ url, isMainFrame, isSameDocument: false });
    this.webContents.emit("will-frame-navigate", details);
    if (isMainFrame && !details.defaultPrevented) this.webContents.emit("will-navigate", details);
    return !details.defaultPrevented;
  }

  private started(url: string, isMainFrame: boolean, isSameDocument: boolean): void {
    this.webContents.emit("did-start-navigation", preventable({ url, isMainFrame, isSameDocument }));
  }

  /** A message from the preload, or one a test forges. */
  receive(channel: string, args: readonly unknown[], forged?: ForgedSender): void {
    const parent = strict("WebFrameMain", { url: this.url() });
    const { url, sub } = forged?.frame ?? { url: this.url(), sub: false };
    const frame = strict("WebFrameMain", { url, parent: sub ? parent : null });
    const senderFrame = forged?.frame === null ? null : frame;
    const sender = forged?.foreign === true ? strict("webContents", { id: 1 }) : this.webContents;
    ipcMain.emit(channel, strict("IpcMainEvent", { sender, senderFrame }), ...args);
  }

  async deliver(channel: string, args: readonly unknown[]): Promise<void> {
    await (await this.opening).deliver(channel, args);
  }

  show(): void {
    this.visible = true;
  }
  hide(): void {
    this.visible = false;
  }
  focus(): void {
    if (!this.visible) unimplemented("focus of a hidden window");
  }
  isVisible(): boolean {
    return this.visible;
  }
  getNormalBounds() {
    return this.bounds;
  }
  isMinimized(): boolean {
    return false;
  }
  restore(): void {
    unimplemented("BrowserWindow.restore");
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    host.windows.delete(this.id);
    this.opening.then(({ page }) => page.close()).catch(() => undefined);
    this.emit("closed");
  }
}

type ContentsParts = Pick<WebContents, "id" | "send" | "reload" | "setWindowOpenHandler">;

function createContents(window: HostWindow) {
  const events = new EventEmitter();
  let openHandler: OpenHandler = () => unimplemented("a new window");
  const parts = {
    id: 1000 + window.id,
    send: (channel, ...args) => void window.deliver(channel, args),
    reload: () => void window.reloadPage(),
    setWindowOpenHandler(handler) {
      openHandler = handler;
    },
  } satisfies ContentsParts;
  return strict("webContents", {
    ...parts,
    on: (name: string, listener: (...args: unknown[]) => void) => events.on(name, listener),
    emit: (name: string, ...args: unknown[]) => events.emit(name, ...args),
    openRequested(url: string) {
      const details = { url, frameName: "", features: "", disposition: "new-window" } as const;
      const { action } = openHandler({ ...details, referrer: { url: window.url(), policy: "default" } });
      if (action !== "deny") unimplemented("windows opened by a page");
    },
  });
}
