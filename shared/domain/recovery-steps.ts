import type { Activity, Run } from "./model.ts";

/** The way from a Run whose owner died to its success, in order (orchestration §3.5, §5.3, §5.4). */
export const RECOVERY_STEPS = [
  "staleLock",
  "stopConfirmed",
  "forceUnlock",
  "adjudicate",
  "resolve",
  "jobLock",
  "resume",
  "success",
] as const;
export type RecoveryStep = (typeof RECOVERY_STEPS)[number];

/** `waits`: nothing can be done about it but wait. `needless`: this accident never needed it. */
export const STEP_STATES = ["done", "now", "waits", "later", "needless"] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface RecoveryFacts {
  readonly run: Pick<Run, "status" | "lifecycle"> & { readonly activity: Activity | null };
  /** The lock over its network; null: free. `ours`: an Invocation of this Run holds it. */
  readonly lock: {
    readonly ours: boolean;
    /** The lease ended more than its margin ago. */
    readonly stale: boolean;
    /** What is known of the owner's process. */
    readonly owner: "alive" | "another" | "gone" | "cannot-tell";
  } | null;
  /** Some Invocation of this Run never ended by itself, or was ended by a later one. */
  readonly abandoned: boolean;
  /** Nodes whose Attempt was left RUNNING: what a resume will judge. */
  readonly orphans: number;
  /** A child of such an Attempt is still alive. */
  readonly childAlive: boolean;
  /** Nodes that stand UNKNOWN. */
  readonly unknown: number;
  /** Locks of jobs that were killed and still stand (execution-contract §7). */
  readonly jobLocks: number;
  /** Those among them of nodes that a resume would run again: it would be turned away by them. */
  readonly jobLocksInTheWay: number;
  /** False where a JOB log could not be read: more locks may stand than are counted. */
  readonly jobLocksKnown: boolean;
}

type States = Readonly<Record<RecoveryStep, StepState>>;

/**
 * Where a recovery stands, from the records alone: whoever did which step, and whatever a window remembers, the answer
 * is the same (screens; operator-ux D8). A step is `now` when it is the first that can be done.
 */
export function recoverySteps(facts: RecoveryFacts): States {
  const { run, lock, abandoned } = facts;
  if (run.status === "SUCCESS") return ended(facts);
  const stands = lock?.ours === true;
  const dead = stands && (lock.owner === "gone" || lock.owner === "another");
  const lockSteps: Pick<States, "staleLock" | "stopConfirmed" | "forceUnlock"> = stands
    ? {
        staleLock: lock.stale ? "done" : "waits",
        stopConfirmed: !lock.stale ? "later" : dead ? "done" : lock.owner === "alive" ? "waits" : "now",
        forceUnlock: lock.stale && lock.owner !== "alive" ? "now" : "later",
      }
    : lockDone(abandoned);
  const free = !stands;
  const blocked = free && lock !== null;
  const adjudicate = adjudication(facts, free && !blocked);
  const judged = free && facts.orphans === 0;
  const resolve: StepState =
    facts.unknown === 0 ? (judged ? "done" : "later") : judged && !blocked ? "now" : "later";
  const settled = judged && facts.unknown === 0;
  const closed = run.lifecycle === "ARCHIVED";
  // Before the judgement a released job lock could be taken for an end of the job.
  const jobLock: StepState = settled ? jobLockStep(facts) : "later";
  const open = settled && !closed && facts.jobLocksInTheWay === 0;
  const resume: StepState = !open ? "later" : blocked || !facts.jobLocksKnown ? "waits" : "now";
  return { ...lockSteps, adjudicate, resolve, jobLock, resume, success: "later" };
}

const lockDone = (abandoned: boolean): Pick<States, "staleLock" | "stopConfirmed" | "forceUnlock"> => {
  const state: StepState = abandoned ? "done" : "needless";
  return { staleLock: state, stopConfirmed: state, forceUnlock: state };
};

function adjudication({ orphans, childAlive }: RecoveryFacts, possible: boolean): StepState {
  if (orphans === 0) return "done";
  if (!possible) return "later";
  return childAlive ? "waits" : "now";
}

function jobLockStep({ jobLocks, jobLocksKnown }: RecoveryFacts): StepState {
  if (jobLocks > 0) return "now";
  return jobLocksKnown ? "done" : "waits";
}

const ended = (facts: RecoveryFacts): States => ({
  ...lockDone(facts.abandoned),
  jobLock: jobLockStep(facts),
  adjudicate: "done",
  resolve: "done",
  resume: "done",
  success: "done",
});
