import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type AttemptJournal,
  createJournal,
  journalLockOwner,
  readHostFacts,
} from "../../../../main/attempt/index.ts";
import { systemClock } from "../../../../main/console/index.ts";
import { holderOf } from "../../../../main/console/locks/locks.ts";
import { probeHolder } from "../../../../main/console/locks/probes.ts";
import { createInspector, systemBootId } from "../../../../main/process/index.ts";
import type { LockHolder } from "../../../../shared/api/index.ts";
import type { NetworkLock, Stored } from "../../../../shared/domain/model.ts";

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

async function probe(of: LockHolder, attemptIds: readonly string[] = []) {
  const evidence = { inspector, hostFacts: journal.hostFacts, journalOwner: journal.lockOwner };
  const deps = { evidence, nowMs: () => Date.now(), ownImage: process.execPath };
  const { probes, verdict } = await probeHolder(of, attemptIds, deps);
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
