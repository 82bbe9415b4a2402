import { readFile } from "node:fs/promises";
import { buildBundle } from "../../shared/bundle/index.ts";
import { type JobInspection, type ProfileDescription, snapshotOf } from "../../shared/contract/index.ts";
import { type NodeDefinition, sha256Hex } from "../../shared/domain/index.ts";
import type { ProfileSnapshot } from "../../shared/domain/model.ts";
import { errorText, fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import { sqlPathOf } from "./definition-file.ts";
import type { OrchestratorDeps } from "./deps.ts";
import type { Held } from "./held.ts";

interface InspectedJob {
  readonly node: NodeDefinition;
  readonly sql: Uint8Array;
  readonly inspection: JobInspection;
}

/** Everything about a Run to be that can be refused before anything is stored. */
export interface PreparedRun {
  readonly snapshot: ProfileSnapshot;
  readonly profileSha256: string;
  readonly dialect: number;
  readonly zip: Uint8Array;
  readonly zipSha256: string;
  readonly definitionSha256: string;
}

/**
 * Describes the profile, inspects every job and builds the bundle (orchestration section 2.1, N2 to N4). Nothing is
 * written. It happens under the lock although it only reads: a NOOP inspects nothing, and whether this start is one
 * is read under the lock; asking before it too would be one more request for every new Run (fenced-writes section
 * 4), and inspecting before it would make every NOOP wait for its jobs. Errors: `PROFILE_DESCRIPTION_INVALID`, `JOB_ID_MISMATCH`, `NONDETERMINISTIC_IDEMPOTENT_JOB`,
 * `JOB_SQL_INVALID`, `BUNDLE_*`, `SQL_FILE_UNREADABLE` and the runner's codes.
 */
export async function prepareRun(
  deps: Pick<OrchestratorDeps, "runner" | "profile">,
  held: Pick<Held, "loaded">,
  signal: AbortSignal | undefined,
): Promise<Result<PreparedRun>> {
  const [profile, jobs] = await Promise.all([
    deps.runner.describeProfile(signal),
    inspectJobs(deps, held, signal),
  ]);
  if (!profile.ok) return profile;
  const snapshot = profileSnapshot(profile.value.description, deps.profile);
  if (!snapshot.ok) return snapshot;
  if (!jobs.ok) return jobs;
  const dialect = commonDialect(jobs.value);
  if (!dialect.ok) return dialect;
  const bundle = buildBundle({
    networkYaml: held.loaded.bytes,
    jobs: jobs.value.map(({ node, sql, inspection }) => ({
      nodeId: node.id,
      jobId: node.jobId,
      sql,
      inspectedJobId: inspection.jobId,
      nondeterministicCodes: [
        ...new Set(inspection.nondeterministicElements.map((element) => element.code)),
      ].sort(),
    })),
  });
  if (!bundle.ok) return bundle;
  const { zip, zipSha256, definitionSha256 } = bundle.value;
  return ok({
    snapshot: snapshot.value,
    profileSha256: sha256Hex(profile.value.canonical),
    dialect: dialect.value,
    zip,
    zipSha256,
    definitionSha256,
  });
}

/** The profile must be the one that was asked for before anything is stored (orchestration section 2.1, N2). */
function profileSnapshot(description: ProfileDescription, profile: string): Result<ProfileSnapshot> {
  if (description.profile === profile) return snapshotOf(description);
  return fail({
    code: "PROFILE_DESCRIPTION_INVALID",
    message: `The runner described profile "${description.profile}", not "${profile}".`,
    place: "describe-profile",
    remedy: "Correct the runner's configuration of this profile.",
  });
}

/** A few at a time: a network of a thousand nodes must not start a thousand processes (W-23). */
const INSPECTIONS_AT_ONCE = 4;

async function inspectJobs(
  deps: Pick<OrchestratorDeps, "runner" | "profile">,
  held: Pick<Held, "loaded">,
  signal: AbortSignal | undefined,
): Promise<Result<readonly InspectedJob[]>> {
  const { nodes } = held.loaded.definition;
  const jobs: Result<InspectedJob>[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < nodes.length; at = next++) {
      const node = nodes[at];
      if (node === undefined || jobs.some((job) => job?.ok === false)) return;
      jobs[at] = await inspectNode(deps, node, sqlPathOf(held.loaded.filePath, node.sql), signal);
    }
  };
  await Promise.all(Array.from({ length: INSPECTIONS_AT_ONCE }, lane));
  // The first refusal in definition order, so that the same files give the same answer.
  const refused = jobs.find((job) => job?.ok === false);
  if (refused !== undefined && !refused.ok) return refused;
  return ok(jobs.flatMap((job) => (job.ok ? [job.value] : [])));
}

