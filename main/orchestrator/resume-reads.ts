import { snapshotOf } from "../../shared/contract/index.ts";
import { sha256Hex } from "../../shared/domain/index.ts";
import type { Run, Stored } from "../../shared/domain/model.ts";
import { fail, ok, type Result } from "../../shared/domain/problem.ts";
import { type ProfileDifference, profileDifferences } from "../../shared/domain/profile-difference.ts";
import type { OrphanEnd } from "../../shared/domain/resume-drafts.ts";
import { attemptsToLookUp } from "../../shared/domain/resume-plan.ts";
import type { RunGraph } from "../store/index.ts";
import type { OrchestratorDeps } from "./deps.ts";

/** What differs between the profile a Run was made with and the runner's of today (orchestration section 2.1 R7, W-18). */
export async function readDifferences(
  deps: Pick<OrchestratorDeps, "runner">,
  run: Run,
  signal: AbortSignal | undefined,
): Promise<Result<readonly ProfileDifference[]>> {
  const described = await deps.runner.describeProfile(signal);
  if (!described.ok) return described;
  if (sha256Hex(described.value.canonical) === run.profileSha256) return ok([]);
  const now = snapshotOf(described.value.description);
  if (!now.ok) return now;
  return ok(profileDifferences(run.profileSnapshot, now.value));
}

/** What {@link judgeAttempts} found out. */
export interface Judged {
  readonly orphans: ReadonlyMap<string, OrphanEnd>;
  readonly unknownToLog: ReadonlySet<string>;
}

/** All of them before the first write; one that cannot be judged keeps everything as it is (orchestration section 5.3, W-03). */
export async function judgeAttempts(
  deps: Pick<OrchestratorDeps, "orphans">,
  invocationId: string,
  run: Stored<Run>,
  graph: RunGraph,
): Promise<Result<Judged>> {
  const { orphans, unstarted } = attemptsToLookUp({ ...graph, run, invocationId });
  const ends = new Map<string, OrphanEnd>();
  for (const attempt of orphans) {
    const judgement = await deps.orphans.judge(attempt);
    if (judgement.kind !== "settled") return fail(judgement.problem);
    ends.set(attempt.attemptId, judgement.end);
  }
  const unknownToLog = new Set<string>();
  for (const attemptId of unstarted) {
    if (await deps.orphans.unknownToLog(attemptId)) unknownToLog.add(attemptId);
  }
  return ok({ orphans: ends, unknownToLog });
}
