import type { LiveRuns } from "./life/live-runs.ts";
import type { LifeEffect, LifeEvent, QuitChoice } from "./life/phase.ts";
import type { StartMarker } from "./life/start-marker.ts";
import type { Lines } from "./lines.ts";
import type { MainWindow } from "./main-window.ts";
import type { Shell } from "./ports.ts";
import { type DesktopTexts, fill } from "./texts.ts";

export interface EffectsDeps {
  readonly shell: Shell;
  readonly texts: DesktopTexts;
  readonly marker: StartMarker;
  readonly tell: (event: LifeEvent) => void;
  readonly log: (line: string) => void;
  readonly flushLog: () => void;
}

/** What exists once the console is open; before that there is nothing to drain. */
export interface Attached {
  readonly opened: { dispose(): Promise<void> };
  readonly window: MainWindow;
  readonly lines: Lines;
  readonly liveRuns: LiveRuns;
  readonly notices: { dispose(): Promise<void> };
  readonly away: AbortController;
  /** Keeps where the window stands, for the next start. */
  readonly keepPlace: () => Promise<void>;
}

const CHOICES: readonly QuitChoice[] = ["stop", "tray", "leave"];

/** Carries out what the life decides (electron-desktop §5). */
export function createEffects(deps: EffectsDeps) {
  const { shell, texts, tell, log } = deps;
  let attached: Attached | null = null;
  let releaseAwake = (): void => undefined;
  let reason = "";
  const perform = (effect: LifeEffect): void => {
    switch (effect.kind) {
      case "ask-quit":
        void askQuit(deps, effect.liveRuns);
        break;
      case "hide-windows":
        attached?.window.hide();
        break;
      case "drain":
        void drain(attached, log).then((clean) => tell({ kind: "drained", clean }));
        break;
      case "hold-awake":
        releaseAwake = shell.holdAwake();
        break;
      case "release-awake":
        releaseAwake();
        break;
      case "read-again":
        void attached?.liveRuns.readAgain();
        break;
      case "show-fault":
        shell.tell(texts.fault.title, fill(texts.fault.message, { reason }));
        break;
      case "exit":
        if (effect.clean) deps.marker.clear();
        deps.flushLog();
        shell.exit(effect.code);
    }
  };
  return {
    perform,
    attach(parts: Attached) {
      attached = parts;
    },
    /** What the notice of a fault names. */
    reason(error: unknown) {
      reason = error instanceof Error ? error.message : String(error);
    },
  };
}

/** The safe answer is the preferred one: go on in the notification area (electron-desktop L3). */
async function askQuit({ shell, texts, tell, log }: EffectsDeps, liveRuns: number): Promise<void> {
  const { quit } = texts;
  try {
    const answer = await shell.ask({
      title: quit.title,
      message: fill(quit.message, { count: liveRuns }),
      detail: quit.detail,
      buttons: CHOICES.map((choice) => quit[choice]),
      preferred: CHOICES.indexOf("tray"),
    });
    tell({ kind: "quit-chosen", choice: CHOICES[answer] ?? "tray" });
  } catch (error) {
    log(`quit question: ${String(error)}`);
    tell({ kind: "quit-chosen", choice: "tray" });
  }
}

/** Closes everything; answers whether it went in order. The window stays until the Runs stand: it shows them. */
async function drain(attached: Attached | null, log: (line: string) => void): Promise<boolean> {
  if (attached === null) return true;
  attached.away.abort();
  let clean = true;
  const failed = (error: unknown): void => {
    clean = false;
    log(`closing: ${String(error)}`);
  };
  await attached.opened.dispose().catch(failed);
  await attached.liveRuns.dispose().catch(failed);
  await attached.notices.dispose().catch(failed);
  // Where the window stood is a comfort: that it cannot be kept makes no end unclean.
  await attached.keepPlace().catch((error: unknown) => log(`place of the window: ${String(error)}`));
  attached.lines.dispose();
  attached.window.destroy();
  return clean;
}
