/**
 * The life of the desktop front as a pure machine (electron-desktop §5): Starting → Recovered → Ready → Draining →
 * Stopped. The shell tells events and carries out the effects; it decides nothing.
 */
export type Phase = "starting" | "recovered" | "ready" | "draining" | "stopped";
/** What the operator answers when Runs are still under way at the end (L3). */
export type QuitChoice = "stop" | "tray" | "leave";

export interface Life {
  readonly phase: Phase;
  /** Runs this console is executing now. */
  readonly liveRuns: number;
  /** The quit question stands on the screen. */
  readonly asking: boolean;
  readonly awake: boolean;
  /** Something in main failed unforeseen; nothing new is started any more (L10). */
  readonly faulted: boolean;
}

export const BORN: Life = { phase: "starting", liveRuns: 0, asking: false, awake: false, faulted: false };

export type LifeEvent =
  | { readonly kind: "recovered" }
  | { readonly kind: "ready" }
  | { readonly kind: "live-runs"; readonly count: number }
  | { readonly kind: "quit-asked" }
  | { readonly kind: "quit-chosen"; readonly choice: QuitChoice }
  /** `clean`: everything was closed in order. */
  | { readonly kind: "drained"; readonly clean: boolean }
  | { readonly kind: "session-ending" }
  /** The machine was away: sleep, or a gap no event announced. */
  | { readonly kind: "woken" }
  | { readonly kind: "fault" };

export type LifeEffect =
  | { readonly kind: "ask-quit"; readonly liveRuns: number }
  | { readonly kind: "hide-windows" }
  /** Stop the Runs at their next node boundary and close everything; `drained` is told when it is done. */
  | { readonly kind: "drain" }
  | { readonly kind: "hold-awake" }
  | { readonly kind: "release-awake" }
  /** Nothing known before may be trusted: read again. */
  | { readonly kind: "read-again" }
  | { readonly kind: "show-fault" }
  /** `clean`: the marker of a dirty start goes, because nothing is left behind. */
  | { readonly kind: "exit"; readonly clean: boolean; readonly code: 0 | 1 };

export interface Step {
  readonly life: Life;
  readonly effects: readonly LifeEffect[];
}

const stay = (life: Life, ...effects: LifeEffect[]): Step => ({ life, effects });

/** The next state and what is to be done. An event that does not fit the phase changes nothing. */
export function step(life: Life, event: LifeEvent): Step {
  if (life.phase === "stopped") return stay(life);
  switch (event.kind) {
    case "recovered":
      return stay(life.phase === "starting" ? { ...life, phase: "recovered" } : life);
    case "ready":
      return stay(life.phase === "recovered" ? { ...life, phase: "ready" } : life);
    case "live-runs":
      return liveRuns(life, event.count);
    case "quit-asked":
      return quitAsked(life);
    case "quit-chosen":
      return quitChosen({ ...life, asking: false }, event.choice);
    case "drained":
      return life.phase === "draining" ? stop(life, event.clean) : stay(life);
    case "session-ending":
      // The system ends the process right after this: children survive, the next start looks for them (L4, L5).
      return stop(life, life.liveRuns === 0 && life.phase !== "starting");
    case "woken":
      return life.phase === "ready" ? stay(life, { kind: "read-again" }) : stay(life);
    case "fault":
      return fault(life);
  }
}

/** Whether the end of the session should wait: only while a Run is under way (L4). */
export const delaysSessionEnd = (life: Life): boolean => life.liveRuns > 0 && life.phase !== "stopped";

function liveRuns(life: Life, count: number): Step {
  const awake = count > 0;
  const next = { ...life, liveRuns: count, awake };
  if (awake === life.awake) return stay(next);
  return stay(next, { kind: awake ? "hold-awake" : "release-awake" });
}

function quitAsked(life: Life): Step {
  if (life.asking) return stay(life);
  // Asked again while a Run takes long to reach its boundary, the answer may be another one.
  if (life.liveRuns > 0) {
    return stay({ ...life, asking: true }, { kind: "ask-quit", liveRuns: life.liveRuns });
  }
  return life.phase === "draining" ? stay(life) : drain(life);
}

function quitChosen(life: Life, choice: QuitChoice): Step {
  if (choice === "tray") return stay(life, { kind: "hide-windows" });
  if (choice === "leave" && life.liveRuns > 0) return stop(life, false);
  return life.phase === "draining" ? stay(life) : drain(life);
}

function drain(life: Life): Step {
  return stay({ ...life, phase: "draining" }, { kind: "drain" });
}

function stop(life: Life, clean: boolean): Step {
  const effects: LifeEffect[] = life.awake ? [{ kind: "release-awake" }] : [];
  effects.push({ kind: "exit", clean: clean && !life.faulted, code: life.faulted ? 1 : 0 });
  return { life: { ...life, phase: "stopped", awake: false }, effects };
}

/** Said once; the Runs under way are brought to their next boundary, and then the program ends (L10). */
function fault(life: Life): Step {
  if (life.faulted) return stay(life);
  const faulted: Life = { ...life, faulted: true };
  if (life.phase === "draining") return stay(faulted, { kind: "show-fault" });
  return stay({ ...faulted, phase: "draining" }, { kind: "show-fault" }, { kind: "drain" });
}
