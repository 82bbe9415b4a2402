import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultRuleInput } from "../../../main/local-kintone/index.ts";
import { operationAuditCodec } from "../../../shared/records/index.ts";
import {
  archiveRun,
  cancelRun,
  drill,
  everything,
  FAILS,
  fingerprint,
  gateOf,
  graphOf,
  midfail,
  newRun,
  node,
  openAllowList,
  resumeRun,
  runIdOf,
  seedRun,
  statusOf,
} from "../../support/acceptance/acts.ts";
import { BY_ORCHESTRATOR, jsonOf, openStage, type Stage, summaryOf } from "../../support/acceptance/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

const network = openAllowList(() => stage);
const read = (id: string) => stage.desk.read(id);
const close = (runId: string) => stage.desk.ask({ type: "CLOSE", runId });
/** The claim of a request, and nothing else. */
const CLAIM: FaultRuleInput["match"] = {
  ...BY_ORCHESTRATOR,
  methods: ["PUT"],
  hasFields: ["claimed_at"],
};

describe("taken back by its requester (orchestration section 10, p2-16-01, p2-16-02)", () => {
  it("p2-16-01: a flagged START and a flagged invalid one are CANCELLED, unclaimed, with nothing written", async () => {
    await network("wanted", [node("n1")]);
    const good = await stage.desk.ask({ type: "START", networkId: "wanted", businessKey: "k" });
    const bad = await stage.desk.ask({ type: "START", networkId: "wanted", businessKey: "k", reason: " " });
    for (const id of [good, bad]) expect(await stage.desk.tick(id, 1)).toMatchObject({ kind: "applied" });
    const before = await everything(stage);
    expect(await stage.poll()).toMatchObject({ cancelled: 2, claimed: 0 });
    for (const id of [good, bad]) {
      expect(await stage.desk.raw(id)).toMatchObject({
        request_state: "CANCELLED",
        result_code: "CANCELLED_BY_REQUESTER",
        claimed_host: "",
      });
    }
    expect(await everything(stage)).toEqual(before);
  });

  it("p2-16-02: the tick before the claim wins, the tick behind it is refused with 409, and is never CANCELLED", async () => {
    await network("raced", [node("n1")]);
    const ask = (key: string) => stage.desk.ask({ type: "START", networkId: "raced", businessKey: key });
    const early = await ask("early");
    await stage.control.add({ id: "before", match: CLAIM, effect: { kind: "barrier", phase: "before" } });
    const losing = stage.startPoll();
    await stage.reached("before");
    expect(await stage.desk.tick(early, 1)).toMatchObject({ kind: "applied" });
    await stage.control.release("before");
    expect(summaryOf(await losing.ended)).toMatchObject({ claimed: 0 });
    expect(await stage.arrivals("before")).toBe(1);
    expect(await read(early)).toMatchObject({ state: "REQUESTED", cancelRequested: true, claim: null });
    expect(await stage.poll()).toMatchObject({ cancelled: 1 });
    expect(await read(early)).toMatchObject({ state: "CANCELLED", resultCode: "CANCELLED_BY_REQUESTER" });

    const late = await ask("late");
    await stage.control.add({
      id: "behind",
      match: CLAIM,
      effect: { kind: "barrier", phase: "after-success" },
    });
    const winning = stage.startPoll();
    await stage.reached("behind");
    expect(await read(late)).toMatchObject({ state: "ACCEPTED" });
    expect(await stage.desk.tick(late, 1)).toMatchObject({ kind: "conflict" });
    await stage.control.release("behind");
    await winning.ended;
    expect(await stage.arrivals("behind")).toBe(1);
    expect(await read(late)).toMatchObject({ state: "DONE", resultCode: "OK" });
  });
});

describe("a hold on a Run that ended (orchestration section 10, p2-16-03)", () => {
  it("p2-16-03: STOP during a node that then fails leaves a held FAILED Run; RELEASE starts nothing; RERUN goes on", async () => {
    const gate = gateOf(stage, "longfail");
    const file = await network("longfail", [node("n1", [], { ...FAILS, waitFor: gate })]);
    const command = stage.start(newRun(file));
    await stage.started("longfail", "n1");
    const runId = await runIdOf(stage, "longfail");
    const stop = await stage.desk.ask({ type: "STOP", runId });
    await stage.poll();
    expect(await read(stop)).toMatchObject({ resultCode: "STOP_REQUESTED" });
    await writeFile(gate, "");
    await command.ended;
    const held = await graphOf(stage, runId);
    expect(held).toMatchObject({ run: { status: "FAILED" }, hold: { state: "REQUESTED" } });
    const shut = await close(runId);
    const release = await stage.desk.ask({ type: "RELEASE", runId });
    await stage.poll();
    expect(await read(shut)).toMatchObject({ state: "REJECTED", resultCode: "RUN_ON_HOLD" });
    expect(await read(release)).toMatchObject({ state: "DONE", resultCode: "RELEASED" });
    expect(await statusOf(stage, "longfail", runId)).toMatchObject({ run: { hold: null } });
    expect((await graphOf(stage, runId)).invocations).toHaveLength(1);
    const rerun = await stage.desk.ask({ type: "RERUN", runId });
    await stage.poll();
    expect(await read(rerun)).toMatchObject({ state: "DONE" });
    const graph = await graphOf(stage, runId);
    expect([graph.invocations.length, graph.attempts.length]).toEqual([2, 2]);
  });
});

