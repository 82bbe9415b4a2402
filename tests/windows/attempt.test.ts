import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createJournal, localFactsOf, readHostFacts } from "../../main/attempt/index.ts";
import { systemBootId } from "../../main/process/index.ts";
import { benchFor, fileText, nodeArgs } from "./support.ts";

describe("an attempt whose console was killed (decisions §3)", () => {
  it("is known from the journal of this host, found alive by it, and ended by the next console", async (test) => {
    const bench = benchFor(test);
    const attemptId = randomUUID();
    const args = nodeArgs("attempt-console", [bench.folder, attemptId]);
    const parent = spawn(process.execPath, args, { stdio: "ignore", detached: true, windowsHide: true });
    const console = bench.inspector.identify(parent.pid ?? 0);
    test.after(() => console !== null && bench.inspector.end(console));
    await fileText(bench.path("reached"));
    await bench.identityIn(bench.path("ready"));
    const ended = once(parent, "exit");
    parent.kill("SIGKILL");
    await ended;

    const journal = createJournal({
      folder: bench.path("journal"),
      hostFacts: readHostFacts(systemBootId),
      clock: { nowMs: () => Date.now() },
      ids: { uuid: randomUUID },
    });
    const { spawned, exited, mayBeIncomplete } = await journal.evidenceFor(attemptId);
    assert.equal(exited, null);
    assert.equal(mayBeIncomplete, false);
    assert.ok(spawned);
    assert.deepEqual(bench.inspector.liveness(spawned.process), { kind: "alive-ours" });
    assert.equal((await localFactsOf(attemptId, journal, bench.inspector)).alive, true);

    const adopted = bench.manager.adopt({ identity: spawned.process, attemptId, outputPaths: [] });
    if (adopted.kind !== "adopted") assert.fail(adopted.kind);
    assert.deepEqual((await adopted.child.stop({ graceMs: 500 })).gone, { kind: "proven" });
    assert.deepEqual(bench.inspector.liveness(spawned.process), { kind: "gone" });
    assert.equal((await localFactsOf(attemptId, journal, bench.inspector)).alive, false);
  });
});
