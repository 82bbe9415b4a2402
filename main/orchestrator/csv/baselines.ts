import { inputRetentionExpired, type NodeDefinition } from "../../../shared/domain/index.ts";
import type { Attempt, Run } from "../../../shared/domain/model.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { decodeIoAudit, type InputBaseline } from "../../../shared/records/index.ts";
import { readInputs } from "./input-files.ts";
import { type IoFacts, resolveIo } from "./io-paths.ts";
import type { IoRoot } from "./io-root.ts";

/** What each node that may run again was started with before; a node without is started for the first time. */
export type Baselines = ReadonlyMap<string, readonly InputBaseline[]>;

/**
 * The newest baseline among the Attempts of one node, null when none was stored (orchestration section 8.2). Error:
 * `IO_AUDIT_INVALID` for a text that claims to be one and cannot be read: nobody can tell then whether the files
 * are the same.
 */
export function newestBaseline(attempts: readonly Attempt[]): Result<readonly InputBaseline[] | null> {
  for (const attempt of attempts.toSorted((a, b) => b.attemptNo - a.attemptNo)) {
    const audit = decodeIoAudit(attempt.errorMessage ?? "");
    if (!audit.ok) return fail({ ...audit.error, place: `attempt ${attempt.attemptId}`, remedy: UNREADABLE });
    if (audit.value === null || audit.value.kind === "KSQL_FLOWNET_OUTPUT_AUDIT") continue;
    return ok(audit.value.kind === "KSQL_FLOWNET_INPUT_BASELINE" ? audit.value.inputs : audit.value.baseline);
  }
  return ok(null);
}

const UNREADABLE =
  "Look at the record in kintone: its error message was changed by hand. Start a Run under a correction key.";

/** The first input that is not the file it was, or null. Both lists are of one node. */
export function mutatedInput(
  before: readonly InputBaseline[],
  now: readonly InputBaseline[],
): InputBaseline | null {
  const current = new Map(now.map((input) => [input.source, input]));
  return (
    before.find(({ source, sha256, bytes }) => {
      const file = current.get(source);
      return file === undefined || file.sha256 !== sha256 || file.bytes !== bytes;
    }) ?? null
  );
}

/** `INPUT_FILE_MUTATED`: the file is not the one an earlier Attempt of this Run was started with. */
export const mutated = (nodeId: string, source: string, consequence: string): Problem => ({
  code: "INPUT_FILE_MUTATED",
  message: `The input ${source} of node ${nodeId} is not the file it was when the node was last started. ${consequence}`,
  place: `node ${nodeId}, input ${source}`,
  remedy: "Restore the original file, then resume the Run. For other contents start a Run under a new key.",
  details: { nodeId, source },
});

/** `INPUT_RETENTION_EXPIRED`, or null (orchestration section 2.1, R10). `now` in epoch milliseconds. */
export function retentionProblem(run: Run, { retentionDays }: IoRoot, now: number): Problem | null {
  if (!inputRetentionExpired(run.createdAt, retentionDays, now)) return null;
  return {
    code: "INPUT_RETENTION_EXPIRED",
    message: `The Run is older than the ${retentionDays} days for which its input files are kept. Nothing was started.`,
    place: `Run ${run.runId}`,
    remedy: "Start a Run under a correction key and close this one.",
    details: { createdAt: run.createdAt, retentionDays },
  };
}

export interface RetriedInputs {
  readonly root: IoRoot;
  readonly facts: IoFacts;
  /** Nodes that may run in this Invocation. */
  readonly nodes: readonly NodeDefinition[];
  readonly attempts: readonly Attempt[];
}

/**
 * Compares the inputs of the nodes that will be tried again with what they were started with, before anything is
 * written (orchestration section 2.1 R13, section 8.2). A file that is missing or refused is left to the node's own
 * turn. Errors: `INPUT_FILE_MUTATED`, `IO_AUDIT_INVALID`.
 */
export async function checkRetriedInputs(retried: RetriedInputs): Promise<Result<Baselines>> {
  const { root, facts, nodes, attempts } = retried;
  const baselines = new Map<string, readonly InputBaseline[]>();
  for (const node of nodes.filter(({ inputs }) => Object.keys(inputs).length > 0)) {
    const before = newestBaseline(attempts.filter(({ nodeId }) => nodeId === node.id));
    if (!before.ok) return before;
    if (before.value === null) continue;
    baselines.set(node.id, before.value);
    const files = await readInputs(root, resolveIo(node, facts, root.dir).inputs);
    if (!files.ok && files.error.code !== "INPUT_FILE_MUTATED") continue;
    if (!files.ok) return files;
    const changed = mutatedInput(
      before.value,
      files.value.map(({ name: source, ...file }) => ({ source, ...file })),
    );
    if (changed !== null) return fail(mutated(node.id, changed.source, "Nothing was started."));
  }
  return ok(baselines);
}