describe("CLOSE (orchestration section 10, p2-16-04, p2-16-05)", () => {
  it("p2-16-04: closes a failed Run once with its audit; refuses what succeeded or runs; a closed Run stays as it is", async () => {
    const file = await network("closing", midfail());
    const runId = await seedRun(stage, file);
    const before = await graphOf(stage, runId);
    const done = await seedRun(stage, await network("success", [node("n1")]));
    const running = await network("running", drill(stage, "running"));
    const command = stage.start(newRun(running));
    await stage.started("running", "n1");
    const live = await runIdOf(stage, "running");
    const untouched = [await fingerprint(stage, done), await fingerprint(stage, live)];
    const asked = [await close(runId), await close(runId), await close(done), await close(live)];
    await stage.poll();
    const codes = await Promise.all(asked.map(async (id) => (await read(id)).resultCode));
    expect(codes).toEqual([
      "RUN_ARCHIVED",
      "RUN_ALREADY_ARCHIVED",
      "RUN_STATUS_NOT_CLOSABLE",
      "RUN_NOT_TERMINAL",
    ]);
    expect([await fingerprint(stage, done), await fingerprint(stage, live)]).toEqual(untouched);
    const after = await graphOf(stage, runId);
    expect(after.run).toMatchObject({ lifecycle: "ARCHIVED", status: "FAILED" });
    expect(after.attempts).toEqual(before.attempts);
    const audits = await stage.auditsOf(runId);
    expect(audits).toHaveLength(1);
    const audit = operationAuditCodec.decode(audits[0]);
    const first = await read(asked[0] ?? "");
    expect(audit).toMatchObject({
      ok: true,
      value: {
        resultCode: "RUN_ARCHIVED",
        event: {
          event_type: "RUN_ARCHIVED",
          run_id: runId,
          previous_status: "FAILED",
          run_revision_before: before.run?.ref.revision,
          service_principal: "svc",
          requested_by: `app-request:${asked[0]}:${encodeURIComponent(first.creatorCode)}`,
        },
      },
    });
    if (!audit.ok) throw new Error(audit.error.message);
    expect(String(audit.value.event.archived_at).slice(0, 16)).toBe(audit.value.resolvedAt.slice(0, 16));
    const closing = (await stage.records.locks()).filter(({ statusReason }) => statusReason === "NORMAL");
    expect(closing, "one lock for the one close").toMatchObject([{ status: "SUCCESS", leaseToken: null }]);
    expect(after.run?.ref.revision).toBe((before.run?.ref.revision ?? 0) + 1);
    expect(first.resultMessage).toContain(`event_id=${audit.value.eventId}`);
    const refused = await stage.flownet(resumeRun(file, runId));
    expect(jsonOf(refused)).toMatchObject({ invocation_result_code: "RUN_NOT_RESUMABLE" });
    expect((await graphOf(stage, runId)).attempts).toEqual(before.attempts);
    await writeFile(gateOf(stage, "running"), "");
    await command.ended;
  });

  it("p2-16-05: a resume that holds the lock keeps CLOSE out, stopped right behind its heartbeat; later it closes", async () => {
    const file = await network("contested", midfail());
    const runId = await seedRun(stage, file);
    await stage.control.add({
      id: "beat",
      match: { ...BY_ORCHESTRATOR, methods: ["PUT"], hasFields: ["heartbeat_at"] },
      effect: { kind: "barrier", phase: "after-success" },
    });
    const resume = stage.start(resumeRun(file, runId));
    await stage.reached("beat");
    const kept = await archiveRun(stage, file, runId);
    expect(kept.exitCode).toBe(1);
    expect(jsonOf(kept)).toMatchObject({ outcome: "REJECTED", code: "LOCK_CONFLICT", lock_released: true });
    expect((await graphOf(stage, runId)).run?.lifecycle).toBe("ACTIVE");
    await stage.control.release("beat");
    expect(jsonOf(await resume.ended)).toMatchObject({ outcome: "RESUME", aggregate_status: "FAILED" });
    expect(await stage.arrivals("beat")).toBe(1);
    const attempts = (await graphOf(stage, runId)).attempts.length;
    expect(attempts).toBe(3);
    const closed = await archiveRun(stage, file, runId);
    expect(closed.exitCode).toBe(0);
    expect(jsonOf(closed)).toMatchObject({ outcome: "ARCHIVED", audit: "RECORDED", lock_released: true });
    const refused = await stage.flownet(resumeRun(file, runId));
    expect(jsonOf(refused)).toMatchObject({ invocation_result_code: "RUN_NOT_RESUMABLE" });
    expect((await graphOf(stage, runId)).attempts).toHaveLength(attempts);
    expect(await cancelRun(stage, runId)).toMatchObject({ exitCode: 1 });
  });
});