async function inspectNode(
  deps: Pick<OrchestratorDeps, "runner">,
  node: NodeDefinition,
  sqlPath: string,
  signal: AbortSignal | undefined,
): Promise<Result<InspectedJob>> {
  const before = await readSql(node, sqlPath);
  if (!before.ok) return before;
  const inspection = await deps.runner.inspectJob(sqlPath, signal);
  if (!inspection.ok) return inspection;
  const after = await readSql(node, sqlPath);
  if (!after.ok) return after;
  if (Buffer.compare(before.value, after.value) !== 0) {
    return fail({
      code: "BUNDLE_INPUT_CHANGED",
      message: `The SQL of node "${node.id}" changed while it was inspected; nothing was started.`,
      place: sqlPath,
      remedy: "Finish the deployment of the files, then start again.",
    });
  }
  const problem = jobProblem(node, inspection.value, sqlPath);
  return problem === null ? ok({ node, sql: before.value, inspection: inspection.value }) : fail(problem);
}

async function readSql(node: NodeDefinition, sqlPath: string): Promise<Result<Buffer>> {
  try {
    return ok(await readFile(sqlPath));
  } catch (error) {
    return fail({
      code: "SQL_FILE_UNREADABLE",
      message: `The SQL of node "${node.id}" cannot be read: ${errorText(error)}`,
      place: sqlPath,
      remedy: "Put the file there or correct the path in the definition.",
    });
  }
}

function jobProblem(node: NodeDefinition, inspection: JobInspection, sqlPath: string): Problem | null {
  if (inspection.jobId !== node.jobId) {
    return {
      code: "JOB_ID_MISMATCH",
      message: `Node "${node.id}" expects job "${node.jobId}", but its SQL declares "${inspection.jobId}".`,
      place: sqlPath,
      remedy: "Make the job_id of the node and the @ksql name of the SQL the same.",
    };
  }
  const [element] = inspection.nondeterministicElements;
  if (node.idempotent && element !== undefined) {
    return {
      code: "NONDETERMINISTIC_IDEMPOTENT_JOB",
      message: `Node "${node.id}" is declared idempotent, but its SQL depends on the server's clock (${element.code}): ${element.message}`,
      place: `${sqlPath}:${element.line}:${element.column}`,
      remedy: "Use the as-of functions instead, or declare the node not idempotent.",
    };
  }
  const error = inspection.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (error === undefined) return null;
  return {
    code: "JOB_SQL_INVALID",
    message: `The SQL of node "${node.id}" would be refused by the runner (${error.code}): ${error.message}`,
    place: `${sqlPath}:${error.line}:${error.column}`,
    remedy: "Correct the SQL; nothing was started.",
  };
}

function commonDialect(jobs: readonly InspectedJob[]): Result<number> {
  const dialects = [...new Set(jobs.map((job) => job.inspection.dialect))];
  const [dialect] = dialects;
  if (dialect !== undefined && dialects.length === 1) return ok(dialect);
  return fail({
    code: "BUNDLE_DIALECT_MISMATCH",
    message: `The jobs of one network must share one dialect; these were found: ${dialects.join(", ")}.`,
    place: "nodes",
    remedy: "Give every SQL file the same @ksql dialect.",
  });
}
