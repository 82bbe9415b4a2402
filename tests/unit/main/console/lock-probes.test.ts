import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type AttemptJournal,
  createJournal,
  journalLockOwner,
  readHostFacts,
  readResultFile,
  workFolderOf,
} from "../../../../main/attempt/index.ts";
import { systemClock } from "../../../../main/console/index.ts";
import { holderOf } from "../../../../main/console/locks/locks.ts";
import { probeHolder } from "../../../../main/console/locks/probes.ts";
import { createInspector, systemBootId } from "../../../../main/process/index.ts";
import type { JobLogLookup } from "../../../../main/store/index.ts";
import type { LockHolder, ProbeName } from "../../../../shared/api/index.ts";
import type { JobLog, NetworkLock, Stored } from "../../../../shared/domain/model.ts";

const HANG = join(import.meta.dirname, "..", "..", "..", "fixtures", "children", "hang.mjs");
const inspector = createInspector();

let folder: string;
let journal: AttemptJournal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-probes-"));
  journal = openJournal(readHostFacts(systemBootId));
});
afterEach(async () => {
  await journal.dispose();
  await rm(folder, { recursive: true, force: true });
});

const openJournal = (hostFacts: AttemptJournal["hostFacts"]): AttemptJournal =>
  createJournal({ folder, hostFacts, clock: systemClock, ids: { uuid: () => randomUUID() } });

const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString();

function holder(pid: number, over: Partial<NetworkLock> = {}, host = hostname()): LockHolder {
  const lock: Stored<NetworkLock> = {
    ref: { recordId: "9", revision: 3 },
    recordKey: "LOCK:x",
    lockKey: "N1:x",
    profile: "local",
    ownerInvocationId: "invoke_1",
    leaseToken: "secret",
    startedAt: minutes(0),
    heartbeatAt: minutes(0),
    leaseExpiresAt: minutes(3),
    finishedAt: null,
    status: "RUNNING",
    statusReason: `owner_instance_id=local-pid://${host}/${pid}`,
    revision: 3,
    ...over,
  };
  return holderOf({ lock, networkId: "n", runId: null, businessKey: null }, hostname(), Date.now());
}

type Logs = Readonly<Record<string, JobLogLookup>>;

async function look(of: LockHolder, attemptIds: readonly string[] = [], logs: Logs = {}) {
  const evidence = {
    inspector,
    hostFacts: journal.hostFacts,
    journalOwner: journal.lockOwner,
    resultOf: (attemptId: string) => readResultFile(workFolderOf(folder, attemptId).resultPath),
  };
  const reads = { findJobLog: async (attemptId: string) => logs[attemptId] ?? ({ kind: "none" } as const) };
  const deps = { evidence, reads, nowMs: () => Date.now(), ownImage: process.execPath };
  const attempts = attemptIds.map((attemptId) => ({ attemptId, nodeId: "load" }));
  return probeHolder(of, attempts, deps);
}

async function probe(of: LockHolder, attemptIds: readonly string[] = []) {
  const { probes, verdict } = await look(of, attemptIds);
  return { verdict, results: Object.fromEntries(probes.map((each) => [each.probe, each.result])) };
}

