import { afterCrash } from "./life/page-crashes.ts";
import type { Lines } from "./lines.ts";
import { isOwnUrl, SAFE_PAGE, UI_PAGE } from "./origin.ts";
import type { Rectangle, Shell, ShellWindow } from "./ports.ts";

export interface MainWindowDeps {
  readonly shell: Shell;
  readonly lines: Lines;
  readonly title: string;
  readonly preload: string;
  /** Where it stood before; null for the usual place. */
  readonly place: Rectangle | null;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  readonly openRequested: (url: string) => void;
  /** The operator closes the window; whether it goes is decided by the end of the program. */
  readonly closeAsked: () => void;
  readonly delaysSessionEnd: () => boolean;
  readonly sessionEnding: () => void;
  readonly log: (line: string) => void;
}

export interface MainWindow {
  readonly id: number;
  send(data: string): void;
  /** Loads a page of ours and brings the window to the front. */
  go(url: string): Promise<void>;
  show(): void;
  hide(): void;
  badge(count: number, meaning: string): void;
  reload(): Promise<void>;
  destroy(): void;
  bounds(): Rectangle;
}

/**
 * The one window (electron-desktop R1, R5, L9): our pages only, no window beside it, and back again after the page
 * crashed.
 */
export function createMainWindow(deps: MainWindowDeps): MainWindow {
  let crashes: readonly number[] = [];
  let current = UI_PAGE;
  const load = async (url: string): Promise<void> => {
    current = url;
    await window.load(url);
  };
  const pageGone = (reason: string): void => {
    deps.lines.close(window.id);
    const after = afterCrash(crashes, deps.nowMs());
    crashes = after.crashes;
    deps.log(`page gone (${reason}): ${after.next}`);
    if (after.next === "reload") window.reload();
    else load(SAFE_PAGE).catch((error: unknown) => deps.log(`safe page: ${String(error)}`));
  };
  const window: ShellWindow = deps.shell.createWindow(frameOf(deps), {
    mayNavigate: isOwnUrl,
    openRequested: deps.openRequested,
    mayClose() {
      deps.closeAsked();
      return false;
    },
    documentStarted: () => deps.lines.close(window.id),
    pageGone,
    delaysSessionEnd: deps.delaysSessionEnd,
    sessionEnding: deps.sessionEnding,
    closed: () => deps.lines.forget(window.id),
  });
  deps.lines.admit(window.id);
  return {
    id: window.id,
    send: (data) => window.send(data),
    async go(url) {
      await load(url);
      window.show();
    },
    show: () => window.show(),
    hide: () => window.hide(),
    badge: (count, meaning) => window.badge(count, meaning),
    async reload() {
      if (current === SAFE_PAGE) await load(UI_PAGE);
      else window.reload();
    },
    destroy: () => window.destroy(),
    bounds: () => window.bounds(),
  };
}

/** The smallest size at which the pages hold together (screens.md). */
const frameOf = ({ title, preload, place }: MainWindowDeps) => ({
  title,
  width: 1280,
  height: 800,
  ...place,
  minWidth: 960,
  minHeight: 600,
  backgroundColor: "#ffffff",
  preload,
});
