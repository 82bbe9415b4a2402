import { createRequire } from "node:module";
import type { ELK } from "elkjs/lib/elk-api.js";
import { orderOf, rowsNamed } from "../../main/console/api/run-order.ts";
import { runEvents } from "../../renderer/run/events/run-events.ts";
import { collapseChains } from "../../renderer/run/graph/collapse.ts";
import { graphOf } from "../../renderer/run/graph/graph-model.ts";
import { elkGraphOf } from "../../renderer/run/graph/layout.ts";
import { axisOf, barsOf, ticksOf } from "../../renderer/run/timeline/timeline.ts";
import type { AttemptFacts, DefinitionNode, RunQuery, RunRow } from "../../shared/api/index.ts";
import { layeredNodes } from "./layered-network.ts";
import { printTable } from "./machine.ts";

const RUNS = 10_000;
const NODES = 1_000;
const EDGES = 3_000;
const ATTEMPTS = 25_000;
const ROUNDS = 5;

interface Figure extends Record<string, string | number> {
  readonly what: string;
  readonly "best ms": number;
  readonly "worst ms": number;
}

async function timed(what: string, work: () => unknown): Promise<Figure> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    took.push(performance.now() - start);
  }
  const whole = (ms: number): number => Math.round(ms * 10) / 10;
  return { what, "best ms": whole(Math.min(...took)), "worst ms": whole(Math.max(...took)) };
}

/**
 * What the Run list, the graph and the timeline cost at the sizes of operator-ux §3.2: sorting and filtering in main,
 * the layout as the page's worker does it, events and bars as the page works them out.
 */
export async function benchConsoleRuns(): Promise<void> {
  printTable(`Run list, ${RUNS} Runs`, await listFigures());
  printTable(`Graph, ${NODES} nodes, ${EDGES} edges`, await graphFigures());
  printTable(`Timeline, ${ATTEMPTS} attempts (${2 * ATTEMPTS} events)`, await timelineFigures());
}

async function listFigures(): Promise<readonly Figure[]> {
  const rows = Array.from({ length: RUNS }, (_, at) => runRow(RUNS - at));
  const queries: readonly (readonly [string, RunQuery])[] = [
    ["order, newest first", {}],
    ["order by status", { sort: "status" }],
    ["order by business key", { sort: "businessKey" }],
    ["search, kana and width folded", { text: "うりあげ ２０２６" }],
    ["period", { createdFrom: "2026-03-01T00:00:00Z", createdBefore: "2026-04-01T00:00:00Z" }],
  ];
  const figures: Figure[] = [];
  for (const [what, query] of queries) figures.push(await timed(what, () => orderOf(rows, query)));
  const page = rows.slice(5_000, 5_100).map((row) => row.recordId);
  figures.push(await timed("100 rows from the middle", () => rowsNamed(rows, page)));
  return figures;
}

async function graphFigures(): Promise<readonly Figure[]> {
  const definition = layeredNetwork();
  const graph = collapseChains(graphOf(definition, []), false, new Set());
  const Engine: new () => ELK = createRequire(import.meta.url)("elkjs/lib/elk.bundled.js");
  const engine = new Engine();
  return [
    await timed("graph of definition and states", () => graphOf(definition, [])),
    await timed("layout", () => engine.layout(elkGraphOf(graph))),
  ];
}

async function timelineFigures(): Promise<readonly Figure[]> {
  const attempts = Array.from({ length: ATTEMPTS }, (_, at) => attemptFacts(at));
  const bars = barsOf(attempts, 0);
  const axis = axisOf(bars, true);
  const detail = { attempts, invocations: [], resolutions: [], nodes: [], hold: null };
  return [
    await timed("events in order", () => runEvents(detail)),
    await timed("bars", () => barsOf(attempts, 0)),
    await timed("axis, idle collapsed", () => axisOf(bars, true)),
    await timed("ticks", () => ticksOf(axis, 6)),
  ];
}

function runRow(id: number): RunRow {
  const created = new Date(Date.UTC(2026, 0, 1) + id * 1_800_000).toISOString();
  return {
    runId: `netrun_${id}`,
    networkId: `network_${id % 40}`,
    profile: "local",
    businessKey: `売上ウリアゲ_${id % 977}@2026-${id}`,
    status: id % 17 === 0 ? "FAILED" : "SUCCESS",
    lifecycle: "ACTIVE",
    resumeAllowed: false,
    activity: null,
    activityJudgedAt: created,
    asOf: null,
    createdAt: created,
    startedAt: created,
    finishedAt: created,
    updatedAt: created,
    recordId: String(id),
    revision: 3,
  };
}

/** The network of the page's bench as the Run's bundle names it. */
const layeredNetwork = (): readonly DefinitionNode[] =>
  layeredNodes(NODES, EDGES).map(({ id, dependsOn }) => ({
    id,
    jobId: `job_${id}`,
    dependsOn,
    triggerRule: "all_success",
    idempotent: true,
    inputs: [],
    outputs: [],
  }));

function attemptFacts(at: number): AttemptFacts {
  const started = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  return {
    recordId: String(at + 1),
    recordRevision: 2,
    attemptId: `attempt_${at}`,
    nodeId: `node_${at % 500}`,
    jobId: "job",
    invocationId: "invoke_1",
    attemptNo: Math.floor(at / 500) + 1,
    status: "SUCCESS",
    resultCode: "OK",
    executionStartedAt: started,
    runnerExecutionStartedAt: started,
    finishedAt: started,
    executionId: null,
    durationSec: 1,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: null,
  };
}
