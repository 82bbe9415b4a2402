import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { withoutControls } from "../domain/visible-text.ts";
import { friction } from "./acting.ts";
import { answer, isoTime } from "./result.ts";

/** One process as the operating system tells it; what it does not tell is null. */
export const processFacts = z.object({
  pid: z.number().int(),
  processStart: isoTime.nullable(),
  image: z.string().nullable(),
  /** With everything that looks like a secret hidden. */
  commandLine: z.string().nullable(),
  parentPid: z.number().int().nullable(),
  /** Milliseconds of processor since it was created. */
  cpuMs: z.number().nullable(),
  /** Share of one processor since the look before; null at the first look. */
  cpuShare: z.number().nullable(),
  memoryBytes: z.number().nullable(),
});
export type ProcessFacts = z.infer<typeof processFacts>;

/** A process in its tree: the root stands at depth 0, children after their parent. */
const treeProcess = processFacts.extend({ depth: z.number().int() });
export type TreeProcess = z.infer<typeof treeProcess>;

/** Is the process of that identity alive? Creation times are compared, never numbers alone (electron-desktop §4 C3). */
const IDENTITIES = ["verified", "gone", "another", "cannotTell"] as const;

/** What a program on this host said of the attempt a process belongs to. */
const processAttempt = z.object({
  attemptId: z.string(),
  runId: z.string(),
  nodeId: z.string(),
  jobId: z.string(),
  attemptNo: z.number().int(),
  /** Of the Run, where its record is known. */
  networkId: z.string().nullable(),
  businessKey: z.string().nullable(),
});
export type ProcessAttempt = z.infer<typeof processAttempt>;

const FILE_KINDS = ["result", "stdout", "stderr"] as const;

/** `started` by this console, `adopted` from one that ended, `elsewhere`: another program follows it, `leftover`: its root ended. */
const ORIGINS = ["started", "adopted", "elsewhere", "leftover", "unclear"] as const;

/** Why a tree cannot be stopped from here; null where it can. */
const NOT_STOPPABLE = ["elsewhere", "unclear"] as const;

/** Three facts that are never one (operator-ux §1.1, kill; §2.3): requested, gone, settled. */
const stopProgress = z.object({
  operationId: z.string(),
  pid: z.number().int(),
  processStart: isoTime.nullable(),
  attempt: processAttempt.nullable(),
  requestedAt: isoTime,
  requestedBy: z.string(),
  reason: z.string(),
  /** Until when it may end in order. */
  graceEndsAt: isoTime,
  /** When force was first used; null: not yet, or it was not needed. */
  forcedAt: isoTime.nullable(),
  /** When the stop came to its end, whatever it came to. */
  endedAt: isoTime.nullable(),
  /** Null while it goes on. `unheard`: it could not be asked; `needless`: it had ended before. */
  requested: z.enum(["asked", "unheard", "needless"]).nullable(),
  gone: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("proven") }),
      z.object({
        kind: z.literal("notProven"),
        reason: z.string(),
        left: z.array(z.object({ pid: z.number().int(), processStart: isoTime.nullable() })).readonly(),
      }),
    ])
    .nullable(),
  /** `recorded`: its outcome is in the records; `onResume`: the next resume judges it; null while that cannot be told. */
  settled: z.enum(["waiting", "recorded", "onResume"]),
});
export type StopProgress = z.infer<typeof stopProgress>;

/** The tree below one process that this host started. */
const childTree = z.object({
  /** PID and creation time of the root. */
  id: z.string(),
  origin: z.enum(ORIGINS),
  identity: z.enum(IDENTITIES),
  /** Why the identity cannot be told. */
  identityReason: z.string().nullable(),
  root: z.object({ pid: z.number().int(), processStart: isoTime.nullable(), image: z.string().nullable() }),
  attempt: processAttempt.nullable(),
  /** What lives, the root first where it does. */
  processes: z.array(treeProcess).readonly(),
  /** Why the list may be short; null when it is whole. */
  incomplete: z.string().nullable(),
  /** The program that started it; `alive` null: nobody can tell. */
  parent: z.object({
    pid: z.number().int().nullable(),
    alive: z.boolean().nullable(),
    self: z.boolean(),
  }),
  /** Files of the attempt; bytes null where there is none yet. */
  files: z
    .array(z.object({ kind: z.enum(FILE_KINDS), path: z.string(), bytes: z.number().nullable() }))
    .readonly(),
  notStoppable: z.enum(NOT_STOPPABLE).nullable(),
  /** How it is asked: its control pipe, or the system's signal. */
  polite: z.enum(["pipe", "signal"]),
});
export type ChildTree = z.infer<typeof childTree>;

/** Who holds one of our locks, where it is no child of ours: to be looked at only. */
const lockHolderProcess = z.object({
  recordId: z.string(),
  networkId: z.string().nullable(),
  runId: z.string().nullable(),
  businessKey: z.string().nullable(),
  host: z.string().nullable(),
  pid: z.number().int().nullable(),
  /** The process is looked at only where it runs on this host. */
  thisHost: z.boolean(),
  /** This console itself. */
  self: z.boolean(),
  facts: processFacts.nullable(),
});
export type LockHolderProcess = z.infer<typeof lockHolderProcess>;

const processesPicture = z.object({
  host: z.string(),
  trees: z.array(childTree).readonly(),
  holders: z.array(lockHolderProcess).readonly(),
  /** Stops of this console, the newest first, also of what is gone since. */
  stops: z.array(stopProgress).readonly(),
  lookedAt: isoTime,
});
export type ProcessesPicture = z.infer<typeof processesPicture>;

const target = { pid: z.number().int().min(1), processStart: isoTime.nullable() } as const;

/** What a stop would end, as it stands at this moment. */
const stopPlan = z.object({
  tree: childTree,
  friction,
  graceMs: z.number().int(),
  /** Of the identities of the whole tree; another one refuses the stop (operator-ux D6). */
  fingerprint: z.string(),
  readAt: isoTime,
});
export type StopPlan = z.infer<typeof stopPlan>;

const stopInput = z.strictObject({
  operationId: z.uuid(),
  ...target,
  fingerprint: z.string().min(1).max(200),
  /** What was typed where the friction asks for it. */
  typed: z.string().max(1000),
  reason: z.string().max(2000).overwrite(withoutControls),
});
export type StopOrder = z.infer<typeof stopInput>;

/** 子プロセス: what this host started and what lives of it. Looking costs no request to kintone. */
export const processesContract = {
  list: oc.input(z.strictObject({})).output(answer(processesPicture)),
  /** The picture now and after every change, own children at once (operator-ux U3). */
  watch: oc.input(z.strictObject({})).output(eventIterator(processesPicture)),
  plan: oc.input(z.strictObject(target)).output(answer(stopPlan)),
  /** Verifies the identity and stops in the same call; followed through `watch`. The same id changes nothing twice. */
  stop: oc.input(stopInput).output(answer(z.object({ operationId: z.string(), acceptedAt: isoTime }))),
};
/** What one process is called in the picture and in the address of its page. */
export const processId = (pid: number, processStart: string | null): string => `${pid}@${processStart ?? ""}`;
