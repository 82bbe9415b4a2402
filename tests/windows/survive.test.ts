import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import type { ProcessIdentity } from "../../main/process/index.ts";
import { type Bench, benchFor, fact, fileText, nodeArgs, onWindows } from "./support.ts";

const identitySchema = z.object({ pid: z.int(), processStart: z.string(), image: z.string() });

interface Console {
  readonly bench: Bench;
  readonly attemptId: string;
  /** What the console said it had reached: the identity of its child, or null. */
  readonly reached: ProcessIdentity | null;
  kill(): Promise<void>;
}

/** Starts a console of its own, waits until it has come as far as `stage`, and lets the test kill it. */
async function consoleAt(test: TestContext, stage: string): Promise<Console> {
  const bench = benchFor(test);
  const attemptId = `attempt-${randomUUID()}`;
  const parent: ChildProcess = spawn(
    process.execPath,
    nodeArgs("console", [stage, bench.folder, attemptId]),
    {
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    },
  );
  const identity = bench.inspector.identify(parent.pid ?? 0);
  test.after(() => identity !== null && bench.inspector.end(identity));
  test.after(() => {
    for (const left of bench.inspector.findByAttemptId(attemptId)) bench.inspector.end(left);
  });
  const text = await fileText(bench.path("reached"));
  const value: unknown = JSON.parse(text);
  const kill = async (): Promise<void> => {
    const ended = once(parent, "exit");
    parent.kill("SIGKILL");
    await ended;
  };
  return { bench, attemptId, kill, reached: value === null ? null : identitySchema.parse(value) };
}

describe("a console that is killed (decisions §3, electron-desktop §4 C5)", () => {
  it("before it starts anything leaves nobody who carries the attempt", async (test) => {
    const { bench, attemptId, kill } = await consoleAt(test, "before");
    await kill();
    assert.deepEqual(bench.inspector.searchByAttemptId(attemptId), { found: [], inconclusive: null });
  });

  it("after the start leaves an attempt that is found again, followed and ended as a whole", async (test) => {
    const { bench, attemptId, kill, reached } = await consoleAt(test, "started");
    assert.ok(reached);
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    await kill();
    assert.deepEqual(bench.inspector.liveness(reached), { kind: "alive-ours" });
    const pids = bench.inspector.findByAttemptId(attemptId).map(({ pid }) => pid);
    assert.ok(pids.includes(reached.pid) && pids.includes(grandchild.pid));
    // On Windows the job object that the root itself holds is enough; elsewhere the token is needed.
    const survivor = { identity: reached, attemptId: onWindows ? null : attemptId, outputPaths: [] };
    const adopted = bench.manager.adopt(survivor);
    if (adopted.kind !== "adopted") assert.fail(adopted.kind);
    const facts = await adopted.child.stop({ graceMs: 500 });
    assert.deepEqual(facts.gone, { kind: "proven" });
    assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "gone" });
    assert.deepEqual(bench.manager.adopt(survivor), { kind: "gone" });
  });

  it("in the middle of the output neither blocks nor ends the child, whose end is then seen", async (test) => {
    const { bench, attemptId, kill, reached } = await consoleAt(test, "output");
    assert.ok(reached);
    await fileText(bench.path("under-way"));
    await kill();
    const outputPaths = [bench.path("job.out"), bench.path("job.err")];
    const adopted = bench.manager.adopt({ identity: reached, attemptId, outputPaths });
    // It may have ended before it could be followed; then it has written everything, too.
    if (adopted.kind === "adopted") {
      const exit = await adopted.child.exited;
      assert.equal(exit.exitCode, onWindows ? 0 : null);
      assert.equal(exit.forced, false);
    }
    await fileText(bench.path("under-way.done"));
    assert.equal(statSync(bench.path("job.out")).size, 17 * 1024 * 1024);
  });

  it("in the middle of a stop leaves the child alive, to be stopped by the next one", async (test) => {
    const { bench, attemptId, kill, reached } = await consoleAt(test, "stopping");
    assert.ok(reached);
    await fileText(bench.path("grandchild"));
    await kill();
    assert.deepEqual(bench.inspector.liveness(reached), { kind: "alive-ours" });
    const adopted = bench.manager.adopt({ identity: reached, attemptId, outputPaths: [] });
    if (adopted.kind !== "adopted") assert.fail(adopted.kind);
    assert.deepEqual((await adopted.child.stop({ graceMs: 1_000 })).gone, { kind: "proven" });
  });

  it("takes its own commands with it on Windows, and what they started", async (test) => {
    const { bench, attemptId, kill } = await consoleAt(test, "worker");
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "alive-ours" });
    await kill();
    if (!onWindows) return;
    await fact("the commands are gone", () => bench.inspector.findByAttemptId(attemptId).length === 0);
    assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "gone" });
  });
});
