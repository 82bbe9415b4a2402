import { describe, expect, it } from "vitest";
import { compareIdentifier, firstFault, isIdentifier } from "../../../renderer/action/identifier.ts";
import { type Missing, missingOf } from "../../../renderer/action/missing.ts";
import { nextDoor } from "../../../renderer/action/next-door.ts";
import { mainKind, mayResume } from "../../../renderer/action/run-choice.ts";
import { freshDraft } from "../../../renderer/state/action-draft.ts";
import { type ActionState, closedAction } from "../../../renderer/state/action-state.ts";
import { createBulkStore } from "../../../renderer/state/bulk.ts";
import type { AttentionEntry, Friction, Intent, RunRow } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import { row } from "../../support/run-rows.ts";
import {
  answered,
  operationOf,
  plain,
  planOf,
  READ_AT,
  refused,
  scriptedMain,
  settled,
} from "./scripted-main.ts";

describe("the typed identifier (operator-ux D4, D5)", () => {
  const key = "stock@2026";
  it.each([
    ["the very text", "stock@2026", true],
    ["the same, decomposed", "が@1".normalize("NFD"), false],
    ["full-width digits", "stock@２026", false],
    ["a Cyrillic letter", "stосk@2026", false],
    ["a trailing space", "stock@2026 ", false],
    ["other case", "Stock@2026", false],
    ["nothing", "", false],
  ])("%s: %s", (_, typed, expected) => {
    expect(isIdentifier(typed, key)).toBe(expected);
  });

  it("takes a composed and a decomposed text for the same, and nothing wanted for given", () => {
    expect(isIdentifier("が@1".normalize("NFD"), "が@1")).toBe(true);
    expect(isIdentifier("", null)).toBe(true);
  });

  it("names the place and the code point of what only looks right", () => {
    const cells = compareIdentifier("stосk@２026", key);
    expect(firstFault(cells)).toMatchObject({ at: 2, wanted: "o", state: "alike", code: "U+043E" });
    expect(cells[6]).toMatchObject({ typed: "２", state: "alike", code: "U+FF12" });
    expect(cells.filter(({ state }) => state === "same")).toHaveLength(7);
  });

  it("tells what differs, what is missing and what is too much apart", () => {
    expect(compareIdentifier("ax", "abc").map(({ state }) => state)).toEqual([
      "same",
      "different",
      "missing",
    ]);
    expect(firstFault(compareIdentifier("ab", "abc"))).toBeNull();
    expect(firstFault(compareIdentifier("abcd", "abc"))).toMatchObject({ at: 3, state: "extra", code: null });
    expect(firstFault(compareIdentifier("abc\u200b", "abc"))).toMatchObject({ code: "U+200B" });
  });
});

describe("what a confirmation still lacks (operator-ux D11)", () => {
  const grave: Friction = {
    identifier: "k",
    armMs: 3000,
    secondPerson: true,
    breakGlassSentence: { ja: "一人で", en: "alone" },
  };
  const close: Intent = { kind: "close", runId: "r", reason: "long enough" };
  const form = (friction: Friction, change: Partial<ActionState> = {}, intent = close): ActionState => ({
    ...closedAction,
    draft: freshDraft(intent, {}),
    planned: { plan: planOf(), friction, readAt: READ_AT },
    ...change,
  });
  const draft = (change: object): Partial<ActionState> => ({
    draft: { ...freshDraft(close, {}), ...change },
  });
  it.each<[string, ActionState, readonly Missing[]]>([
    ["no plan yet", { ...closedAction, draft: freshDraft(close, {}) }, ["plan"]],
    ["nothing", form(plain), []],
    ["a reason", form(plain, draft({ intent: { ...close, reason: " abc " } })), ["reason"]],
    ["identifier and consent", form(grave), ["identifier", "consent"]],
    [
      "the sentence and a longer reason",
      form(grave, draft({ typed: "k", consent: "breakGlass" })),
      ["sentence", "sentenceReason"],
    ],
    ["a file on its way", form(plain, draft({ files: [{ state: "sending" }] })), ["uploading"]],
    ["a newer plan", form(plain, { old: true }), ["old"]],
    ["the plan that is being made", form(plain, { planning: true }), ["plan"]],
    [
      "records that allow it",
      form(grave, {
        planned: {
          plan: planOf({ refusals: [{ code: "X", message: "" }] }),
          friction: grave,
          readAt: READ_AT,
        },
      }),
      ["refused"],
    ],
    [
      "anything to write",
      form(plain, { planned: { plan: planOf({ writes: [] }), friction: plain, readAt: READ_AT } }),
      ["nothing"],
    ],
  ])("%s", (_, state, expected) => {
    expect(missingOf(state, null)).toEqual(expected);
  });

  it("names the closed gate whatever else is there", () => {
    expect(missingOf(form(plain), "mode")).toEqual(["mode"]);
  });
});

