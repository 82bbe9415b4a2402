import { describe, expect, it } from "vitest";
import { createActionStore } from "../../../renderer/state/action.ts";
import { EDIT_PAUSE_MS, NEWS_PAUSE_MS, PLAN_OLD_MS } from "../../../renderer/state/action-planning.ts";
import { phaseOf } from "../../../renderer/state/action-sent.ts";
import type { Intent, PlannedAction } from "../../../shared/api/index.ts";
import type { Result } from "../../../shared/domain/problem.ts";
import {
  answered,
  handTimers,
  operationOf,
  planOf,
  RUN_ID,
  refused,
  scriptedMain,
  settled,
} from "./scripted-main.ts";

const resume: Intent = { kind: "resume", runId: RUN_ID, reason: "" };
const rerun: Intent = { kind: "rerun", runId: RUN_ID, fromNode: "a", reason: "" };
const moved = (revision: number) => planOf({ seen: { run: { recordId: "5", revision } } });
const quiet = { resync: false, runs: [], nodes: [] };

function open() {
  const main = scriptedMain();
  const timers = handTimers();
  let ids = 0;
  const action = createActionStore({
    api: main.api,
    operationId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    later: timers.later,
    nowMs: timers.nowMs,
  });
  const state = action.store.getState;
  return { main, timers, action, state };
}

async function ready(intent: Intent = resume) {
  const opened = open();
  await opened.action.open(intent);
  opened.action.edit({ reason: "the cause is gone" });
  return opened;
}

describe("opening the form of an action (operator-ux D6, D13)", () => {
  it("plans once and asks nothing more while words are typed", async () => {
    const { main, timers } = await ready();
    await timers.pass(EDIT_PAUSE_MS);
    expect(main.planned).toEqual([resume]);
    expect(main.executed).toEqual([]);
  });

  it("keeps what was filled in for the same thing, and for nothing else; a passphrase it forgets", async () => {
    const { action, state } = await ready();
    action.fill({ typed: "stock@1" });
    action.setPassphrase("secret");
    action.close();
    expect(state().draft).toBeNull();
    await action.open({ ...resume, runId: "netrun_2" });
    expect(state().draft?.typed).toBe("");
    await action.open(resume);
    expect(state().draft).toMatchObject({ intent: { reason: "the cause is gone" }, typed: "stock@1" });
    expect(state().passphrase).toBe("");
  });

  it("plans anew, a moment later and once, when the form asks for something else", async () => {
    const { main, timers, action } = await ready(rerun);
    action.edit({ fromNode: "b" });
    action.edit({ fromNode: "c" });
    await timers.pass(EDIT_PAUSE_MS);
    expect(main.planned.map((intent) => intent.kind === "rerun" && intent.fromNode)).toEqual(["a", "c"]);
  });

  it("drops the answer that was overtaken by a newer question", async () => {
    const { main, action, state } = open();
    let late = (_: Result<PlannedAction>): void => undefined;
    const slow = new Promise<Result<PlannedAction>>((resolve) => {
      late = resolve;
    });
    main.plans = [slow, answered(moved(9))];
    const first = action.open(resume);
    await action.recompute();
    late(answered(moved(4)));
    await first;
    expect(state().planned?.plan.seen.run?.revision).toBe(9);
  });

  it("takes no text beyond its bound", async () => {
    const { action, state } = await ready();
    action.edit({ reason: "x".repeat(2001) });
    expect(state().draft?.intent).toMatchObject({ reason: "the cause is gone" });
  });
});

describe("a plan that grows old (operator-ux D6, 30 s)", () => {
  it("is made anew while somebody works in the dialog", async () => {
    const { main, timers, action, state } = await ready();
    action.touch();
    await timers.pass(PLAN_OLD_MS);
    expect(main.planned).toHaveLength(2);
    expect(state().old).toBe(false);
  });

  it("only turns old with nobody there, is not sent then, and is made anew at the next touch", async () => {
    const { main, timers, action, state } = await ready();
    await timers.pass(PLAN_OLD_MS);
    await timers.pass(10 * PLAN_OLD_MS);
    expect(main.planned).toHaveLength(1);
    expect(state().old).toBe(true);
    await action.execute();
    expect(main.executed).toEqual([]);
    action.touch();
    await settled();
    expect(main.planned).toHaveLength(2);
    expect(state().old).toBe(false);
  });
});

