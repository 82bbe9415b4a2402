import { afterAll, afterEach, beforeAll } from "vitest";
import { type KintoneTransport, write } from "../../../main/kintone-client/index.ts";
import { createRecovery } from "../../../main/orchestrator/index.ts";
import {
  createPoller,
  loadDefinition,
  type Poller,
  type PollerDeps,
  type PollWarning,
} from "../../../main/orchestrator/poller/index.ts";
import type { RunNetworkInput, RunNetworkResult } from "../../../main/orchestrator/ports.ts";
import { createRequestStore } from "../../../main/store/index.ts";
import type { RequestStore, RequestWish } from "../../../main/store/ports.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import { type BadLine, badLineForTests } from "../../support/bad-line.ts";
import { refOf } from "../../support/lone-faults.ts";
import { realSleep, systemClock } from "../../support/store-fixture.ts";

export const HOST = "poller1";
export const HEARTBEAT_MS = 60_000;

/** What a Run by request came to; a test says what it wants to see told. */
export const runEnd = (over: Partial<RunNetworkResult> = {}): RunNetworkResult => ({
  outcome: "RESUME",
  runId: "netrun_1",
  invocationId: "invoke_1",
  aggregateStatus: "SUCCESS",
  invocationResultCode: "OK",
  retryBrakeNodeIds: [],
  blockedRunIds: [],
  problem: null,
  networkId: null,
  nodes: [],
  ...over,
});

/** Waits that end when the test says so, so that nothing hangs on the time a test takes. */
export function createTicks() {
  const waiting = new Set<{ readonly ms: number; readonly go: () => void }>();
  return {
    delay: (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const entry = { ms, go: resolve };
        waiting.add(entry);
        signal?.addEventListener("abort", () => {
          waiting.delete(entry);
          resolve();
        });
      }),
    /** How many wait for this long. */
    waiting: (ms: number): number => [...waiting].filter((each) => each.ms === ms).length,
    pass(ms: number): void {
      for (const entry of [...waiting]) {
        if (entry.ms !== ms) continue;
        waiting.delete(entry);
        entry.go();
      }
    },
  };
}

export interface PollerBench {
  readonly line: BadLine;
  /** Through the line that may be bad. */
  readonly deps: PollerDeps;
  readonly poller: Poller;
  /** The request app past it: the requester's screen, and a second poller. */
  readonly past: RequestStore;
  readonly ticks: ReturnType<typeof createTicks>;
  /** Networks of the allow list. */
  readonly allowed: { networkId: string; definitionPath: string; appStart: boolean }[];
  readonly warnings: PollWarning[];
  /** Runs that were asked for, and what is done about them. */
  readonly runs: { asked: RunNetworkInput[]; run: (input: RunNetworkInput) => Promise<RunNetworkResult> };
  /** Milliseconds by which the poller's clock is ahead. */
  readonly time: { ahead: number };
}

/** A poller on real records over a line that may be bad; Runs themselves are played. */
export function pollerForTests(): () => PollerBench {
  const line = badLineForTests();
  let bench: PollerBench | null = null;
  const opened = (): PollerBench => {
    if (bench === null) throw new Error("the bench is opened before the first test");
    return bench;
  };
  beforeAll(() => {
    const through = line().kintone.transport(line().proxy.port);
    bench = openBench(line(), through);
    return () => through.dispose();
  });
  afterEach(async () => {
    const { past, warnings, runs, allowed, time } = opened();
    for (const parsed of await past.listOpen(500)) {
      const at = parsed.valid ? parsed.request : parsed.identity;
      if (at === null) continue;
      const ref = { recordId: at.id, revision: at.revision };
      await past.end(ref, { state: "DONE", resultCode: "CLEANED_UP", resultMessage: "" });
    }
    warnings.splice(0);
    allowed.splice(0);
    runs.asked = [];
    runs.run = async () => runEnd();
    time.ahead = 0;
  });
  afterAll(() => {
    bench = null;
  });
  return opened;
}

function openBench(line: BadLine, through: KintoneTransport): PollerBench {
  const { store, kintone, person } = line;
  const ticks = createTicks();
  const allowed: PollerBench["allowed"] = [];
  const warnings: PollWarning[] = [];
  const time = { ahead: 0 };
  const runs: PollerBench["runs"] = { asked: [], run: async () => runEnd() };
  const clock = { ...systemClock, nowMs: () => Date.now() + time.ahead };
  const deps: PollerDeps = {
    requests: createRequestStore({ transport: through, sleep: realSleep }, kintone.requestApp),
    reads: store,
    orchestrator: {
      runNetwork(input) {
        runs.asked.push(input);
        return runs.run(input);
      },
    },
    recovery: createRecovery({
      store,
      clock,
      ids: { uuid: () => crypto.randomUUID() },
      profile: "prod",
      host: HOST,
      ownerInstanceId: `local-pid://${HOST}/99`,
      journalLockOwner: async () => {},
      judgeOwner: async () => ({ kind: "gone", by: "pid" }),
      askCloudRun: async () => ({ kind: "unknown", why: "not asked" }),
    }),
    allowList: async () => allowed,
    async readDefinition(path) {
      const loaded = await loadDefinition(path);
      return loaded.ok ? { ok: true, value: loaded.value.definition } : loaded;
    },
    profile: "prod",
    host: HOST,
    servicePrincipal: "svc",
    clock,
    delay: ticks.delay,
    heartbeatMs: HEARTBEAT_MS,
    staleAfterMs: 900_000,
    warn: (warning) => warnings.push(warning),
  };
  const past = createRequestStore({ transport: person, sleep: realSleep }, kintone.requestApp);
  return { line, deps, poller: createPoller(deps), past, ticks, allowed, warnings, runs, time };
}

export const wish = (over: Partial<RequestWish> = {}): RequestWish => ({
  type: "STOP",
  runId: "netrun_none",
  networkId: null,
  businessKey: null,
  scheduledFor: null,
  rerunFromNode: null,
  reason: "wait for the file",
  ...over,
});

/** Adds a request and answers its id. */
export const ask = async ({ past }: PollerBench, over: Partial<RequestWish> = {}): Promise<string> =>
  (await refOf(past.insertRequest(wish(over)))).recordId;

/** The request as it stands. */
export async function found({ past }: PollerBench, id: string): Promise<OperationRequest> {
  const parsed = await past.read(id);
  if (parsed?.valid !== true) throw new Error(`request ${id} cannot be read`);
  return parsed.request;
}

/** Writes columns of a request as somebody with the form open does, without regard to its revision. */
export async function edit(
  { line }: PollerBench,
  id: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const record = Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value }]));
  const answer = await line.person.send(
    write({ kind: "updateRecord", app: line.kintone.requestApp, entry: { id, record } }),
  );
  if (answer.kind !== "ok") throw new Error(JSON.stringify(answer));
}

export const codes = ({ warnings }: PollerBench): readonly string[] => warnings.map(({ code }) => code);
