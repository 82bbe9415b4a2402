import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, isoTime, problemSchema } from "./result.ts";

/** A network's lock: free, or held with everything the record says of its holder. The token is never shown. */
const lockRow = z.object({
  /** Null when the record's key is that of no network known here. */
  networkId: z.string().nullable(),
  profile: z.string(),
  /** Null when the network is free. */
  holder: z
    .object({
      recordId: z.string(),
      ownerInvocationId: z.string().nullable(),
      ownerInstanceId: z.string().nullable(),
      /** Host and PID, when the owner names itself by them. */
      host: z.string().nullable(),
      pid: z.number().int().nullable(),
      /** The owner's host is the one this console runs on. */
      thisHost: z.boolean(),
      startedAt: isoTime,
      heartbeatAt: isoTime,
      leaseExpiresAt: isoTime,
      /** Lease end with the minute that the record's precision may have cut; null when unreadable. */
      marginEndsAt: isoTime.nullable(),
      /** The lease ended more than that minute ago: a hint, not a proof that the owner stopped. */
      staleCandidate: z.boolean(),
      /** `$revision` of the record. */
      revision: z.number().int(),
      runId: z.string().nullable(),
      businessKey: z.string().nullable(),
    })
    .nullable(),
});
export type LockRow = z.infer<typeof lockRow>;
export type LockHolder = NonNullable<LockRow["holder"]>;

const lockList = z.object({
  /** Held ones first, candidates before the others; then the free networks by name. */
  locks: z.array(lockRow).readonly(),
  readAt: isoTime,
  /** The console's own clock at this answer, for counting down. */
  answeredAt: isoTime,
});
export type LockList = z.infer<typeof lockList>;

export const PROBES = [
  "lease",
  "heartbeat",
  "process",
  "image",
  "journal",
  "children",
  "jobLog",
  "resultFile",
  "jobLock",
] as const;
export type ProbeName = (typeof PROBES)[number];

/**
 * What one look came to: `alive` speaks for a living owner, `ended` against it, `another` says that the PID is somebody
 * else's now, `cannotTell` that nothing may be concluded.
 */
const PROBE_RESULTS = ["alive", "ended", "another", "cannotTell"] as const;
export type ProbeResult = (typeof PROBE_RESULTS)[number];

/** What a record or a file said, where the result alone does not tell it. */
const PROBE_STATES = ["running", "terminal", "none", "present", "held", "free", "unreadable"] as const;
export type ProbeState = (typeof PROBE_STATES)[number];

export const probe = z.object({
  probe: z.enum(PROBES),
  result: z.enum(PROBE_RESULTS),
  state: z.enum(PROBE_STATES).nullable(),
  at: isoTime,
  /** What was seen: a creation time, a path, a count. */
  seen: z.string().nullable(),
});
export type Probe = z.infer<typeof probe>;

export const VERDICTS = ["alive", "another", "gone", "cannot-tell"] as const;
const VERDICT_GROUNDS = [
  "journal",
  "creation-time",
  "pid",
  "other-host",
  "no-pid",
  "unreadable",
  "no-creation-time",
] as const;

export const lockDetail = z.object({
  lock: lockRow,
  /** Nodes of the owner's Run that are RUNNING by the records; empty when its Run is not known. */
  currentNodes: z
    .array(
      z.object({
        nodeId: z.string(),
        attemptNo: z.number().int(),
        startedAt: isoTime.nullable(),
      }),
    )
    .readonly(),
  /** Why the records of the owner's Run could not be read. */
  nodesProblem: problemSchema.nullable(),
  probes: z.array(probe).readonly(),
  verdict: z.object({ kind: z.enum(VERDICTS), by: z.enum(VERDICT_GROUNDS) }),
  readAt: isoTime,
});
export type LockDetail = z.infer<typeof lockDetail>;

const recordId = z.string().regex(/^\d+$/).max(20);

/** ロック: every known network, and for one holder whether it lives. Both only read. */
export const locksContract = {
  /** As last read by the console's own readings; costs no request. */
  list: oc.input(z.strictObject({})).output(answer(lockList)),
  /** Reads the lock and its Run now, and looks at the processes of this host. */
  detail: oc.input(z.strictObject({ recordId })).output(answer(lockDetail)),
};
