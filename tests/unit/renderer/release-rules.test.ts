import { describe, expect, it } from "vitest";
import {
  firmRefusals,
  formIsOpen,
  releaseGate,
  toldRefusals,
} from "../../../renderer/locks/release/release-gate.ts";
import { releaseMissing } from "../../../renderer/locks/release/release-missing.ts";
import { freshRelease } from "../../../renderer/locks/release/use-release.ts";
import { freshDraft } from "../../../renderer/state/action-draft.ts";
import { type ActionState, closedAction } from "../../../renderer/state/action-state.ts";
import {
  type Intent,
  type LockDetail,
  type LockHolder,
  type Probe,
  STOP_CHECKS,
} from "../../../shared/api/index.ts";
import { operationPlan } from "../../../shared/domain/operations/index.ts";

const holder: LockHolder = {
  recordId: "9",
  ownerInvocationId: "invoke_c41f",
  ownerInstanceId: "local-pid://HOST-A/8812",
  host: "HOST-A",
  pid: 8812,
  thisHost: true,
  startedAt: "2026-09-05T04:20:00Z",
  heartbeatAt: "2026-09-05T04:49:00Z",
  leaseExpiresAt: "2026-09-05T04:52:00Z",
  marginEndsAt: "2026-09-05T04:53:00Z",
  staleCandidate: true,
  revision: 214,
  runId: "run-1",
  businessKey: "sales_import@2026-09-04",
};
const children = (result: Probe["result"]): Probe => ({
  probe: "children",
  result,
  state: null,
  at: "2026-09-05T05:03:20Z",
  seen: null,
});
const detail = (of: Partial<LockHolder> = {}, change: Partial<LockDetail> = {}): LockDetail => ({
  lock: { networkId: "sales_import", profile: "prod", holder: { ...holder, ...of } },
  currentNodes: [],
  nodesProblem: null,
  probes: [children("ended")],
  verdict: { kind: "gone", by: "pid" },
  readAt: "2026-09-05T05:03:20Z",
  ...change,
});
const AFAR = { host: "HOST-B", thisHost: false } as const;

describe("whether a lock can be taken from its holder (operator-ux §2.3, step 3)", () => {
  it.each<[string, LockDetail, string | null]>([
    ["a dead owner on this host", detail(), null],
    ["another process under its PID", detail({}, { verdict: { kind: "another", by: "journal" } }), null],
    ["a living owner", detail({}, { verdict: { kind: "alive", by: "journal" } }), "alive"],
    [
      "a living owner before its lease is spoken of",
      detail({ staleCandidate: false }, { verdict: { kind: "alive", by: "journal" } }),
      "alive",
    ],
    ["a standing lease", detail({ staleCandidate: false }), "lease"],
    [
      "a doubt on the owner's own host",
      detail({}, { verdict: { kind: "cannot-tell", by: "unreadable" } }),
      "cannotTell",
    ],
    ["a child that may be writing", detail({}, { probes: [children("alive")] }), "children"],
    ["children that could not all be looked at", detail({}, { probes: [children("cannotTell")] }), null],
    ["an owner on another host", detail(AFAR, { verdict: { kind: "cannot-tell", by: "other-host" } }), null],
    ["a lease of another host", detail({ ...AFAR, staleCandidate: false }), "lease"],
    ["an owner that is not recorded", detail({ ownerInvocationId: null }), "noOwner"],
    [
      "a network nobody knows",
      detail({}, { lock: { networkId: null, profile: "prod", holder } }),
      "noNetwork",
    ],
  ])("%s", (_, seen, expected) => {
    expect(releaseGate(seen)?.kind ?? null).toBe(expected);
  });

  it("tells when a lease is over, with the minute its record may have lost", () => {
    const gate = releaseGate(detail({ staleCandidate: false }));
    expect(gate).toEqual({ kind: "lease", allowedAtMs: Date.parse("2026-09-05T04:53:00Z") + 1 });
    expect(releaseGate(detail({ staleCandidate: false, leaseExpiresAt: "?" }))).toEqual({
      kind: "lease",
      allowedAtMs: null,
    });
  });

  it("lets the form be filled in while a lease ends, and for nothing else that is closed", () => {
    expect(formIsOpen(null)).toBe(true);
    expect(formIsOpen({ kind: "lease", allowedAtMs: 1 })).toBe(true);
    expect(formIsOpen({ kind: "alive" })).toBe(false);
  });

  it("tells apart what the form answers, what the gate says, and what is news", () => {
    const refusals = ["INVALID_ARGUMENT", "PID_REQUIRED", "LEASE_STILL_ACTIVE", "OWNER_MISMATCH"].map(
      (code) => ({ code, message: "m" }),
    );
    const codes = (list: ReturnType<typeof firmRefusals>) => list.map(({ code }) => code);
    expect(codes(firmRefusals(refusals))).toEqual(["LEASE_STILL_ACTIVE", "OWNER_MISMATCH"]);
    expect(codes(toldRefusals(refusals, { kind: "lease", allowedAtMs: 1 }))).toEqual(["OWNER_MISMATCH"]);
    expect(codes(toldRefusals(refusals, null))).toEqual(["LEASE_STILL_ACTIVE", "OWNER_MISMATCH"]);
  });
});