describe("what stands on the button of a Run", () => {
  const run = (change: Partial<RunRow>): RunRow => row({ status: "FAILED", ...change });
  it.each<[Partial<RunRow>, ReturnType<typeof mainKind>, boolean]>([
    [{}, "resume", true],
    [{ status: "RUNNING", activity: "LIVE" }, "stop", false],
    [{ status: "RUNNING", activity: "STOPPED" }, "release", false],
    [{ status: "RUNNING", activity: "INTERRUPTED" }, "resume", true],
    [{ status: "SUCCESS" }, null, false],
    [{ status: "UNKNOWN" }, null, false],
    [{ lifecycle: "ARCHIVED" }, null, false],
    [{ resumeAllowed: false }, null, false],
  ])("%j: %s", (change, main, resumable) => {
    expect(mainKind(run(change))).toBe(main);
    expect(mayResume(run(change))).toBe(resumable);
  });
});

describe("the button of a row of 要対応", () => {
  const item = (change: Partial<AttentionEntry>): AttentionEntry => ({
    id: "i",
    kind: "failed",
    urgency: "medium",
    responder: "first",
    networkId: "n",
    runId: "r",
    businessKey: "k",
    nodeId: null,
    attemptId: null,
    attemptNo: null,
    lockRecordId: null,
    requestId: null,
    since: null,
    code: null,
    repeated: null,
    facts: [],
    ...change,
  });
  it.each([
    ["RESUME", {}, { kind: "form", words: "resume", intent: { kind: "resume", runId: "r", reason: "" } }],
    ["RELEASE", {}, { kind: "form", words: "release" }],
    ["RERUN_FROM", { nodeId: "a" }, { kind: "form", words: "rerun", intent: { fromNode: "a" } }],
    ["RERUN_FROM", {}, { kind: "page", words: "rerun", route: { page: "run", tab: "nodes" } }],
    [
      "FORCE_UNLOCK",
      { lockRecordId: "7" },
      { kind: "page", words: "unlock", route: { page: "locks", recordId: "7" } },
    ],
    [
      "FORCE_UNLOCK",
      { kind: "interrupted", lockRecordId: "7" },
      { kind: "page", words: "recovery", route: { page: "recovery", runId: "r" } },
    ],
    [
      "REQUEST_SETTLE",
      { kind: "staleRequest", requestId: "6" },
      { kind: "form", words: "settle", intent: { kind: "requestSettle", requestId: "6" } },
    ],
    ["RESOLVE_NODE", { nodeId: "a" }, { kind: "page", words: "resolve" }],
    ["START", { runId: null }, { kind: "page", words: "start", route: { page: "start", networkId: "n" } }],
  ] as const)("%s %j", (operation, change, door) => {
    expect(nextDoor(item(change), { operation })).toMatchObject(door);
  });

  it.each([
    [null, {}],
    ["FORCE_UNLOCK", {}],
    ["RESUME", { runId: null }],
    ["REQUEST_SETTLE", {}],
  ] as const)("is absent for %s %j", (operation, change) => {
    expect(nextDoor(item(change), { operation })).toBeNull();
  });
});

