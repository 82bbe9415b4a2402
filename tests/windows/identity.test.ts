import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { createInspector, systemBootId } from "../../main/process/index.ts";
import { benchFor, fact, nodeArgs, onWindows } from "./support.ts";

const inspector = createInspector();
const hourBefore = (instant: string | null): string =>
  new Date(Date.parse(instant ?? "") - 3_600_123).toISOString();

describe("who a process is (electron-desktop §4 C3, decisions §3)", () => {
  it("is read from the system: number, creation time and image, twice alike", () => {
    const self = inspector.identify(process.pid);
    assert.ok(self);
    assert.deepEqual(createInspector().identify(process.pid), self);
    assert.equal(self.image?.toLowerCase(), process.execPath.toLowerCase());
    const age = Date.now() - Date.parse(self.processStart ?? "");
    assert.ok(age > 0 && age < 600_000, `this process is ${age} ms old`);
    assert.deepEqual(inspector.liveness(self), { kind: "alive-ours" });
  });

  it("is told to people with its parent and a command line without secrets", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(
      bench.spec(["live", bench.path("ready"), "--api-token", "s3cr3t-word", "API_KEY=also-secret"]),
    );
    await bench.identityIn(bench.path("ready"));
    const details = inspector.details(child.identity.pid);
    assert.equal(details?.parentPid, process.pid);
    assert.match(details?.commandLine ?? "", /behave\.ts.* live .*--api-token \*\*\* API_KEY=\*\*\*/);
    assert.doesNotMatch(details?.commandLine ?? "", /s3cr3t|also-secret/);
  });

  it("is another one when a process was created after the lock that names its number", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["live", bench.path("ready")]));
    const earlier = { ...child.identity, processStart: hourBefore(child.identity.processStart) };
    assert.deepEqual(inspector.liveness(earlier), { kind: "alive-another", found: child.identity });
    assert.deepEqual(bench.manager.adopt({ identity: earlier, attemptId: null, outputPaths: [] }), {
      kind: "alive-another",
      found: child.identity,
    });
    bench.inspector.end(earlier);
    assert.deepEqual(inspector.liveness(child.identity), { kind: "alive-ours" });
  });

  it("is compared within one boot, which has a name that stays", () => {
    const boot = systemBootId();
    assert.match(boot ?? "", onWindows ? /^windows-[0-9a-f]+$/ : /^[0-9a-f-]{36}$/);
    assert.equal(systemBootId(), boot);
  });

  it("cannot be told from the number alone", () => {
    const answer = inspector.liveness({ pid: process.pid, processStart: null, image: null });
    assert.equal(answer.kind, "cannot-tell");
  });

  it("is nobody for a number that no process has", () => {
    for (const pid of [2 ** 22 + 1, 2 ** 31 - 4]) {
      assert.equal(inspector.identify(pid), null);
      assert.deepEqual(inspector.liveness({ pid, processStart: null, image: null }), { kind: "gone" });
    }
    // Windows would open the process whose number is the next lower multiple of four.
    if (onWindows) assert.equal(inspector.identify(process.pid + 1), null);
  });

  it("is gone after its end, although somebody still holds it", async () => {
    const child = spawn(process.execPath, nodeArgs("behave", ["end", "0"]), { stdio: "ignore" });
    const identity = inspector.identify(child.pid ?? 0);
    assert.ok(identity);
    // Nothing of this program runs while it looks, so its exit is not collected and its handle stays open.
    const end = performance.now() + 60_000;
    while (inspector.liveness(identity).kind !== "gone" && performance.now() < end);
    assert.equal(child.exitCode, null);
    assert.deepEqual(inspector.liveness(identity), { kind: "gone" });
    assert.ok(inspector.identify(identity.pid) === null || !onWindows);
  });

  it("is found by the attempt in its environment, and by no word that only resembles it", async (test) => {
    const bench = benchFor(test);
    const attemptId = `attempt-${randomUUID()}`;
    const env = { FLOWNET_ATTEMPT_ID: attemptId };
    const child = await bench.started(bench.spec(["family", bench.path("grandchild")], { env }));
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    const search = inspector.searchByAttemptId(attemptId);
    assert.equal(search.inconclusive, null);
    const pids = search.found.map(({ pid }) => pid);
    assert.ok(pids.includes(child.identity.pid) && pids.includes(grandchild.pid), `found ${pids}`);
    assert.deepEqual(inspector.findByAttemptId(attemptId.slice(0, -1)), []);
    await child.stop({ graceMs: 100 });
    await fact("nobody carries it any more", () => inspector.findByAttemptId(attemptId).length === 0);
  });
});