const plan = (refusals: readonly string[] = []) =>
  operationPlan({
    operation: "FORCE_UNLOCK",
    subject: {},
    seen: {},
    readAt: "2026-09-05T05:03:20Z",
    refusals: refusals.map((code) => ({ code, message: "m" })),
    evidence: (["reason", "evidenceRef", "stopConfirmedBy"] as const).map((field) => ({
      field,
      required: true,
    })),
  });

const COMPLETE: Partial<Extract<Intent, { kind: "forceUnlock" }>> = {
  stopConfirmedBy: "田中",
  evidenceText: "tasklist",
  reason: "夜間の復旧です",
};

function state(
  of: LockHolder,
  over: Partial<Extract<Intent, { kind: "forceUnlock" }>> = {},
  refusals: readonly string[] = [],
): ActionState {
  const fresh = freshRelease(detail(of).lock);
  if (fresh?.kind !== "forceUnlock") throw new Error("no form");
  const intent = { ...fresh, ...COMPLETE, ...over };
  return {
    ...closedAction,
    draft: { ...freshDraft(intent, {}), typed: "oke_c41f" },
    planned: {
      plan: plan(refusals),
      friction: { identifier: "oke_c41f", armMs: 3000, secondPerson: false, breakGlassSentence: null },
      readAt: "2026-09-05T05:03:20Z",
    },
  };
}

describe("what a forced release still lacks (operator-ux D11)", () => {
  const afar: LockHolder = { ...holder, ...AFAR };

  it.each<[string, ActionState, LockHolder, readonly string[]]>([
    ["nothing", state(holder), holder, []],
    ["the PID of another process", state(holder, { pid: 1 }, ["PID_MISMATCH"]), holder, ["pid"]],
    ["no PID", state(holder, { pid: null }, ["PID_REQUIRED"]), holder, ["pid"]],
    ["evidence", state(holder, { evidenceText: " " }), holder, ["evidence"]],
    [
      "everything a person says",
      state(holder, { evidenceText: "", stopConfirmedBy: "", reason: "" }, ["INVALID_ARGUMENT"]),
      holder,
      ["reason", "evidence", "confirmedBy"],
    ],
    ["the ticks of another host", state(afar, {}, ["STOP_CHECKS_REQUIRED"]), afar, ["checks"]],
    ["one of them", state(afar, { checked: STOP_CHECKS.slice(1) }), afar, ["checks"]],
    ["none of them", state(afar, { checked: [...STOP_CHECKS] }), afar, []],
    ["another owner", state(holder, {}, ["OWNER_MISMATCH"]), holder, ["releaseGate"]],
  ])("%s", (_, seen, of, expected) => {
    expect(releaseMissing(seen, null, null, of)).toEqual(expected);
  });

  it("asks for no words about an owner that lives", () => {
    const blank = state(holder, { evidenceText: "", reason: "" });
    expect(releaseMissing(blank, "mode", { kind: "alive" }, holder)).toEqual(["releaseGate", "mode"]);
  });

  it("starts with the holder's own PID and nothing that a person vouches for", () => {
    expect(freshRelease(detail().lock)).toMatchObject({
      pid: 8812,
      ownerInvocationId: "invoke_c41f",
      stopConfirmedBy: "",
      evidenceText: "",
      checked: [],
      withoutAudit: false,
    });
    expect(freshRelease({ networkId: null, profile: "prod", holder })).toBeNull();
  });
});
