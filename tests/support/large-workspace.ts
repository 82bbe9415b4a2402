import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenedWorkspace, openEmbedded } from "../../main/console/index.ts";
import type { RunEvent } from "../../main/orchestrator/index.ts";
import type { FlowReads, RunGraph } from "../../main/store/index.ts";
import { buildBundle } from "../../shared/bundle/index.ts";
import type { Attempt, NodeState, Run, Stored } from "../../shared/domain/model.ts";
import { ref, storedInvocation, storedRun, storedState } from "./entities.ts";
import { freshAttempt } from "./store-entities.ts";

/** A node of a large Run: what it waits for. */
export interface LargeNode {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface LargeShape {
  readonly runs: number;
  /** Of every Run. */
  readonly nodes: readonly LargeNode[];
  readonly attemptsOfNode: number;
  /** What the record of a Run says otherwise than usual, by its place. */
  readonly told?: (at: number) => Partial<Run>;
}

export const LARGE_NETWORK = "large_network";

/** A workspace whose records are made up in memory as they are asked for: many, at once, and changing as told. */
export interface LargeWorkspace {
  readonly workspace: OpenedWorkspace;
  readonly dataDir: string;
  readonly runIds: readonly string[];
  /** Changes the stored status of a Run; its record's revision grows. */
  setStatus(runId: string, status: Run["status"]): void;
  /** What the scheduler of this host told while a start is on its way; null before one is. */
  tell(): ((event: RunEvent) => void) | null;
  dispose(): Promise<void>;
}

const minute = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();

function runAt(at: number, hashes: { readonly definition: string; readonly bundle: string }): Stored<Run> {
  const number = String(at + 1).padStart(5, "0");
  return storedRun({
    ref: ref(String(at + 1), 3),
    runId: `netrun_${number}`,
    networkId: LARGE_NETWORK,
    businessKey: `${LARGE_NETWORK}@${number}`,
    status: at % 17 === 0 ? "FAILED" : "SUCCESS",
    createdAt: minute(at),
    startedAt: minute(at),
    finishedAt: minute(at + 5),
    updatedAt: minute(at + 5),
    definitionSha256: hashes.definition,
    bundleSha256: hashes.bundle,
  });
}

function bundleOf(nodes: readonly LargeNode[]) {
  const text = [
    "schema_version: 1",
    `network_id: ${LARGE_NETWORK}`,
    "business_key_policy:",
    "  type: explicit",
    "network_lock:",
    "  lease_duration_sec: 60",
    "  heartbeat_interval_sec: 20",
    "nodes:",
    ...nodes.flatMap(({ id, dependsOn }) => [
      `  - id: ${id}`,
      `    job_id: job_${id}`,
      `    sql: ${id}.sql`,
      `    depends_on: [${dependsOn.join(", ")}]`,
      "    trigger_rule: all_success",
      "    idempotent: true",
    ]),
  ].join("\n");
  const sql = new TextEncoder().encode("SELECT 1 AS x;\n");
  const made = buildBundle({
    networkYaml: new TextEncoder().encode(text),
    jobs: nodes.map(({ id }) => ({ nodeId: id, jobId: `job_${id}`, sql })),
  });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

function statesOf(runId: string, nodes: readonly LargeNode[], attempts: number): Stored<NodeState>[] {
  return nodes.map(({ id }, at) =>
    storedState(id, "SUCCESS", {
      ref: ref(String(1_000_000 + at), 2),
      runId,
      jobId: `job_${id}`,
      latestAttemptNo: attempts,
    }),
  );
}

function attemptsOf(states: readonly Stored<NodeState>[], each: number): Stored<Attempt>[] {
  return states.flatMap((state, at) =>
    Array.from({ length: each }, (_, turn) => ({
      ...freshAttempt(state, "invoke_00000000-0000-4000-8000-0000000000aa"),
      ref: ref(String(2_000_000 + turn * states.length + at), 2),
      attemptId: `attempt_${state.nodeId}_${turn + 1}`,
      attemptNo: turn + 1,
      status: "SUCCESS" as const,
      resultCode: "OK",
      executionStartedAt: minute(turn * states.length + at),
      finishedAt: minute(turn * states.length + at + 2),
      durationSec: 120,
    })),
  );
}

/** The reads of a store that holds those Runs, each with all nodes and attempts. */
const numbered = ({ runId, nodeId, attemptNo }: Pick<Attempt, "runId" | "nodeId" | "attemptNo">): string =>
  `${runId} ${nodeId} ${attemptNo}`;

function largeReads(base: FlowReads, runs: Map<string, Stored<Run>>, shape: LargeShape): FlowReads {
  const all = (): readonly Stored<Run>[] => [...runs.values()];
  const graph = (runId: string): RunGraph => {
    const states = statesOf(runId, shape.nodes, shape.attemptsOfNode);
    return {
      run: runs.get(runId) ?? null,
      states,
      hold: null,
      invocations: [storedInvocation({ runId, status: "SUCCESS", resultCode: "OK" })],
      attempts: attemptsOf(states, shape.attemptsOfNode),
      resolutions: [],
    };
  };
  const states = (runId: string) => statesOf(runId, shape.nodes, shape.attemptsOfNode);
  return {
    ...base,
    findRunByKey: async () => null,
    findRunById: async (runId) => runs.get(runId) ?? null,
    listRuns: async () => all(),
    listAllRuns: async () => all(),
    readOverview: async () => ({ runs: all(), holds: [], locks: [] }),
    listNodeStates: async (runId) => states(runId),
    listNodeStatesOfRuns: async (runIds, _signal, only) =>
      new Map(
        runIds.map((runId) => [
          runId,
          states(runId).filter(({ nodeId }) => only === undefined || nodeId === only),
        ]),
      ),
    listInvocations: async (runId) => graph(runId).invocations,
    listAttempts: async (runId) => graph(runId).attempts,
    listAttemptsByNumber: async (wanted) => {
      const asked = new Set(wanted.map(numbered));
      const runIds = [...new Set(wanted.map(({ runId }) => runId))];
      return runIds.flatMap((runId) => graph(runId).attempts.filter((each) => asked.has(numbered(each))));
    },
    listResolutions: async () => [],
    findHold: async () => null,
    findLock: async () => null,
    listHeldLocks: async () => [],
    readRunGraph: async (runId) => graph(runId),
    findHolds: async () => new Map(),
    findRunIdOfInvocation: async () => null,
  };
}

export async function openLargeWorkspace(shape: LargeShape): Promise<LargeWorkspace> {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-large-"));
  const opened = await openEmbedded({ dataDir, env: process.env, endServer: true });
  const bundle = bundleOf(shape.nodes);
  const hashes = { definition: bundle.definitionSha256, bundle: bundle.zipSha256 };
  const made = Array.from({ length: shape.runs }, (_, at) => ({ ...runAt(at, hashes), ...shape.told?.(at) }));
  const runs = new Map(made.map((run) => [run.runId, run]));
  let told: ((event: RunEvent) => void) | null = null;
  const workspace: OpenedWorkspace = {
    ...opened,
    reads: largeReads(opened.reads, runs, shape),
    bundles: { downloadBundle: async () => bundle.zip },
    orchestrator: {
      ...opened.orchestrator,
      // A start that goes on until the console ends: its scheduler is the test.
      async runNetwork({ onEvent, signal }) {
        told = onEvent ?? null;
        const ended = Promise.withResolvers<void>();
        if (signal?.aborted !== false) ended.resolve();
        else signal.addEventListener("abort", () => ended.resolve(), { once: true });
        await ended.promise;
        throw new Error("ended with the console");
      },
    },
  };
  return {
    workspace,
    dataDir,
    runIds: made.map(({ runId }) => runId),
    setStatus(runId, status) {
      const run = runs.get(runId);
      if (run === undefined) throw new Error(`no Run ${runId}`);
      const { recordId, revision } = run.ref;
      runs.set(runId, { ...run, ref: ref(recordId, revision + 1), status });
    },
    tell: () => told,
    async dispose() {
      await opened.dispose();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
