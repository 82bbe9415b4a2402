import type { LockDetail, LockHolder, Probe, ProbeResult } from "../../../shared/api/index.ts";
import { instantOf } from "../../../shared/domain/datetime.ts";
import { DATETIME_ALLOWANCE_MS } from "../../../shared/domain/lease.ts";
import {
  type JournalOwner,
  LOCK_START_ALLOWANCE_MS,
  type LockOwnerVerdict,
  lockOwnerVerdict,
  type OwnerProcess,
} from "../../../shared/domain/lock-owner.ts";
import type { ProcessIdentity } from "../../process/index.ts";
import type { FlowReads } from "../../store/index.ts";
import { jobLogProbes, type OpenAttempt, resultFileProbe } from "./attempt-probes.ts";
import type { LockEvidence } from "./evidence.ts";

export interface ProbeDeps {
  readonly evidence: LockEvidence;
  readonly reads: Pick<FlowReads, "findJobLog">;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** The image this program itself runs on; a lock's owner on this host runs on the same kind. */
  readonly ownImage: string;
}

/** What was found out about one holder, and what follows from it. */
export type ProbeAnswer = Pick<LockDetail, "probes"> & { readonly verdict: LockOwnerVerdict };

/**
 * Looks whether the holder lives (decisions §3, operator-ux §2.3 step 2). Of one on another host only the records can be
 * asked; on its own host its process, its journal line, and the children and results of its attempts are looked at too.
 * Nothing is changed.
 */
export async function probeHolder(
  holder: LockHolder,
  attempts: readonly OpenAttempt[],
  deps: ProbeDeps,
  signal?: AbortSignal,
): Promise<ProbeAnswer> {
  const now = deps.nowMs();
  const at = new Date(now).toISOString();
  const record = [leaseProbe(holder, at), heartbeatProbe(holder, now, at)];
  const logs = attempts.length > 0 ? jobLogProbes(attempts, deps.reads, at, signal) : [];
  if (!holder.thisHost || holder.pid === null) {
    const verdict = lockOwnerVerdict(ownerFacts(holder, { kind: "unreadable" }, { kind: "none" }));
    return { probes: [...record, ...(await logs)], verdict };
  }
  const own = await ownHost(holder, holder.pid, deps, at);
  const left = attempts.length > 0 ? [await resultFileProbe(attempts, deps.evidence, at)] : [];
  const children = attempts.length > 0 ? [childrenProbe(attempts, deps.evidence, at)] : [];
  const [jobLog, jobLock] = await logs;
  return {
    probes: [
      ...record,
      ...own.probes,
      ...children,
      ...(jobLog === undefined ? [] : [jobLog]),
      ...left,
      ...(jobLock === undefined ? [] : [jobLock]),
    ],
    verdict: own.verdict,
  };
}

/** What this host's processes and journal say of an owner that ran here. */
async function ownHost(holder: LockHolder, pid: number, deps: ProbeDeps, at: string): Promise<ProbeAnswer> {
  const identity = deps.evidence.inspector.identify(pid);
  const process = processOf(identity, deps.evidence);
  const line = await journalOf(holder, deps.evidence);
  return {
    probes: [
      processProbe(process, holder, at),
      ...(process.kind === "exists" ? [imageProbe(identity, line.image ?? deps.ownImage, at)] : []),
      journalProbe(line.owner, line.seen, at),
    ],
    verdict: lockOwnerVerdict(ownerFacts(holder, process, line.owner)),
  };
}

const ownerFacts = (holder: LockHolder, process: OwnerProcess, journal: JournalOwner) => ({
  sameHost: holder.thisHost,
  namesPid: holder.pid !== null,
  lockStartedAt: holder.startedAt,
  process,
  journal,
});

function leaseProbe({ staleCandidate, marginEndsAt }: LockHolder, at: string): Probe {
  const result = marginEndsAt === null ? "cannotTell" : staleCandidate ? "ended" : "alive";
  return { probe: "lease", result, state: null, at, seen: marginEndsAt };
}