/** A PID that was in use a moment ago and is free now. */
async function freePid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("probing a lock's holder on its own host (decisions §3, operator-ux §2.3)", () => {
  it("sees this very process alive by its creation time", async () => {
    expect(await probe(holder(process.pid))).toEqual({
      verdict: { kind: "alive", by: "creation-time" },
      results: {
        lease: "alive",
        heartbeat: "alive",
        process: "alive",
        image: "alive",
        journal: "cannotTell",
      },
    });
  });

  it("sees a PID that is another process now: created later than the lock's start and a minute", async () => {
    const old = holder(process.pid, {
      startedAt: "2020-01-01T00:00:00Z",
      leaseExpiresAt: "2020-01-01T00:03:00Z",
    });
    expect(await probe(old)).toMatchObject({
      verdict: { kind: "another", by: "creation-time" },
      results: { lease: "ended", heartbeat: "ended", process: "another" },
    });
  });

  it("sees a PID that is free, and says nothing of an image that is not there", async () => {
    const seen = await probe(holder(await freePid()));
    expect(seen.verdict).toEqual({ kind: "gone", by: "pid" });
    expect(seen.results).toMatchObject({ process: "ended", lease: "alive" });
    expect(seen.results).not.toHaveProperty("image");
  });

  it("believes the journal's line before the clock: alive although the lock looks older", async () => {
    await journalLockOwner("invoke_1", journal, inspector);
    const old = holder(process.pid, { startedAt: "2020-01-01T00:00:00Z" });
    expect(await probe(old)).toMatchObject({
      verdict: { kind: "alive", by: "journal" },
      results: { journal: "alive" },
    });
  });

  it("knows that nothing of an earlier boot runs now", async () => {
    const before = openJournal({ host: hostname(), bootId: "another boot" });
    await journalLockOwner("invoke_1", before, inspector);
    await before.dispose();
    expect(await probe(holder(process.pid))).toMatchObject({ verdict: { kind: "another", by: "journal" } });
  });

  it("does not take the line of another PID for this lock's", async () => {
    await journalLockOwner("invoke_1", journal, inspector);
    const seen = await probe(holder(await freePid()));
    expect(seen).toMatchObject({ verdict: { kind: "gone", by: "pid" }, results: { journal: "cannotTell" } });
  });

  it("finds the child of an attempt that outlived its owner", async () => {
    const attemptId = `attempt_${randomUUID()}`;
    const child = spawn(process.execPath, [HANG, attemptId], { stdio: "ignore" });
    try {
      await once(child, "spawn");
      const seen = await probe(holder(await freePid()), [attemptId]);
      expect(seen.results).toMatchObject({ children: "alive", process: "ended" });
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    expect((await probe(holder(await freePid()), [attemptId])).results.children).not.toBe("alive");
  });

  it("asks nothing of this host about a holder on another", async () => {
    expect(await probe(holder(process.pid, {}, "HOST-ELSEWHERE"))).toEqual({
      verdict: { kind: "cannot-tell", by: "other-host" },
      results: { lease: "alive", heartbeat: "alive" },
    });
  });

  it("cannot tell of an owner that is not recorded by a PID", async () => {
    const cloud = holder(1, { statusReason: "owner_instance_id=projects/p/locations/l/jobs/j/executions/e" });
    expect(await probe(cloud)).toMatchObject({ verdict: { kind: "cannot-tell", by: "no-pid" } });
    expect(cloud).toMatchObject({ host: null, pid: null, thisHost: false });
  });
});

const log = (status: string, jobKey: string | null): JobLogLookup => ({
  kind: "found",
  log: {
    status,
    jobKey,
    attemptId: "a",
    executionId: null,
    correlationId: null,
    jobId: null,
    runnerExecutionStartedAt: null,
    startedAt: null,
    finishedAt: null,
    readCount: null,
    writtenCount: null,
    lastWrittenKey: null,
    errorMessage: null,
    host: null,
  } satisfies JobLog,
});
const unreadable: JobLogLookup = { kind: "unreadable", problem: { code: "STORE_UNREACHABLE", message: "m" } };

describe("what the attempts of a lock's holder left behind (operator-ux §2.3 step 2)", () => {
  it.each<[string, ProbeName, Logs, { result: string; state: string; seen: string }]>([
    [
      "a log that stayed RUNNING proves nothing",
      "jobLog",
      { a: log("RUNNING", "p:load") },
      { result: "cannotTell", state: "running", seen: "load RUNNING" },
    ],
    [
      "a log that ended speaks for an end",
      "jobLog",
      { a: log("SUCCESS", null) },
      { result: "ended", state: "terminal", seen: "load SUCCESS" },
    ],
    [
      "a job nobody logged may never have begun",
      "jobLog",
      {},
      { result: "cannotTell", state: "none", seen: "load" },
    ],
    [
      "two records of one attempt tell nothing",
      "jobLog",
      { a: { kind: "ambiguous", count: 2 } },
      { result: "cannotTell", state: "unreadable", seen: "load ×2" },
    ],
    [
      "a log app out of reach is said",
      "jobLog",
      { a: unreadable },
      { result: "cannotTell", state: "unreadable", seen: "load STORE_UNREACHABLE" },
    ],
    [
      "a RUNNING record is the job's lock",
      "jobLock",
      { a: log("RUNNING", "p:load") },
      { result: "cannotTell", state: "held", seen: "load p:load" },
    ],
    [
      "an ended record holds no job lock",
      "jobLock",
      { a: log("FAILED", null) },
      { result: "ended", state: "free", seen: "load" },
    ],
    [
      "without a reading nothing is said of the job lock",
      "jobLock",
      { a: unreadable },
      { result: "cannotTell", state: "unreadable", seen: "load" },
    ],
  ])("%s", async (_, name, logs, expected) => {
    const { probes } = await look(holder(await freePid()), ["a"], logs);
    expect(probes.find((each) => each.probe === name)).toMatchObject(expected);
  });

  it("says the most doubtful of several attempts, and each of them", async () => {
    const logs = { a: log("SUCCESS", null), b: log("RUNNING", "p:load") };
    const { probes } = await look(holder(await freePid()), ["a", "b"], logs);
    const found = probes.find((each) => each.probe === "jobLog");
    expect(found).toMatchObject({
      result: "cannotTell",
      state: "running",
      seen: "load SUCCESS, load RUNNING",
    });
  });

  it("asks the JOB log of a holder on another host too, but no file of this one", async () => {
    const afar = holder(process.pid, {}, "HOST-ELSEWHERE");
    const { probes, verdict } = await look(afar, ["a"], { a: log("RUNNING", "p:load") });
    expect(verdict.by).toBe("other-host");
    expect(probes.map((each) => each.probe)).toEqual(["lease", "heartbeat", "jobLog", "jobLock"]);
  });

  it("sees no result file, one that says nothing, and reads neither as an end", async () => {
    const free = await freePid();
    const stateOf = async () => {
      const { probes } = await look(holder(free), ["a"]);
      return probes.find((each) => each.probe === "resultFile");
    };
    expect(await stateOf()).toMatchObject({ result: "cannotTell", state: "none" });
    const { resultPath } = workFolderOf(folder, "a");
    await mkdir(dirname(resultPath), { recursive: true });
    await writeFile(resultPath, "{");
    expect(await stateOf()).toMatchObject({ result: "cannotTell", state: "unreadable" });
  });
});
