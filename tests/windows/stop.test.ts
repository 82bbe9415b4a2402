import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import { benchFor, fileText, GRACE_MS, onWindows } from "./support.ts";

describe("stopping a child in steps (orchestration §4.2, electron-desktop §4 C4)", () => {
  it("asks our own runner over its control pipe, and needs no force", async (test) => {
    const bench = benchFor(test);
    const args = ["listen", bench.path("ready"), bench.path("closed")];
    const child = await bench.started(bench.spec(args, { controlPipe: true }));
    await fileText(bench.path("ready"));
    const facts = await child.stop({ graceMs: GRACE_MS });
    const settled = { exitCode: 3, signal: null, forced: false, stopRequested: true };
    assert.deepEqual(facts, { requested: "asked", forced: false, gone: { kind: "proven" }, settled });
    assert.deepEqual(await child.exited, settled);
  });

  it("ends by force who does not hear or does not obey, and verifies that it is gone", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["stubborn", bench.path("ready")]));
    await fileText(bench.path("ready"));
    const facts = await child.stop({ graceMs: 1_000 });
    assert.deepEqual(facts.gone, { kind: "proven" });
    assert.deepEqual(facts.settled, {
      exitCode: null,
      signal: "SIGKILL",
      forced: true,
      stopRequested: true,
    });
    assert.equal(bench.inspector.identify(child.identity.pid), null);
  });

  it("asks a foreign runner by the signal of the system", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["live", bench.path("ready")]));
    await fileText(bench.path("ready"));
    const facts = await child.stop({ graceMs: onWindows ? 1_000 : GRACE_MS });
    assert.deepEqual(facts.gone, { kind: "proven" });
    test.diagnostic(`requested: ${facts.requested}, settled: ${JSON.stringify(facts.settled)}`);
    // Whether Ctrl+Break arrives is on the list that only real Windows proves (toolchain §9, consequence 2).
    if (!onWindows) assert.equal(facts.requested, "asked");
    if (!onWindows) assert.equal(facts.settled?.signal, "SIGTERM");
  });

  it("gives up waiting on abort, without force, and says that nothing is proven", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["stubborn", bench.path("ready")]));
    await fileText(bench.path("ready"));
    const facts = await child.stop({ graceMs: 600_000, signal: AbortSignal.timeout(500) });
    assert.equal(facts.forced, false);
    assert.equal(facts.settled, null);
    assert.equal(facts.gone.kind, "not-proven");
    assert.deepEqual(bench.inspector.liveness(child.identity), { kind: "alive-ours" });
    assert.deepEqual((await child.stop({ graceMs: 100 })).gone, { kind: "proven" });
  });

  it("cancels nothing when this program lets go: the pipe closes and the child lives on", async (test) => {
    const bench = benchFor(test);
    const args = ["listen", bench.path("ready"), bench.path("closed")];
    const child = await bench.started(bench.spec(args, { controlPipe: true }));
    await bench.identityIn(bench.path("ready"));
    await bench.manager.dispose();
    await fileText(bench.path("closed"));
    assert.deepEqual(bench.inspector.liveness(child.identity), { kind: "alive-ours" });
    bench.inspector.end(child.identity);
  });

  it("ends its own commands with everything they started, when time is up", async (test) => {
    const bench = benchFor(test);
    const { command, args, cwd } = bench.spec(["family", bench.path("grandchild")]);
    const env = onWindows ? { SystemRoot: process.env.SystemRoot ?? "" } : {};
    const stop = new AbortController();
    const limits = { timeoutMs: 600_000, maxOutputBytes: 1_000, signal: stop.signal };
    const running = bench.manager.runCommand({ command, args, cwd, env }, limits);
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    stop.abort();
    const outcome = await running;
    assert.equal(outcome.cancelled, true);
    assert.equal(outcome.exit?.forced, true);
    if (onWindows) assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "gone" });
    assert.equal(existsSync(bench.path("out")), false);
  });
});