/** Silent for longer than a lease is meant to last, the cut minute included. */
function heartbeatProbe({ heartbeatAt, leaseExpiresAt }: LockHolder, now: number, at: string): Probe {
  const [beat, end] = [instantOf(heartbeatAt), instantOf(leaseExpiresAt)];
  const result = (): ProbeResult => {
    if (beat === null || end === null) return "cannotTell";
    if (now <= end) return "alive";
    return now > end + DATETIME_ALLOWANCE_MS ? "ended" : "cannotTell";
  };
  return { probe: "heartbeat", result: result(), state: null, at, seen: heartbeatAt };
}

function processOf(identity: ProcessIdentity | null, { inspector }: LockEvidence): OwnerProcess {
  if (identity === null) return { kind: "gone" };
  const { kind } = inspector.liveness(identity);
  if (kind === "gone") return { kind: "gone" };
  return { kind: "exists", processStart: identity.processStart };
}

function processProbe(process: OwnerProcess, { startedAt }: LockHolder, at: string): Probe {
  if (process.kind !== "exists") {
    const result = process.kind === "gone" ? "ended" : "cannotTell";
    return { probe: "process", result, state: null, at, seen: null };
  }
  const [created, started] = [instantOf(process.processStart), instantOf(startedAt)];
  const known = created !== null && started !== null;
  const younger = known && created > started + LOCK_START_ALLOWANCE_MS;
  return {
    probe: "process",
    result: known ? (younger ? "another" : "alive") : "cannotTell",
    state: null,
    at,
    seen: process.processStart,
  };
}

function imageProbe(identity: ProcessIdentity | null, wanted: string, at: string): Probe {
  const image = identity?.image ?? null;
  const result = image === null ? "cannotTell" : image === wanted ? "alive" : "another";
  return { probe: "image", result, state: null, at, seen: image };
}

interface JournalReading {
  readonly owner: JournalOwner;
  readonly image: string | null;
  readonly seen: string | null;
}

async function journalOf(holder: LockHolder, evidence: LockEvidence): Promise<JournalReading> {
  const nothing = { image: null, seen: null };
  if (holder.ownerInvocationId === null) return { owner: { kind: "none" }, ...nothing };
  const line = await evidence.journalOwner(holder.ownerInvocationId).catch(() => "unreadable" as const);
  if (line === "unreadable") return { owner: { kind: "unreadable" }, ...nothing };
  if (line === null || line.process.pid !== holder.pid) return { owner: { kind: "none" }, ...nothing };
  const seen = { image: line.process.image, seen: line.process.processStart };
  const { bootId } = evidence.hostFacts;
  // Nothing that ran before this boot runs now.
  if (line.bootId !== null && bootId !== null && line.bootId !== bootId) {
    return { owner: { kind: "another" }, ...seen };
  }
  const liveness = evidence.inspector.liveness(line.process);
  switch (liveness.kind) {
    case "alive-ours":
      return { owner: { kind: "alive" }, ...seen };
    case "alive-another":
      return { owner: { kind: "another" }, ...seen };
    case "gone":
      return { owner: { kind: "gone" }, ...seen };
    case "cannot-tell":
      return { owner: { kind: "none" }, ...seen };
  }
}

const JOURNAL_RESULT: Readonly<Record<JournalOwner["kind"], ProbeResult>> = {
  none: "cannotTell",
  unreadable: "cannotTell",
  alive: "alive",
  another: "another",
  gone: "ended",
};

const journalProbe = (owner: JournalOwner, seen: string | null, at: string): Probe => ({
  probe: "journal",
  result: JOURNAL_RESULT[owner.kind],
  state: null,
  at,
  seen,
});

/** A child may go on writing after its owner died (orchestration §5.3). */
function childrenProbe(attempts: readonly OpenAttempt[], { inspector }: LockEvidence, at: string): Probe {
  const searches = attempts.map(({ attemptId }) => inspector.searchByAttemptId(attemptId));
  const pids = searches.flatMap(({ found }) => found.map(({ pid }) => pid));
  const sure = searches.every(({ inconclusive }) => inconclusive === null);
  const result = pids.length > 0 ? "alive" : sure ? "ended" : "cannotTell";
  return { probe: "children", result, state: null, at, seen: pids.length > 0 ? pids.join(", ") : null };
}
