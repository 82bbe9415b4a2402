/** Everything an operator can do that writes something. */
export const OPERATIONS = [
  "START",
  "RESUME",
  "RERUN_FROM",
  "STOP",
  "RELEASE",
  "CLOSE",
  "COMPLETE_AUDIT",
  "RESOLVE_NODE",
  "REALIGN_NODE",
  "FORCE_UNLOCK",
  "JOB_UNLOCK",
  "REQUEST_START",
  "REQUEST_RERUN",
  "REQUEST_STOP",
  "REQUEST_RELEASE",
  "REQUEST_CLOSE",
  "REQUEST_CANCEL",
  "REQUEST_SETTLE",
  "PROCESS_STOP",
] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** Friction by danger (operator-ux §2.1): L0 read … L4 cannot be undone or removes a safety barrier. */
export const DANGER_LEVELS = ["L0", "L1", "L2", "L3", "L4"] as const;
export type DangerLevel = (typeof DANGER_LEVELS)[number];

/** The least danger of each; a plan may raise it by what it would do (operator-ux §2.1). */
export const DANGER: Readonly<Record<OperationName, DangerLevel>> = {
  START: "L2",
  RESUME: "L2",
  RERUN_FROM: "L2",
  STOP: "L2",
  RELEASE: "L2",
  CLOSE: "L4",
  COMPLETE_AUDIT: "L2",
  RESOLVE_NODE: "L3",
  REALIGN_NODE: "L3",
  FORCE_UNLOCK: "L4",
  JOB_UNLOCK: "L4",
  REQUEST_START: "L2",
  REQUEST_RERUN: "L2",
  REQUEST_STOP: "L2",
  REQUEST_RELEASE: "L2",
  REQUEST_CLOSE: "L4",
  REQUEST_CANCEL: "L1",
  REQUEST_SETTLE: "L3",
  PROCESS_STOP: "L3",
};