describe("the world changes while the dialog is open (operator-ux D6, U5)", () => {
  it("makes the plan anew and tells what moved; what was typed stays", async () => {
    const { main, timers, action, state } = await ready();
    main.plans = [answered(moved(4))];
    action.heard({ ...quiet, runs: [{ id: RUN_ID, revision: 4, fields: {} }] });
    action.heard({
      ...quiet,
      nodes: [{ runId: RUN_ID, nodeId: "a", status: "RUNNING", attemptId: null, pid: null }],
    });
    await timers.pass(NEWS_PAUSE_MS);
    expect(main.planned).toHaveLength(2);
    expect(state().moved).toEqual(["run"]);
    expect(state().draft?.intent).toMatchObject({ reason: "the cause is gone" });
  });

  it.each([
    ["another Run", [{ id: "netrun_2", revision: 9, fields: {} }]],
    ["the same revision judged again", [{ id: RUN_ID, revision: 3, fields: { activityJudgedAt: "now" } }]],
  ])("asks nothing for news of %s", async (_, runs) => {
    const { main, timers, action } = await ready();
    action.heard({ ...quiet, runs });
    await timers.pass(NEWS_PAUSE_MS);
    expect(main.planned).toHaveLength(1);
  });

  it.each([
    ["the record is gone", refused("RUN_NOT_FOUND")],
    ["the session ended and kintone answers with a page", refused("STORE_UNREACHABLE")],
    ["the token expired", refused("STORE_REFUSED")],
  ])("stays open and shows it when %s", async (_, answer) => {
    const { main, action, state } = await ready();
    main.plans = [answer];
    await action.recompute();
    expect(state()).toMatchObject({ planProblem: { code: answer.ok ? "" : answer.error.code }, old: true });
    expect(state().draft).not.toBeNull();
    await action.execute();
    expect(main.executed).toEqual([]);
  });

  it("shows the refusals of the new plan, such as a lock that is held again", async () => {
    const { main, action, state } = await ready();
    main.plans = [answered(planOf({ refusals: [{ code: "LOCK_CONFLICT", message: "held" }] }))];
    await action.recompute();
    expect(state().planned?.plan).toMatchObject({ available: false, writes: [] });
  });
});

