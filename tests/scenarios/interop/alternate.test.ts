import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActs } from "../../support/interop/acts.ts";
import { expectInvariants } from "../../support/interop/invariants.ts";
import { jsonOf, type Program } from "../../support/interop/program.ts";
import { ILL, openScriptedRig, type ScriptedRig, WELL } from "../../support/interop/scripted-rig.ts";
import { nodesOf } from "../../support/interop/seen.ts";
import { takeOver, type Wreck, type WreckPoint, wreck } from "../../support/interop/wreck.ts";
import { until } from "../../support/scripted-workspace.ts";

let rig: ScriptedRig;
let acts: ReturnType<typeof createActs>;
beforeAll(async () => {
  rig = await openScriptedRig();
  acts = createActs(rig);
});
afterAll(() => rig.dispose());

const other = (by: Program): Program => (by === rig.ours ? rig.peer : rig.ours);
const program = (name: Program["name"]): Program => rig[name];
const nodes = async (runId: string) => nodesOf(await rig.workspace.reads.readRunGraph(runId));
/** Killed when the server had done a write, or before that write was sent. */
const done = (write: number): WreckPoint => ({ write, phase: "after-success" });
const lost = (write: number): WreckPoint => ({ write, phase: "before" });

/** A chain of two, each boundary with its own. */
async function chain(networkId: string): Promise<Wreck> {
  const file = await rig.network({ id: networkId, nodes: [{ id: "a" }, { id: "b", dependsOn: ["a"] }] });
  return { networkId, file, key: "k" };
}

describe("the peer is killed, ours goes on (orchestration section 2.3)", () => {
  it.each([
    // Attempts of node a afterwards: a start that provably never ran uses up a number (W-01, W-04).
    { name: "after the Run's record (W-07)", id: "p_run", point: done(3), a: 1 },
    { name: "between Attempt and Node State (W-01)", id: "p_attempt", point: done(10), a: 2 },
    { name: "after Node State RUNNING, no start marker (W-04)", id: "p_running", point: done(11), a: 2 },
    { name: "with the child ended and nothing saved (S5)", id: "p_ended", point: lost(13), a: 1 },
  ])("$name", async ({ id, point, a }) => {
    const net = await chain(id);
    const runId = (await wreck(rig, rig.peer, net, point)) ?? "";
    expect(await takeOver(rig, rig.ours, net, runId)).toMatchObject({
      outcome: "RESUME",
      aggregate: "SUCCESS",
    });
    expect(await nodes(runId)).toEqual({ a: ["SUCCESS", a], b: ["SUCCESS", 1] });
    await expectInvariants(rig, { networkId: id, runId });
  });

  it("after the start marker: UNKNOWN, resolved by ours, resumed by the peer (sections 5.3, 5.4)", async () => {
    const net = await chain("p_marker");
    const runId = (await wreck(rig, rig.peer, net, done(12))) ?? "";
    expect(await takeOver(rig, rig.ours, net, runId)).toMatchObject({
      aggregate: "UNKNOWN",
      code: "NODE_RESULT_UNKNOWN",
    });
    expect(await acts.resolve(rig.ours, runId, "a", "SUCCESS")).toMatchObject({ exitCode: 0 });
    expect(await acts.resume(rig.peer, net.file, runId)).toMatchObject({ aggregate: "SUCCESS" });
    expect((await rig.children("p_marker")).map(({ jobId }) => jobId)).toEqual(["p_marker_b"]);
    await expectInvariants(rig, { networkId: "p_marker", runId, resolved: ["a"] });
  });
});

