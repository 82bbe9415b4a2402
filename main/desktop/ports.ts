/** What the desktop front asks of the shell it runs in. Electron stands behind it in two files (electron-desktop I8). */

/** In device-independent pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a message came from, as the shell says it. */
export interface SenderFacts {
  readonly windowId: number;
  /** URL of the frame that sent it; null when the frame is gone. */
  readonly frameUrl: string | null;
  readonly mainFrame: boolean;
}

export interface WindowOptions {
  readonly title: string;
  /** Absent: where the system puts a window. */
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly minWidth: number;
  readonly minHeight: number;
  readonly backgroundColor: string;
  /** Absolute path of the built preload. */
  readonly preload: string;
}

/** What a window asks before it does something, and tells after it happened. */
export interface WindowHandlers {
  /** Whether the window, or a frame in it, may go to this address. */
  mayNavigate(url: string): boolean;
  /** The page asked for a new window; there never is one. */
  openRequested(url: string): void;
  /** The operator closes the window: false keeps it. */
  mayClose(): boolean;
  /** A new document begins: whoever spoke in the old one is gone. */
  documentStarted(): void;
  pageGone(reason: string): void;
  /** Windows asks whether the session may end: true asks it to wait (electron-desktop L4). */
  delaysSessionEnd(): boolean;
  sessionEnding(): void;
  closed(): void;
}

export interface ShellWindow {
  readonly id: number;
  load(url: string): Promise<void>;
  send(data: string): void;
  show(): void;
  hide(): void;
  /** A number on the program's icon, and its meaning for who cannot see it; 0 takes it away. */
  badge(count: number, meaning: string): void;
  reload(): void;
  destroy(): void;
  /** Where it stands when it is neither minimized nor maximized. */
  bounds(): Rectangle;
}

/** One entry of a menu; ids are stable, labels are texts. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly accelerator?: string;
  readonly role?: "copy" | "selectAll" | "zoomIn" | "zoomOut" | "resetZoom" | "togglefullscreen";
  readonly choose?: () => void;
  readonly entries?: readonly MenuEntry[];
}

export interface Question {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** Index chosen by Enter, and by closing the dialog. */
  readonly preferred: number;
}

export interface UiRequest {
  readonly method: string;
  readonly url: string;
}

export interface UiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface Vault {
  /** Whether the system can encrypt for this account. */
  available(): Promise<boolean>;
  seal(text: string): Promise<Uint8Array>;
  /** `stale`: the key changed, seal it again. Rejects when the blob cannot be opened here. */
  open(blob: Uint8Array): Promise<{ readonly text: string; readonly stale: boolean }>;
}

/** A notice of the system. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly urgent: boolean;
}

export interface Shell {
  /** BCP 47 tags, the preferred one first. */
  readonly languages: () => readonly string[];
  readonly vault: Vault;
  createWindow(options: WindowOptions, handlers: WindowHandlers): ShellWindow;
  serveUi(answer: (request: UiRequest) => Promise<UiAnswer>): void;
  /** Decides every permission a page asks for or checks; devices are always denied. */
  decidePermissions(decide: (permission: string) => boolean): void;
  onMessage(listener: (sender: SenderFacts, message: unknown) => void): void;
  ask(question: Question): Promise<number>;
  tell(title: string, message: string): void;
  /** Shows a notice of the system, where it has any; `clicked` when the operator takes it. */
  notify(notice: Notice, clicked: () => void): void;
  setMenu(entries: readonly MenuEntry[]): void;
  showTray(tooltip: string, entries: readonly MenuEntry[], opened: () => void): void;
  openExternal(url: string): Promise<void>;
  /** What the system resolves for an address, as a proxy configuration script would say it. */
  resolveProxy(url: string): Promise<string>;
  /** The parts of the displays a window may use. */
  displays(): readonly Rectangle[];
  /** The system goes to sleep, comes back. */
  onPower(suspended: () => void, resumed: () => void): void;
  /** Keeps the system awake until the answer is called. */
  holdAwake(): () => void;
  /** Somebody starts the program again. */
  onSecondStart(started: (argv: readonly string[]) => void): void;
  /** The program is asked to end (menu, Ctrl+C, last window): false refuses. */
  onQuit(mayQuit: () => boolean): void;
  /** Ends the program at once. */
  exit(code: number): void;
}
