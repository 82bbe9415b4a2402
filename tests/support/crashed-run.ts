import { readFile } from "node:fs/promises";
import { buildBundle } from "../../shared/bundle/index.ts";
import type { Attempt, NodeState, Run } from "../../shared/domain/model.ts";
import { lockInput, takeLock } from "./lock-inputs.ts";
import { PROFILE } from "./scripted-workspace.ts";
import { freshAttempt, freshInvocation, freshRun, freshState } from "./store-entities.ts";
import { openStore } from "./store-fixture.ts";
import type { TestBench } from "./test-bench.ts";

export interface CrashedRun {
  readonly file: string;
  readonly runId: string;
  /** The Attempt nobody ended. */
  readonly orphan: Attempt;
}

/** What only a Run that was really made can tell: profile, versions, dialect. */
async function template(bench: TestBench): Promise<Run> {
  const { run } = await bench.graph(await bench.run(await bench.network("template", [{ id: "only" }])));
  if (run === null) throw new Error("the template Run is not there");
  return run;
}

/**
 * The records of a Run whose process died in the middle: a chain of `count` nodes, the first `done` of them SUCCESS, the
 * next one RUNNING with an Attempt that nobody ended, its Invocation open. Written as records, not run: a thousand
 * children would take minutes. Its lock is released, as force-unlock leaves it.
 */
export async function seedCrashedRun(
  bench: TestBench,
  networkId: string,
  { count, done }: { readonly count: number; readonly done: number },
): Promise<CrashedRun> {
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    dependsOn: at === 0 ? [] : [`n${at - 1}`],
  }));
  const like = await template(bench);
  const file = await bench.network(networkId, nodes);
  const sql = new TextEncoder().encode("SELECT 1 AS x;\n");
  const jobs = nodes.map(({ id }) => ({ nodeId: id, jobId: `${networkId}_${id}`, sql }));
  const bundle = buildBundle({ networkYaml: await readFile(file), jobs });
  if (!bundle.ok) throw new Error(bundle.error.message);
  const store = openStore(bench.kintone);
  const session = await takeLock(store, lockInput({ profile: PROFILE, networkId }));
  const at = new Date().toISOString();
  const run = freshRun({
    ...like,
    runId: freshRun().runId,
    networkId,
    businessKey: "k",
    status: "RUNNING",
    startedAt: at,
    finishedAt: null,
    definitionSha256: bundle.value.definitionSha256,
    bundleSha256: bundle.value.zipSha256,
    bundleFileKey: await store.uploadBundle(bundle.value.zip),
  });
  const invocation = freshInvocation(run.runId, { status: "RUNNING", resultCode: "PENDING" });
  const made = nodes.map(({ id }, index) => {
    const base: Partial<NodeState> = { jobId: `${networkId}_${id}` };
    if (index > done) return { state: freshState(run.runId, id, base), attempt: null };
    const ended = index < done;
    const state = freshState(run.runId, id, { ...base, status: ended ? "SUCCESS" : "RUNNING" });
    const result: Partial<Attempt> = ended ? { status: "SUCCESS", resultCode: "OK", finishedAt: at } : {};
    const attempt = freshAttempt(state, invocation.invocationId, { stateRevisionBefore: 0, ...result });
    const active = ended ? null : attempt.attemptId;
    return { state: { ...state, latestAttemptNo: 1, activeAttemptId: active }, attempt };
  });
  const attempts = made.flatMap(({ attempt }) => (attempt === null ? [] : [attempt]));
  const written = await session.write(
    [
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
      { kind: "nodeStates.insert", states: made.map(({ state }) => state) },
      ...attempts.map((attempt) => ({ kind: "attempt.insert", attempt }) as const),
    ],
    { release: { status: "CANCELLED", resultCode: "NETWORK_LOCK_FORCE_RELEASED" } },
  );
  await session.dispose();
  await store.dispose();
  const orphan = attempts.at(-1);
  if (written.kind !== "applied" || orphan === undefined) throw new Error("the records were not written");
  return { file, runId: run.runId, orphan };
}
