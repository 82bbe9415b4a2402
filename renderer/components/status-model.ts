import type { Activity, NodeStatus, OutcomeStatus, RunStatus } from "../../shared/domain/model.ts";

export type Glyph =
  | "tick"
  | "cross"
  | "question"
  | "half"
  | "ring"
  | "dotted"
  | "bar"
  | "slash"
  | "chevrons"
  | "play"
  | "pause"
  | "break";

export type Tone =
  | "success"
  | "failed"
  | "unknown"
  | "active"
  | "waiting"
  | "blocked"
  | "cancelled"
  | "skipped"
  | "live"
  | "suspect";

export interface Look {
  readonly glyph: Glyph;
  readonly tone: Tone;
}

/** How each status looks: its own shape and its own tone, so that neither has to be told by the other alone. */
export const RUN_LOOK: Readonly<Record<RunStatus, Look>> = {
  CREATED: { glyph: "dotted", tone: "waiting" },
  RUNNING: { glyph: "half", tone: "active" },
  SUCCESS: { glyph: "tick", tone: "success" },
  FAILED: { glyph: "cross", tone: "failed" },
  CANCELLED: { glyph: "slash", tone: "cancelled" },
  UNKNOWN: { glyph: "question", tone: "unknown" },
};

export const NODE_LOOK: Readonly<Record<NodeStatus, Look>> = {
  WAITING: { glyph: "ring", tone: "waiting" },
  RUNNING: { glyph: "play", tone: "active" },
  SUCCESS: RUN_LOOK.SUCCESS,
  FAILED: RUN_LOOK.FAILED,
  BLOCKED: { glyph: "bar", tone: "blocked" },
  SKIPPED: { glyph: "chevrons", tone: "skipped" },
  CANCELLED: RUN_LOOK.CANCELLED,
  UNKNOWN: RUN_LOOK.UNKNOWN,
};

export const OUTCOME_LOOK: Readonly<Record<OutcomeStatus, Look>> = {
  RUNNING: RUN_LOOK.RUNNING,
  SUCCESS: RUN_LOOK.SUCCESS,
  FAILED: RUN_LOOK.FAILED,
  CANCELLED: RUN_LOOK.CANCELLED,
  UNKNOWN: RUN_LOOK.UNKNOWN,
};

export const ACTIVITY_LOOK: Readonly<Record<Activity, Look>> = {
  LIVE: { glyph: "play", tone: "live" },
  IDLE: { glyph: "ring", tone: "waiting" },
  STOPPED: { glyph: "pause", tone: "blocked" },
  INTERRUPTED: { glyph: "break", tone: "suspect" },
};

export const PACE_LOOK: Readonly<Record<"long" | "late", Look>> = {
  long: { glyph: "chevrons", tone: "blocked" },
  late: { glyph: "break", tone: "suspect" },
};
