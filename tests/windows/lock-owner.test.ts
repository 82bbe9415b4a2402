import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, it } from "node:test";
import { createJournal, journalLockOwner, readHostFacts } from "../../main/attempt/index.ts";
import { holderOf } from "../../main/console/locks/locks.ts";
import { probeHolder } from "../../main/console/locks/probes.ts";
import { systemBootId } from "../../main/process/index.ts";
import { type Bench, benchFor, nodeArgs, onWindows } from "./support.ts";

const at = (instant: number): string => new Date(instant).toISOString();

/** Asks about the owner of a lock that process `pid` is said to have taken at `startedAt`. */
function probe(bench: Bench, pid: number, startedAt: number) {
  const journal = createJournal({
    folder: bench.path("journal"),
    hostFacts: readHostFacts(systemBootId),
    clock: { nowMs: () => Date.now() },
    ids: { uuid: randomUUID },
  });
  bench.atEnd(() => journal.dispose());
  const lock = {
    ref: { recordId: "9", revision: 3 },
    recordKey: "LOCK:x",
    lockKey: "N1:x",
    profile: "local",
    ownerInvocationId: "invoke_1",
    leaseToken: "t",
    startedAt: at(startedAt),
    heartbeatAt: at(startedAt),
    leaseExpiresAt: at(startedAt + 180_000),
    finishedAt: null,
    status: "RUNNING",
    statusReason: `owner_instance_id=local-pid://${hostname()}/${pid}`,
    revision: 3,
  } as const;
  const seen = { lock, networkId: "n", runId: null, businessKey: null };
  const holder = holderOf(seen, hostname(), Date.now());
  const { inspector } = bench;
  const evidence = {
    inspector,
    hostFacts: journal.hostFacts,
    journalOwner: journal.lockOwner,
    resultOf: async () => ({ kind: "absent" }) as const,
  };
  const reads = { findJobLog: async () => ({ kind: "none" }) as const };
  const ask = async () => {
    const deps = { evidence, reads, nowMs: () => Date.now(), ownImage: process.execPath };
    const { probes, verdict } = await probeHolder(holder, [], deps);
    return { verdict, image: probes.find((each) => each.probe === "image")?.result };
  };
  return { ask, takeLock: () => journalLockOwner("invoke_1", journal, inspector) };
}

/** On Linux, as root: the number the next process gets. False where this may not be said. */
function nextNumber(pid: number): boolean {
  if (onWindows) return false;
  try {
    writeFileSync("/proc/sys/kernel/ns_last_pid", String(pid - 1));
    return true;
  } catch {
    return false;
  }
}

describe("is the owner of a lock alive (decisions §3)", () => {
  it("is answered with facts: alive, another process, gone", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["live", bench.path("ready")]));
    const { pid } = await bench.identityIn(bench.path("ready"));
    const created = Date.parse(child.identity.processStart ?? "");
    const alive = await probe(bench, pid, created + 1_000).ask();
    assert.deepEqual(alive, { verdict: { kind: "alive", by: "creation-time" }, image: "alive" });
    const another = await probe(bench, pid, created - 61_000).ask();
    assert.deepEqual(another.verdict, { kind: "another", by: "creation-time" });
    await child.stop({ graceMs: 100 });
    const gone = await probe(bench, pid, created + 1_000).ask();
    assert.deepEqual(gone.verdict, { kind: "gone", by: "pid" });
  });

  it("is decided exactly by the journal where it has a line", async (test) => {
    const bench = benchFor(test);
    const asked = probe(bench, process.pid, Date.now() - 86_400_000);
    await asked.takeLock();
    assert.deepEqual((await asked.ask()).verdict, { kind: "alive", by: "journal" });
  });

  it("takes a process that was given the number of an ended one for another", async (test) => {
    const bench = benchFor(test);
    const first = spawn(process.execPath, nodeArgs("behave", ["end", "0"]), { stdio: "ignore" });
    const before = bench.inspector.identify(first.pid ?? 0);
    assert.ok(before);
    await once(first, "exit");
    assert.deepEqual(bench.inspector.liveness(before), { kind: "gone" });
    for (let tries = 0; tries < 20 && nextNumber(before.pid); tries++) {
      const next = spawn(process.execPath, nodeArgs("behave", ["live", bench.path(`again ${tries}`)]), {
        stdio: "ignore",
      });
      const found = bench.inspector.identify(next.pid ?? 0);
      if (next.pid === before.pid && found !== null) {
        test.diagnostic(`process ${before.pid} was given again`);
        assert.deepEqual(bench.inspector.liveness(before), { kind: "alive-another", found });
        tries = 20;
      }
      next.kill("SIGKILL");
      await once(next, "exit");
    }
  });
});