describe("the confirmation (operator-ux D7, D8; electron-desktop I5)", () => {
  it("is sent once, however often it was clicked, with what was seen", async () => {
    const { main, action } = await ready();
    await Promise.all([action.execute(), action.execute()]);
    await action.execute();
    expect(main.executed).toHaveLength(1);
    const { seen, fingerprint } = planOf();
    expect(main.executed[0]).toMatchObject({
      intent: { kind: "resume", reason: "the cause is gone" },
      seen,
      fingerprint,
      consent: { kind: "none" },
    });
  });

  it("shows each state as main tells it, and nothing before", async () => {
    const { main, action, state } = await ready();
    const phase = (): string => (state().sent ? phaseOf(state().sent ?? never()) : "form");
    main.execute = async ({ operationId }) => {
      expect(phase()).toBe("sending");
      main.operations.set(operationId, operationOf(operationId));
      return { ok: true, value: { operationId, acceptedAt: "now" } };
    };
    await action.execute();
    expect(phase()).toBe("accepted");
    const id = state().sent?.operationId ?? "";
    action.follow(operationOf(id, { state: "applied" }));
    expect(phase()).toBe("applied");
    action.follow(operationOf("other", { state: "refused" }));
    action.follow(operationOf(id, { state: "done", resultCode: "OK" }));
    expect(phase()).toBe("done");
  });

  it("comes back with what moved when the plan was stale, and asks anew", async () => {
    const { main, action, state } = await ready();
    main.execute = async () => refused("PLAN_STALE", { moved: [{ name: "hold", before: null, now: null }] });
    main.plans = [answered(moved(4))];
    await action.execute();
    expect(state()).toMatchObject({
      sent: null,
      sendProblem: { code: "PLAN_STALE" },
      moved: ["hold", "run"],
    });
    expect(main.planned).toHaveLength(2);
    main.execute = async ({ operationId }) => ({ ok: true, value: { operationId, acceptedAt: "now" } });
    await action.execute();
    expect(main.executed[1]).toMatchObject({ seen: { run: { revision: 4 } } });
    expect(main.executed[1]?.operationId).not.toBe(main.executed[0]?.operationId);
  });

  it("is uncertain after a lost answer, and can be sent again under the same id only", async () => {
    const { main, action, state } = await ready();
    main.execute = async () => {
      throw new Error("the line broke");
    };
    await action.execute();
    const sent = state().sent ?? never();
    expect(phaseOf(sent)).toBe("uncertain");
    expect(action.canResend()).toBe(true);
    await action.execute();
    expect(main.executed).toHaveLength(1);
    main.execute = async ({ operationId }) => {
      main.operations.set(operationId, operationOf(operationId, { state: "done" }));
      return { ok: true, value: { operationId, acceptedAt: "now" } };
    };
    await action.resend();
    expect(main.executed.map(({ operationId }) => operationId)).toEqual([sent.operationId, sent.operationId]);
    expect(phaseOf(state().sent ?? never())).toBe("done");
  });

  it("finds an action whose news passed while the line was down", async () => {
    const { main, action, state } = await ready();
    await action.execute();
    const id = state().sent?.operationId ?? "";
    main.operations.set(
      id,
      operationOf(id, { state: "refused", problem: { code: "RUN_ON_HOLD", message: "m" } }),
    );
    await action.ask();
    expect(phaseOf(state().sent ?? never())).toBe("refused");
    await action.again();
    expect(state()).toMatchObject({ sent: null, draft: { intent: { reason: "the cause is gone" } } });
  });

  it("goes on when the dialog is closed, and is shown instead of a second form until its end is known", async () => {
    const { main, action, state } = await ready();
    main.execute = async ({ operationId }) => {
      main.operations.set(operationId, operationOf(operationId));
      return { ok: true, value: { operationId, acceptedAt: "now" } };
    };
    await action.execute();
    const id = state().sent?.operationId ?? "";
    action.close();
    await action.open(resume);
    expect(state().sent?.operationId).toBe(id);
    action.close();
    action.follow(operationOf(id, { state: "done" }));
    await action.open(resume);
    expect(state()).toMatchObject({ sent: null, draft: { intent: { reason: "" } } });
  });

  it("carries the consent that was given, and forgets the passphrase as it is sent", async () => {
    const { main, action, state } = await ready();
    const friction = {
      identifier: "stock@1",
      armMs: 3000,
      secondPerson: true,
      breakGlassSentence: { ja: "一人で", en: "alone" },
    };
    main.plans = [answered(planOf(), friction)];
    await action.recompute();
    action.fill({ typed: "stock@1", account: " suzuki " });
    action.setPassphrase("secret");
    await action.execute();
    expect(main.executed[0]).toMatchObject({
      typed: "stock@1",
      consent: { kind: "person", account: "suzuki", passphrase: "secret" },
    });
    expect(state().passphrase).toBe("");
    expect(JSON.stringify(state())).not.toContain("secret");
  });
});

describe("files given as proof (decisions §3)", () => {
  const source = (name: string, size: number) => ({
    name,
    size,
    read: async (start: number, end: number) => new Uint8Array(end - start),
  });
  const resolve: Intent = {
    kind: "resolve",
    runId: RUN_ID,
    nodeId: "a",
    outcome: "FAILED",
    manualCompletion: false,
    compensation: false,
    evidenceText: "",
    evidenceFiles: [],
    stopConfirmedBy: "",
    stopEvidence: "",
    reason: "",
  };

  it("are sent in parts, named by hash in the intent, and taken out again", async () => {
    const { main, action, state } = await ready(resolve);
    await action.addFiles([source("log.txt", 600 * 1024)]);
    expect(main.parts.map(({ index, last }) => [index, last])).toEqual([
      [0, false],
      [1, true],
    ]);
    const [file] = state().draft?.files ?? [];
    expect(file).toMatchObject({ name: "log.txt", state: "kept", sha256: "ab".repeat(32) });
    expect(state().draft?.intent).toMatchObject({ evidenceFiles: ["ab".repeat(32)] });
    action.removeFile(file?.id ?? "");
    expect(state().draft?.intent).toMatchObject({ evidenceFiles: [] });
  });

  it("are still kept when the dialog was closed meanwhile", async () => {
    const { action, state } = await ready(resolve);
    const adding = action.addFiles([source("log.txt", 3)]);
    action.close();
    await adding;
    await action.open(resolve);
    expect(state().draft?.intent).toMatchObject({ evidenceFiles: ["ab".repeat(32)] });
  });

  it("are refused before anything is sent when too large", async () => {
    const { main, action, state } = await ready(resolve);
    await action.addFiles([source("disk.img", 65 * 1024 * 1024)]);
    expect(main.parts).toEqual([]);
    expect(state().draft?.files[0]).toMatchObject({
      state: "failed",
      problem: { code: "EVIDENCE_TOO_LARGE" },
    });
  });
});

function never(): never {
  throw new Error("nothing was sent");
}
