import { afterEach, describe, expect, it } from "vitest";
import type { RunNetworkResult } from "../../../main/orchestrator/index.ts";
import { reconcile } from "../../../shared/domain/index.ts";
import { type Fault, isBulk, isInsert, isLonePut, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { type NetworkOptions, PROFILE } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
afterEach(() => {
  bench.proxy.clear();
  bench.kintone.seen.clear();
});

const NODES = 3;
const IDS = Array.from({ length: NODES }, (_, index) => `n${index + 1}`);
/** fenced-writes section 4. */
const ROUND_TRIPS = 8 + 4 * NODES;
const COUNTED = 13 + Math.ceil(NODES / 100) + 8 * NODES;
/** Creation, start and end of each node; the last end carries Invocation and release. */
const BULKS = 1 + 2 * NODES;

const chain = (id: string, options: NetworkOptions = {}): Promise<string> =>
  bench.network(
    id,
    IDS.map((node, index) => ({ id: node, dependsOn: IDS.slice(Math.max(0, index - 1), index) })),
    options,
  );
/** A lost acquisition is looked for during one request limit, a third of the lease (fenced-writes R6). */
const SHORT: NetworkOptions = { leaseSec: 12, heartbeatSec: 4 };

const busy = (status: number, code: string): Fault => ({
  kind: "answer",
  status,
  body: JSON.stringify({ code, id: "1", message: "not now", errors: {} }),
});
const HTML = "<html><body>Bad Gateway</body></html>";

interface Named {
  readonly name: string;
  readonly fault: Fault;
  /** Reads it may cost, and copies sent again. */
  readonly reads: number;
  readonly repeats: number;
}
const FAULTS: readonly Named[] = [
  { name: "answer lost", fault: { kind: "lose-answer" }, reads: 2, repeats: 0 },
  { name: "body cut", fault: { kind: "cut-body" }, reads: 2, repeats: 0 },
  { name: "request lost", fault: { kind: "lose-request" }, reads: 1, repeats: 1 },
  {
    name: "HTML 502 after the commit",
    fault: { kind: "replace", status: 502, body: HTML, type: "text/html" },
    reads: 2,
    repeats: 0,
  },
  { name: "429", fault: busy(429, "GAIA_TO04"), reads: 1, repeats: 1 },
  { name: "GAIA_DA02", fault: busy(400, "GAIA_DA02"), reads: 1, repeats: 1 },
  { name: "sent twice by the network", fault: { kind: "duplicate" }, reads: 0, repeats: 0 },
  { name: "a copy delayed until the end", fault: { kind: "delay" }, reads: 1, repeats: 1 },
];

/** Meets the n-th different bulk request of a Run, and only its first copy. */
function onBulk(faults: readonly Fault[]): void {
  const order = new Map<string, number>();
  const indexOf = ({ body }: ProxiedRequest): number => {
    if (!order.has(body)) order.set(body, order.size);
    return order.get(body) ?? -1;
  };
  for (const [index, fault] of faults.entries()) {
    bench.proxy.on((request) => isBulk(request) && indexOf(request) === index, fault);
  }
}

/** Whatever was lost on the way: one Run, one attempt a node, one child each, records that agree. */
async function expectWhole(id: string, result: RunNetworkResult): Promise<void> {
  expect(result).toMatchObject({ outcome: "NEW", invocationResultCode: "OK", problem: null });
  const runs = await bench.workspace.reads.listRuns({ profile: PROFILE, networkId: id });
  expect(runs.map(({ runId, status }) => [runId, status])).toEqual([[result.runId, "SUCCESS"]]);
  const graph = await bench.graph(result);
  expect(graph.run && reconcile({ ...graph, run: graph.run, nodeIds: IDS })).toEqual([]);
  expect(graph.invocations).toMatchObject([{ status: "SUCCESS", resultCode: "OK" }]);
  expect(graph.attempts.map(({ nodeId, attemptNo, status }) => [nodeId, attemptNo, status])).toEqual(
    IDS.map((node) => [node, 1, "SUCCESS"]),
  );
  // Inserted, started, ended: nothing was applied twice.
  expect(graph.states.map(({ ref, revision }) => [ref.revision, revision])).toEqual(IDS.map(() => [3, 3]));
  expect((await bench.starts(id)).map(({ jobId }) => jobId)).toEqual(IDS.map((node) => `${id}_${node}`));
  const lock = await bench.records.lastLock();
  expect(lock).toMatchObject({ status: "SUCCESS", statusReason: "OK", leaseToken: null });
  expect(lock.ref.revision, "the lock's own series is unbroken").toBe(lock.revision);
}

const counted = (): number =>
  bench.kintone.seen.list().reduce((sum, { subRequests }) => sum + Math.max(1, subRequests), 0);

describe("a Run of three nodes keeps the budget (fenced-writes section 4)", () => {
  it(`needs at most ${ROUND_TRIPS} round trips and ${COUNTED} counted requests`, async () => {
    const result = await bench.run(await chain("budget"));
    expect(bench.proxy.requests().length).toBeLessThanOrEqual(ROUND_TRIPS);
    expect(counted()).toBeLessThanOrEqual(COUNTED);
    expect(bench.proxy.requests().filter(isBulk)).toHaveLength(BULKS);
    await expectWhole("budget", result);
  });
});

describe("every bulk of a Run meets every fault once (fenced-writes R1, R3, section 6)", () => {
  // Round r gives bulk i the fault (i + r): after as many rounds as there are faults, all pairs have met.
  it.each(FAULTS.map((_, round) => round))("round %i", async (round) => {
    const id = `faults_${round}`;
    const chosen = Array.from({ length: BULKS }, (_, bulk) => FAULTS[(bulk + round) % FAULTS.length]);
    const named = chosen.filter((entry) => entry !== undefined);
    onBulk(named.map(({ fault }) => fault));
    const result = await bench.run(await chain(id));
    expect(bench.proxy.unmet()).toBe(0);
    const extra = named.reduce((sum, { reads, repeats }) => sum + reads + repeats, 0);
    // The creation inserts more than its witness: Invocation and Node States are read back.
    const creation = (named[0]?.reads ?? 0) === 2 ? 2 : 0;
    expect(bench.proxy.requests().length).toBeLessThanOrEqual(ROUND_TRIPS + extra + creation);
    await expectWhole(id, result);
    const before = await bench.graph(result);
    const late = await bench.proxy.deliver();
    expect(
      late.every((status) => status === 409),
      `late copies met ${late.join(", ")}`,
    ).toBe(true);
    expect(await bench.graph(result)).toEqual(before);
  });
});

describe("other requests of a Run that go wrong (fenced-writes R6, orchestration W-22)", () => {
  const isUpload = ({ method, path }: ProxiedRequest): boolean =>
    method === "POST" && path.endsWith("/file.json");
  const isDownload = ({ method, path }: ProxiedRequest): boolean =>
    method === "GET" && path.endsWith("/file.json");
  const isHold = ({ query }: ProxiedRequest): boolean => query.includes("CANCEL:");
  const lost: Fault = { kind: "lose-answer" };
  const page: Fault = { kind: "answer", status: 503, body: HTML, type: "text/html" };

  it.each<readonly [string, (request: ProxiedRequest) => boolean, Fault, number]>([
    ["the acquisition's answer is lost", isInsert, lost, 1],
    ["the acquisition's request is lost", isInsert, { kind: "lose-request" }, 1],
    ["the upload's answer is lost", isUpload, lost, 1],
    ["the upload meets a maintenance page", isUpload, page, 2],
    ["the download's answer is cut", isDownload, { kind: "cut-body" }, 1],
    ["reads of the hold are busy", isHold, busy(429, "GAIA_TO04"), 2],
  ])("%s", async (name, match, fault, count) => {
    const id = name.replaceAll(/[^a-z]/g, "_");
    bench.proxy.on(match, fault, count);
    const result = await bench.run(await chain(id, SHORT));
    expect(bench.proxy.unmet()).toBe(0);
    await expectWhole(id, result);
  });

  it("the lone release of a NOOP is settled by its tombstone", async () => {
    const file = await chain("noop");
    await bench.run(file);
    bench.proxy.on(isLonePut, lost);
    expect(await bench.run(file)).toMatchObject({ outcome: "NOOP" });
    expect(bench.proxy.unmet()).toBe(0);
    expect(await bench.records.lastLock()).toMatchObject({
      statusReason: "ALREADY_SUCCESS",
      leaseToken: null,
    });
  });
});
