import { implement } from "@orpc/server";
import { contract, DAY_RUNS_MAX, type Paces, type RunRow } from "../../../shared/api/index.ts";
import { type Expectation, occurrences } from "../../../shared/domain/expectation.ts";
import {
  type ExpectedDuration,
  expectedDuration,
  LOOK_BACK,
  SUCCESSES_MIN,
  successMinutes,
} from "../../../shared/domain/expected-duration.ts";
import { ok } from "../../../shared/domain/problem.ts";
import { readSchedules } from "../attention/schedules.ts";
import { answering } from "./answers.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import type { CallContext, HandlerDeps } from "./deps.ts";
import type { RunRecords } from "./run-attempts.ts";

const api = implement(contract).$context<CallContext>();
/** States one answer of the kintone holds: a reading of more would be a second request. */
const STATES_AT_ONCE = 500;
/** Readings kept: each of all nodes of a network, or of one where it is large. */
const KEPT = 200;

const sameNetwork = (left: RunRow, right: Pick<RunRow, "networkId" | "profile">): boolean =>
  left.networkId === right.networkId && left.profile === right.profile;

/** What is usual for every network of rows that stand newest first, and when its Runs are due. Pure. */
export function pacesOf(rows: readonly RunRow[], expectations: readonly Expectation[], nowMs: number): Paces {
  const byNetwork = Map.groupBy(rows, ({ profile, networkId }) => JSON.stringify([profile, networkId]));
  const networks = [...byNetwork.values()].flatMap((own) => {
    const expected = expectedDuration(successMinutes(own));
    const [first] = own;
    if (expected === null || first === undefined) return [];
    return [{ networkId: first.networkId, profile: first.profile, ...expected }];
  });
  const byKey = new Map(rows.map((row) => [JSON.stringify([row.networkId, row.businessKey]), row.runId]));
  const dues = expectations.flatMap((expectation) =>
    occurrences(expectation, nowMs).flatMap(({ businessKey, successDue }) => {
      const runId = byKey.get(JSON.stringify([expectation.networkId, businessKey]));
      if (runId === undefined || successDue === null) return [];
      return [{ runId, dueAt: new Date(successDue).toISOString() }];
    }),
  );
  return { networks, dues };
}

/** The rows that ran at any time between two instants, in their order; epoch milliseconds. Pure. */
export function rowsBetween(
  rows: readonly RunRow[],
  fromMs: number,
  beforeMs: number,
  nowMs: number,
): readonly RunRow[] {
  return rows.filter(({ startedAt, finishedAt }) => {
    if (startedAt === null) return false;
    const end = finishedAt === null ? nowMs : Date.parse(finishedAt);
    return Date.parse(startedAt) < beforeMs && end >= fromMs;
  });
}

/** What durations of nodes are learnt from. */
export interface NodePaceDeps {
  readonly reads: Pick<HandlerDeps["reads"], "listNodeStatesOfRuns">;
  readonly live: Pick<HandlerDeps["live"], "row" | "rows">;
  readonly records: Pick<RunRecords, "last">;
}

/** How long nodes take, by the last successes of their network; null where too few are known. */
export function createNodePaces(deps: NodePaceDeps) {
  const kept = createBoundedCache<ReadonlyMap<string, ExpectedDuration | null>>(KEPT);
  return async (runId: string, nodeId: string, signal: AbortSignal | undefined) => {
    const row = deps.live.row(runId);
    if (row === undefined) return null;
    const { graph } = await deps.records.last(runId, signal);
    const { rows } = await deps.live.rows(signal);
    const wanted = rows
      .filter((each) => sameNetwork(each, row) && each.status === "SUCCESS")
      .slice(0, LOOK_BACK)
      .map((each) => each.runId);
    if (wanted.length < SUCCESSES_MIN) return null;
    // All nodes at once where one answer holds them; of a large network only this one, which costs as little.
    const only = graph.states.length * wanted.length > STATES_AT_ONCE ? nodeId : undefined;
    const key = JSON.stringify([wanted, only ?? null]);
    const known = kept.get(key) ?? (await readNodes(deps, wanted, signal, only));
    kept.set(key, known);
    return known.get(nodeId) ?? null;
  };
}

async function readNodes(
  { reads }: NodePaceDeps,
  runIds: readonly string[],
  signal: AbortSignal | undefined,
  only: string | undefined,
) {
  const states = await reads.listNodeStatesOfRuns(runIds, signal, only);
  const inOrder = runIds.flatMap((runId) => states.get(runId) ?? []);
  const byNode = Map.groupBy(inOrder, ({ nodeId }) => nodeId);
  return new Map([...byNode].map(([nodeId, own]) => [nodeId, expectedDuration(successMinutes(own))]));
}

/** Expected durations, due times and the Runs of a day (operator-ux §1.1). */
export function paceHandlers(deps: HandlerDeps, records: RunRecords) {
  const { workspace, live, nowMs } = deps;
  const node = createNodePaces({ reads: deps.reads, live, records });
  const schedules = (): string => workspace.settings?.reading().schedulesPath ?? workspace.schedulesFile;
  return {
    read: api.pace.read.handler(({ signal }) =>
      answering(async () => {
        const { rows } = await live.rows(signal);
        const { expectations } = await readSchedules(schedules());
        const own = rows.filter(({ profile }) => profile === workspace.profile);
        const { dues } = pacesOf(own, expectations, nowMs());
        return ok({ networks: pacesOf(rows, [], nowMs()).networks, dues });
      }),
    ),
    node: api.pace.node.handler(({ input, signal }) =>
      answering(async () => ok(await node(input.runId, input.nodeId, signal))),
    ),
    day: api.pace.day.handler(({ input, signal }) =>
      answering(async () => {
        const { rows, readAt } = await live.rows(signal);
        const runs = rowsBetween(rows, Date.parse(input.from), Date.parse(input.before), nowMs());
        return ok({ runs: runs.slice(0, DAY_RUNS_MAX), total: runs.length, readAt });
      }),
    ),
  };
}
