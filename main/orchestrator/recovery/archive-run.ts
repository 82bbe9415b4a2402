import { closeVerdict } from "../../../shared/domain/close-run.ts";
import type { Hold, Run, Stored } from "../../../shared/domain/model.ts";
import { checkSeen } from "../../../shared/domain/operations/seen.ts";
import { holdSeen } from "../../../shared/domain/operations/stop.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { runArchivedAudit } from "../../../shared/records/audit-events.ts";
import type { Change, LockSession, WriteOutcome } from "../../store/index.ts";
import { isoNow } from "../deps.ts";
import type { ArchiveRunInput, ArchiveRunOutcome } from "../recovery-ports.ts";
import { underBriefLock } from "./brief-lock.ts";
import type { RecoveryDeps } from "./deps.ts";

/** How the lock is left by a CLOSE that did its work (orchestration section 3.2). */
const RELEASE = { status: "SUCCESS", resultCode: "NORMAL" } as const;

/**
 * CLOSE (orchestration section 4.8): Run, audit and release in one fenced request (fenced-writes section 3), so that a Run
 * is never archived without its audit. The event id is the lock's owner. Never throws for a refusal.
 */
export async function archiveRun(deps: RecoveryDeps, input: ArchiveRunInput): Promise<ArchiveRunOutcome> {
  const eventId = `archive_${deps.ids.uuid()}`;
  const close = createClose(deps, input, eventId);
  const holder = { networkId: input.networkId, profile: input.profile, ownerInvocationId: eventId };
  let session: LockSession | null = null;
  try {
    const outcome = await underBriefLock(
      deps,
      holder,
      (held) => {
        session = held;
        return close.underLock(held);
      },
      (problem) => close.rejected(problem, null),
      input.signal,
    );
    return { ...outcome, lockReleased: released(session) };
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    const problem = { ...error.problem, code: "RUN_READ_FAILED", details: { cause: error.code } };
    return { ...close.rejected(problem, null), lockReleased: released(session) };
  }
}

/** True also when the lock was never taken (orchestration section 4.8). */
const released = (session: LockSession | null): boolean => session === null || session.state() === "RELEASED";

function createClose(deps: RecoveryDeps, input: ArchiveRunInput, eventId: string) {
  const { runId } = input;
  const base = { runId, eventId, lockReleased: true } as const;

  const rejected = (problem: Problem, runRevision: number | null): ArchiveRunOutcome => ({
    ...base,
    outcome: "REJECTED",
    code: problem.code,
    audit: null,
    runRevision,
    problem,
  });
  const alreadyArchived = (run: Stored<Run>): ArchiveRunOutcome => ({
    ...base,
    outcome: "ALREADY_ARCHIVED",
    code: null,
    audit: null,
    runRevision: run.ref.revision,
    problem: null,
  });

  function changesOf(run: Stored<Run>, previousStatus: "FAILED" | "CANCELLED"): readonly Change[] {
    const archivedAt = isoNow(deps.clock);
    const audit = runArchivedAudit({
      eventId,
      runId,
      requestedBy: input.requestedBy,
      reason: input.reason,
      archivedAt,
      previousStatus,
      runRevisionBefore: run.ref.revision,
      servicePrincipal: input.servicePrincipal,
    });
    return [
      { kind: "run.archive", ref: run.ref, updatedAt: archivedAt },
      { kind: "audit.insert", audit },
    ];
  }

  async function read(): Promise<{ readonly run: Stored<Run> | null; readonly hold: Stored<Hold> | null }> {
    const run = await deps.store.findRunById(runId, input.signal);
    const hold = run === null ? null : await deps.store.findHold(runId, input.signal);
    const ours =
      run !== null && run.networkId === input.networkId && run.profileSnapshot.profile === input.profile;
    return { run: ours ? run : null, hold };
  }

  async function underLock(session: LockSession): Promise<ArchiveRunOutcome> {
    const { run, hold } = await read();
    if (run === null) return rejected(notFound(runId), null);
    const { revision } = run.ref;
    const seen = checkSeen(input.seen, holdSeen({ run, hold }));
    if (!seen.ok) return rejected(seen.error, revision);
    const verdict = closeVerdict(run, hold?.state ?? null);
    if (verdict.kind === "already-archived") return alreadyArchived(run);
    if (verdict.kind === "refused") return rejected(verdict.problem, revision);
    const written = await session.write(changesOf(run, verdict.previousStatus), { release: RELEASE });
    return afterWrite(written, run);
  }

  /** The fence has settled the write: only `unsettled` leaves a doubt (fenced-writes R1). */
  async function afterWrite(written: WriteOutcome, run: Stored<Run>): Promise<ArchiveRunOutcome> {
    const { revision } = run.ref;
    switch (written.kind) {
      case "applied":
        return {
          ...base,
          outcome: "ARCHIVED",
          code: null,
          audit: "RECORDED",
          runRevision: revision + 1,
          problem: null,
        };
      case "dead": {
        const now = await deps.store.findRunById(runId);
        if (now?.lifecycle === "ARCHIVED") return alreadyArchived(now);
        return rejected({ ...written.problem, code: "ARCHIVE_WRITE_FAILED" }, now?.ref.revision ?? null);
      }
      case "refused":
        return rejected({ ...written.problem, code: "ARCHIVE_WRITE_FAILED" }, revision);
      case "fence-lost":
        return rejected({ ...written.problem, code: "LEASE_INTERRUPTED" }, revision);
      case "unsettled":
        return {
          ...rejected({ ...written.problem, code: "ARCHIVE_UNCONFIRMED" }, null),
          outcome: "UNCONFIRMED",
        };
    }
  }

  return { rejected, underLock };
}

const notFound = (runId: string): Problem => ({
  code: "RUN_READ_FAILED",
  message: "This network has no Run of this id.",
  place: runId,
  remedy: "Check the id; status lists the Runs of a network.",
});