describe("ours is killed, the peer frees the lock and goes on (fenced-writes section 3)", () => {
  it.each([
    { name: "after the Run with all its Node States", id: "o_run", point: done(1) },
    { name: "with the child ended and nothing saved", id: "o_ended", point: lost(3) },
  ])("$name", async ({ id, point }) => {
    const net = await chain(id);
    const runId = (await wreck(rig, rig.ours, net, point)) ?? "";
    expect(await takeOver(rig, rig.peer, net, runId)).toMatchObject({
      outcome: "RESUME",
      aggregate: "SUCCESS",
    });
    expect(await nodes(runId)).toEqual({ a: ["SUCCESS", 1], b: ["SUCCESS", 1] });
    await expectInvariants(rig, { networkId: id, runId });
  });

  it("between start and spawn: UNKNOWN, resolved by the peer, resumed by ours", async () => {
    const net = await chain("o_start");
    const runId = (await wreck(rig, rig.ours, net, done(2))) ?? "";
    expect(await takeOver(rig, rig.peer, net, runId)).toMatchObject({ aggregate: "UNKNOWN" });
    expect(await acts.resolve(rig.peer, runId, "a", "SUCCESS")).toMatchObject({ exitCode: 0 });
    expect(await acts.resume(rig.ours, net.file, runId)).toMatchObject({ aggregate: "SUCCESS" });
    expect((await rig.children("o_start")).map(({ jobId }) => jobId)).toEqual(["o_start_b"]);
    await expectInvariants(rig, { networkId: "o_start", runId, resolved: ["a"] });
  });
});

describe("one begins, the other ends (orchestration sections 4.7 to 4.9)", () => {
  it.each([{ first: "ours" }, { first: "peer" }] as const)(
    "a Run of $first fails in the middle: RESUME, then RERUN_FROM, then CLOSE, by turns",
    async ({ first }) => {
      const networkId = `turns_${first}`;
      const net = await chain(networkId);
      const [one, two] = [program(first), other(program(first))];
      await rig.script(`${networkId}_b`, ILL);
      const { runId, aggregate } = await acts.create(one, net.file, "k");
      expect(aggregate).toBe("FAILED");
      expect(await acts.resume(two, net.file, runId)).toMatchObject({ aggregate: "FAILED" });
      expect(await nodes(runId)).toEqual({ a: ["SUCCESS", 1], b: ["FAILED", 2] });
      expect(await acts.resume(one, net.file, runId, "a")).toMatchObject({ aggregate: "FAILED" });
      expect(await nodes(runId)).toEqual({ a: ["SUCCESS", 2], b: ["FAILED", 3] });
      await expectInvariants(rig, { networkId, runId, rerun: ["a"] });

      expect(jsonOf(await acts.close(two, net.file, runId))).toMatchObject({
        outcome: "ARCHIVED",
        audit: "RECORDED",
        lock_released: true,
      });
      expect(await acts.resume(one, net.file, runId)).toMatchObject({
        outcome: "REJECTED",
        code: "RUN_NOT_RESUMABLE",
      });
      await expectInvariants(rig, { networkId, runId, rerun: ["a"] });
    },
  );

  it.each([{ runner: "ours" }, { runner: "peer" }] as const)(
    "$runner runs, the other one stops it at the boundary, releases it and ends it",
    async ({ runner }) => {
      const networkId = `stop_${runner}`;
      const net = await chain(networkId);
      const [one, two] = [program(runner), other(program(runner))];
      const gate = path.join(rig.folder, `${networkId}.go`);
      await rig.script(`${networkId}_a`, { ...WELL, waitFor: gate });
      const running = acts.create(one, net.file, "k");
      await until(async () => (await rig.children(networkId)).length === 1);
      const { profile, reads } = rig.workspace;
      const runId = (await reads.findRunByKey({ profile, networkId, businessKey: "k" }))?.runId ?? "";
      expect(await acts.hold(two, runId)).toMatchObject({ exitCode: 0 });
      // Whoever holds the lock is alive: the other one is refused, whichever it is.
      expect(await acts.resume(two, net.file, runId)).toMatchObject({ code: "LOCK_CONFLICT" });
      await writeFile(gate, "");
      expect(await running).toMatchObject({ outcome: "NEW", code: "STOP_REQUESTED", exitCode: 1 });
      expect(await nodes(runId)).toEqual({ a: ["SUCCESS", 1], b: ["WAITING", 0] });
      expect(await acts.resume(two, net.file, runId)).toMatchObject({ code: "RUN_ON_HOLD" });
      expect(await acts.release(two, runId)).toMatchObject({ exitCode: 0 });
      expect(await acts.resume(two, net.file, runId)).toMatchObject({ aggregate: "SUCCESS" });
      await expectInvariants(rig, { networkId, runId });
    },
  );
});
