import { pageOfArguments } from "./deep-link.ts";
import { createEffects } from "./effects.ts";
import { allowedHostsFor, decideExternal } from "./external-links.ts";
import { watchGaps } from "./life/gaps.ts";
import { createLife } from "./life/life.ts";
import { followLiveRuns } from "./life/live-runs.ts";
import type { StartMarker } from "./life/start-marker.ts";
import { createLines, type ServedApi } from "./lines.ts";
import { createMainWindow, type MainWindow } from "./main-window.ts";
import { type MenuActions, trayMenu, windowMenu } from "./menu.ts";
import { followNotices } from "./notices.ts";
import { openOrTell } from "./open-or-tell.ts";
import { UI_PAGE } from "./origin.ts";
import { permissionAllowed } from "./policy.ts";
import type { Rectangle, Shell } from "./ports.ts";
import { safePageHtml } from "./safe-page.ts";
import { desktopTexts, fill, noticeTexts } from "./texts.ts";
import { createUiFiles } from "./ui-files.ts";
import { readPlace, visiblePlace, writePlace } from "./window-place.ts";

/** The console, open: what its pages call, and how it is closed. */
export interface OpenedConsole {
  readonly api: ServedApi;
  readonly kintoneBaseUrl: string;
  /** Brings Runs under way to their next node boundary, then closes everything. */
  dispose(): Promise<void>;
}

export interface DesktopDeps {
  readonly shell: Shell;
  readonly marker: StartMarker;
  readonly openConsole: () => Promise<OpenedConsole>;
  /** Absolute folder of the built pages. */
  readonly pages: string;
  /** Absolute path of the built preload. */
  readonly preload: string;
  /** Where the place of the window is kept. */
  readonly placeFile: string;
  readonly argv: readonly string[];
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  readonly nonce: () => string;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: (line: string) => void;
  /** Writes to the disk what the log still holds: the process may end any moment (electron-desktop L4). */
  readonly flushLog: () => void;
}

export interface Desktop {
  /** Opens the console and its window. Errors: none; what stands in the way is shown and ends the program. */
  start(): Promise<void>;
  /** Something in main failed unforeseen (electron-desktop L10). */
  fault(error: unknown): void;
  /** Somebody outside asks the program to end (a signal). */
  quit(): void;
}

/** The desktop front over a shell: window, lines, menus and the life of the program (electron-desktop §1, §2, §5). */
export function createDesktop(deps: DesktopDeps): Desktop {
  const { shell, marker } = deps;
  const texts = desktopTexts(shell.languages());
  const effects = createEffects({
    shell,
    texts,
    marker,
    log: deps.log,
    flushLog: deps.flushLog,
    tell: (event) => life.tell(event),
  });
  const life = createLife(effects.perform);
  const quit = (): void => life.tell({ kind: "quit-asked" });
  shell.onQuit(() => {
    if (life.current().phase === "stopped") return true;
    quit();
    return false;
  });
  return {
    async start() {
      guardPages(deps, safePageHtml(texts));
      const opened = await openOrTell(deps, shell.languages());
      if (opened === null) return;
      life.tell({ kind: "recovered" });
      const place = await lastPlace(deps);
      const window = openWindow(deps, opened, place, life, quit);
      const liveRuns = followLiveRuns(opened.api, (count) => life.tell({ kind: "live-runs", count }));
      const notices = followNotices({
        api: opened.api,
        shell,
        ...noticeWindow(deps, window.window),
        nowMs: deps.nowMs,
      });
      const away = new AbortController();
      const keepPlace = () => writePlace(deps.placeFile, window.window.bounds());
      effects.attach({ ...window, opened, liveRuns, notices, away, keepPlace });
      offerMenus(deps, window.window, quit);
      watchAway(deps, life.tell, away.signal);
      await window.window.go(pageOfArguments(deps.argv) ?? UI_PAGE);
      life.tell({ kind: "ready" });
      tellDirtyStart(deps, texts);
    },
    fault(error) {
      deps.log(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      effects.reason(error);
      life.tell({ kind: "fault" });
    },
    quit,
  };
}

/** The window as notices use it: a number on it, and the page a click leads to. */
function noticeWindow({ shell, log }: DesktopDeps, window: MainWindow) {
  const texts = noticeTexts(shell.languages());
  return {
    texts,
    badge: (count: number) => window.badge(count, fill(texts.badge, { count })),
    open: (url: string) => void window.go(url).catch((error: unknown) => log(String(error))),
  };
}

type Life = ReturnType<typeof createLife>;
type Texts = ReturnType<typeof desktopTexts>;

function guardPages({ shell, pages, nonce }: DesktopDeps, safePage: string): void {
  shell.serveUi(createUiFiles({ folder: pages, nonce, safePage: () => safePage }));
  shell.decidePermissions(permissionAllowed);
}

async function lastPlace({ shell, placeFile }: DesktopDeps): Promise<Rectangle | null> {
  const saved = await readPlace(placeFile);
  return saved === null ? null : visiblePlace(saved, shell.displays());
}

function openWindow(
  deps: DesktopDeps,
  opened: OpenedConsole,
  place: Rectangle | null,
  life: Life,
  quit: () => void,
) {
  const { shell, log } = deps;
  const hosts = allowedHostsFor(opened.kintoneBaseUrl);
  const lines = createLines({
    api: opened.api,
    send: (_, data) => window.send(data),
    refused: (why) => log(`message refused: ${why}`),
    cut: () => void window.reload(),
  });
  const window = createMainWindow({
    shell,
    lines,
    title: "FlowNet Console",
    preload: deps.preload,
    place,
    nowMs: deps.nowMs,
    openRequested(url) {
      const decision = decideExternal(url, hosts);
      if (decision.open) shell.openExternal(decision.url).catch((error: unknown) => log(String(error)));
      else log(`address not opened: ${decision.reason}`);
    },
    closeAsked: quit,
    delaysSessionEnd: life.delaysSessionEnd,
    sessionEnding() {
      life.tell({ kind: "session-ending" });
      deps.flushLog();
    },
    log,
  });
  shell.onMessage(lines.receive);
  return { window, lines };
}

function offerMenus({ shell, log }: DesktopDeps, window: MainWindow, quit: () => void): void {
  const texts = desktopTexts(shell.languages());
  const report = (work: Promise<void>): void => void work.catch((error: unknown) => log(String(error)));
  const actions: MenuActions = {
    go: (url) => report(window.go(url)),
    reload: () => report(window.reload()),
    quit,
  };
  shell.setMenu(windowMenu(texts, actions));
  shell.showTray(texts.tray.tooltip, trayMenu(texts, actions), window.show);
  shell.onSecondStart((argv) => {
    const page = pageOfArguments(argv);
    if (page === null) window.show();
    else report(window.go(page));
  });
}

/** Sleep and every other absence (electron-desktop L6, L7). */
function watchAway({ shell, nowMs, wait }: DesktopDeps, tell: Life["tell"], signal: AbortSignal): void {
  const woken = (): void => tell({ kind: "woken" });
  shell.onPower(() => undefined, woken);
  void watchGaps({ nowMs, wait, woken }, signal);
}

function tellDirtyStart({ shell, marker, log }: DesktopDeps, texts: Texts): void {
  if (!marker.dirty) return;
  const { left } = marker;
  log("the previous console did not end in order");
  const message =
    left === null
      ? texts.dirty.unknown
      : fill(texts.dirty.message, { startedAt: left.startedAt, pid: left.pid });
  shell.tell(texts.dirty.title, message);
}
