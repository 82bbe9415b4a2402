import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ActionExecute, Operation } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { Clock } from "../../store/index.ts";
import type { AllowedNetworks } from "../allowed-networks.ts";
import { problemFrom } from "../api/answers.ts";
import { findEvidence, keepEvidenceBytes } from "../evidence-files.ts";
import { carryJobUnlock } from "../job-locks/carry.ts";
import type { JobLocks } from "../job-locks/job-locks.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { Locks } from "../locks/locks.ts";
import type { Workspace } from "../ports.ts";
import { programVersion } from "../program-version.ts";
import { openRolesFile, sessionAccount } from "../roles.ts";
import type { RolesChange } from "../settings/index.ts";
import { type ActingDeps, createActing } from "./acting.ts";
import { type Approvals, createApprovals } from "./approvals.ts";
import { createEvidenceUploads, type EvidenceUploads } from "./evidence-uploads.ts";
import { type ActionJournal, createActionJournal } from "./journal/index.ts";
import { createApprovers, openApproversFile } from "./people/approvers.ts";
import { createFiledRequests, openFiledFile } from "./people/filed-requests.ts";
import { createPlanner } from "./planner.ts";
import type { Acting, EvidenceFile, Planned } from "./ports.ts";
import { type RecordedStart, recordStart, type StartRecord } from "./record-start.ts";
import { operationOf, recoverOpen } from "./recorder.ts";
import { createSettling } from "./settle.ts";
import { createShownPlans } from "./shown-plans.ts";

export interface OpenActingDeps extends Pick<ActingDeps, "gate"> {
  readonly operations: ActingDeps["operations"] & { recall(operation: Operation): void };
  readonly workspace: Workspace;
  readonly allowed: AllowedNetworks;
  readonly live: Pick<LiveModel, "touch" | "refresh" | "approvals">;
  readonly locks: Locks;
  readonly jobLocks: Pick<JobLocks, "plan" | "release">;
  readonly clock: Clock;
  /** Silence after which a claim may be stale, as this console's poller counts it; milliseconds. */
  readonly staleAfterMs: number | undefined;
}

/** What is opened together, because it shares the journal and the files given as proof. */
export interface OpenedActing {
  readonly acting: Acting;
  readonly approvals: Approvals;
  readonly evidence: EvidenceUploads;
  readonly journal: ActionJournal;
  readonly recorded: (operationId: string) => Promise<Operation | null>;
  /** Writes a change of the roles down. Rejects with `ACTION_JOURNAL_FAILED`. */
  readonly recordRoles: (change: RolesChange) => Promise<void>;
  readonly recordStart: (start: RecordedStart) => StartRecord;
  /** Settles once what an earlier start left open has an end. */
  readonly recovered: Promise<void>;
}

/** Everything that acts, over one workspace. */
export function openActing(deps: OpenActingDeps): OpenedActing {
  const { workspace, allowed, locks, jobLocks, clock, gate, operations } = deps;
  const nowMs = (): number => clock.nowMs();
  const { requestedBy, servicePrincipal, profile, folders } = workspace;
  const account = workspace.settings?.session().account ?? sessionAccount();
  const { requestStore } = workspace;
  const settling =
    requestStore &&
    createSettling({ requests: requestStore, workspace, staleAfterMs: deps.staleAfterMs, clock });
  const planner = createPlanner({
    settling,
    plans: workspace.plans,
    reads: workspace.reads,
    allowed,
    locks,
    jobUnlock: jobLocks.plan,
    childAlive: (id) => workspace.lockEvidence.inspector.searchByAttemptId(id).found.length > 0,
    evidenceFiles: (hashes) => evidenceFiles(folders.evidence, hashes),
    nowMs,
  });
  const journal = createActionJournal({
    folder: join(folders.journal, "actions"),
    who: {
      account,
      requestedBy,
      servicePrincipal,
      host: workspace.host,
      version: programVersion(),
      pid: process.pid,
    },
    nowMs,
  });
  const onProblem = (problem: Problem): void => workspace.log.problem("acting", problem);
  const recovering = recoverOpen(journal, { pid: process.pid, since: new Date(nowMs()).toISOString() })
    .then((found) => found.forEach(operations.recall))
    .catch((error: unknown) => onProblem(problemFrom(error)));
  const approvers = createApprovers({
    file: openApproversFile(folders.root),
    roles: async () => (await openRolesFile(folders.root).read()).value,
    session: () => workspace.settings?.session() ?? { account, mode: "operate", source: "noRoles" },
    changed: (change, whose) =>
      journal.append({ step: "approver", operationId: randomUUID(), change, account: whose }),
    refused: onProblem,
    nowMs,
  });
  const parts: ActingDeps = {
    recorder: { journal, onProblem },
    shown: createShownPlans(nowMs),
    planner,
    actors: { account, requestedBy, servicePrincipal, profile },
    gate,
    operations,
    recovery: workspace.recovery,
    requests: workspace.requestStore,
    locks,
    settling,
    jobUnlock: (intent, { actors: by, planned }, { signal }) =>
      carryJobUnlock(jobLocks, intent, { actors: by, evidence: planned.evidence }, signal),
    prove: approvers.prove,
    touched: (input, planned) => touched(deps.live, input, planned),
  };
  return {
    acting: createActing(parts),
    approvals: createApprovals({
      acting: parts,
      approvers,
      filed: createFiledRequests(openFiledFile(folders.root), nowMs),
      journal,
      host: workspace.host,
      changed: deps.live.approvals,
      nowMs,
    }),
    journal,
    async recorded(operationId) {
      const found = await journal.find(operationId);
      return found && operationOf(found);
    },
    recordRoles: ({ from, changes, problem }) =>
      journal.append({ step: "roles", operationId: randomUUID(), from, changes, problem }),
    recordStart: (start) => recordStart({ journal, onProblem }, start),
    recovered: recovering,
    evidence: createEvidenceUploads({
      keep: (name, bytes) => keepEvidenceBytes(folders.evidence, name, bytes),
      nowMs,
    }),
  };
}

/** Reads again what was touched, and nothing else (operator-ux U9); a lock is told with the next reading of all. */
function touched(live: OpenActingDeps["live"], { intent }: ActionExecute, { plan }: Planned): void {
  const { runId } = plan.subject;
  if (runId !== null) live.touch(runId);
  // What is read anew is news like any other; a reading that fails says so by itself.
  if (intent.kind === "forceUnlock") live.refresh().catch(() => undefined);
}

async function evidenceFiles(
  folder: string,
  hashes: readonly string[],
): Promise<Result<readonly EvidenceFile[]>> {
  const found: EvidenceFile[] = [];
  for (const sha256 of hashes) {
    const kept = await findEvidence(folder, sha256);
    if (kept === null) return fail(evidenceUnknown(sha256));
    found.push({ name: kept.name, sha256 });
  }
  return ok(found);
}

const evidenceUnknown = (sha256: string): Problem => ({
  code: "EVIDENCE_UNKNOWN",
  message: "A file named as evidence is not kept here, or is not what was given any more.",
  place: "evidenceFiles",
  remedy: "Add the file again.",
  details: { sha256 },
});