describe("resuming several Runs (operator-ux §1.2, bulk actions)", () => {
  function bulkOver(keys: readonly string[]) {
    const main = scriptedMain();
    main.rows.push(
      ...keys.map((key, at) => row({ runId: `run-${key}`, recordId: String(at + 1), businessKey: key })),
    );
    let ids = 0;
    const bulk = createBulkStore({ api: main.api, operationId: () => `op-${++ids}` });
    bulk.choose(keys.map((_, at) => String(at + 1)));
    bulk.setReason("all causes are gone");
    const states = (): readonly string[] => (bulk.store.getState().items ?? []).map(({ state }) => state);
    return { main, bulk, states };
  }

  it("plans each, leaves out what is refused or asks for more than a reason, and writes nothing", async () => {
    const { main, bulk, states } = bulkOver(["a", "b", "c"]);
    main.plans = [
      answered(planOf()),
      answered(planOf({ refusals: [{ code: "RUN_ON_HOLD", message: "" }] })),
      answered(planOf(), { ...plain, identifier: "c", armMs: 3000 }),
    ];
    await bulk.check();
    expect(states()).toEqual(["eligible", "ineligible", "ineligible"]);
    expect(bulk.store.getState().items?.map(({ code }) => code)).toEqual([
      null,
      "RUN_ON_HOLD",
      "TOO_DANGEROUS_FOR_BULK",
    ]);
    expect(main.executed).toEqual([]);
  });

  it("begins the next only when the one before has ended, each with its own result", async () => {
    const { main, bulk, states } = bulkOver(["a", "b"]);
    await bulk.check();
    const running = bulk.run();
    await settled();
    expect(states()).toEqual(["running", "eligible"]);
    bulk.follow(operationOf("op-1", { state: "done", resultCode: "NODE_FAILED_OR_BLOCKED" }));
    await settled();
    expect(states()).toEqual(["done", "running"]);
    main.operations.set("op-2", operationOf("op-2", { state: "done", resultCode: "OK" }));
    await bulk.ask();
    await running;
    expect(states()).toEqual(["done", "done"]);
    expect(main.executed.map(({ intent }) => "runId" in intent && intent.runId)).toEqual(["run-a", "run-b"]);
  });

  it("stops before the next one; what is under way goes on and is still followed", async () => {
    const { main, bulk, states } = bulkOver(["a", "b"]);
    await bulk.check();
    const running = bulk.run();
    await settled();
    bulk.stop();
    await running;
    expect(states()).toEqual(["running", "left"]);
    bulk.follow(operationOf("op-1", { state: "done", resultCode: "OK" }));
    expect(states()).toEqual(["done", "left"]);
    expect(main.executed).toHaveLength(1);
  });

  it("leaves a sheet alone that was opened while an earlier one was still sending (operator-ux D7)", async () => {
    const { main, bulk, states } = bulkOver(["a", "b"]);
    await bulk.check();
    let answer = (): void => undefined;
    main.execute = ({ operationId }) =>
      new Promise((resolve) => {
        answer = () => resolve(ok({ operationId, acceptedAt: READ_AT }));
      });
    const running = bulk.run();
    await settled();
    bulk.close();
    await bulk.check();
    answer();
    await running;
    expect(bulk.store.getState().phase).toBe("ready");
    expect(states()).toEqual(["eligible", "eligible"]);
    expect(main.executed).toHaveLength(1);
  });

  it("begins no further one once the line broke, and finds what came of the one whose answer was lost", async () => {
    const { main, bulk, states } = bulkOver(["a", "b"]);
    await bulk.check();
    main.execute = async () => {
      throw new Error("the line broke");
    };
    await bulk.run();
    expect(states()).toEqual(["uncertain", "left"]);
    expect(bulk.store.getState().phase).toBe("ended");
    main.operations.set("op-1", operationOf("op-1", { state: "done", resultCode: "OK" }));
    await bulk.ask();
    expect(states()).toEqual(["done", "left"]);
  });

  it("tells why a Run could not be read, and says of none that it is not there", async () => {
    const { main, bulk, states } = bulkOver(["a", "b"]);
    main.rows.splice(1);
    await bulk.check();
    const codes = () => bulk.store.getState().items?.map(({ code }) => code);
    expect(codes()).toEqual([null, "RECORD_NOT_FOUND"]);
    main.unread = "STORE_UNREACHABLE";
    await bulk.check();
    expect(states()).toEqual(["ineligible", "ineligible"]);
    expect(codes()).toEqual(["STORE_UNREACHABLE", "STORE_UNREACHABLE"]);
  });

  it("goes on with the next after one was refused", async () => {
    const { main, bulk, states } = bulkOver(["a", "b"]);
    await bulk.check();
    main.execute = async () => refused("PLAN_STALE");
    await bulk.run();
    expect(states()).toEqual(["refused", "refused"]);
    expect(bulk.store.getState().phase).toBe("ended");
  });
});
