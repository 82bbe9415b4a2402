import { describe, expect, it } from "vitest";
import {
  businessKeyRunProblem,
  type KeyPolicy,
  resolveBusinessKey,
  resolveRunKey,
} from "../../../../shared/domain/index.ts";

const monthly: KeyPolicy = {
  type: "scheduled_period",
  period: "month",
  timezone: "Asia/Tokyo",
  format: "{network_id}@{yyyy}-{MM}",
};
const now = Date.UTC(2026, 8, 1, 7, 8, 9, 123);

describe("business keys (wire-format §2.5, orchestration §1.4)", () => {
  it("keeps the scheduled time as supplied, for the Run's as_of", () => {
    const scheduledFor = "2026-09-01T00:00:00+09:00";
    const derived = resolveBusinessKey({ networkId: "n", policy: monthly, scheduledFor });
    expect(derived).toEqual({ ok: true, value: { businessKey: "n@2026-09", scheduledFor } });
    const given = resolveBusinessKey({ networkId: "n", policy: monthly, scheduledFor, businessKey: "fix" });
    expect(given).toEqual({ ok: true, value: { businessKey: "fix", scheduledFor } });
  });

  it("has no as_of when only a key is given", () => {
    const result = resolveBusinessKey({ networkId: "n", policy: monthly, businessKey: "fix" });
    expect(result).toEqual({ ok: true, value: { businessKey: "fix", scheduledFor: null } });
  });

  it("tells a bad time and a bad key together", () => {
    const result = resolveBusinessKey({
      networkId: "n",
      policy: monthly,
      businessKey: "",
      scheduledFor: "x",
    });
    expect(result).toMatchObject({
      error: [{ code: "SCHEDULED_FOR_INVALID" }, { code: "BUSINESS_KEY_EMPTY" }],
    });
  });

  it.each([
    ["2026-09", null],
    ["a:b", "RECORD_KEY_IDENTIFIER_SEPARATOR"],
    ["__net__", "RECORD_KEY_IDENTIFIER_RESERVED"],
  ])("the key %s can be recorded, or is refused before the lock (wire-format §7 row 9): %s", (key, code) => {
    expect(businessKeyRunProblem(key)?.code ?? null).toBe(code);
  });

  it("reports every failure of a start under one code, causes in the details (wire-format §2.5)", () => {
    const result = resolveRunKey({ networkId: "n", policy: monthly, businessKey: "a:b", resume: false, now });
    expect(result).toMatchObject({
      error: {
        code: "BUSINESS_KEY_INVALID",
        details: { problems: [{ code: "RECORD_KEY_IDENTIFIER_SEPARATOR", place: "businessKey" }] },
      },
    });
  });

  it.each([
    ["explicit", { businessKey: "a:b" }, "--business-key"],
    ["explicit", { businessKey: "" }, "--business-key"],
    ["explicit", { scheduledFor: "2026-09-01T00:00:00+09:00" }, "--scheduled-for"],
    ["scheduled", { scheduledFor: "yesterday" }, "--scheduled-for"],
    ["scheduled", { businessKey: "x".repeat(200) }, "--business-key"],
  ])("points at the option that was given, with a remedy: %s %j", (kind, given, place) => {
    const policy = kind === "explicit" ? ({ type: "explicit" } as const) : monthly;
    const result = resolveRunKey({ networkId: "n", policy, ...given, resume: false, now });
    expect(result).toMatchObject({
      error: { code: "BUSINESS_KEY_INVALID", place, remedy: expect.stringMatching(/\S/) },
    });
  });

  it("invents a key only when nothing at all was given", () => {
    const invented = resolveRunKey({ networkId: "n", policy: { type: "explicit" }, resume: false, now });
    expect(invented).toEqual({
      ok: true,
      value: { businessKey: "n@manual-20260901T070809123Z", scheduledFor: null },
    });
    expect(resolveRunKey({ networkId: "n", policy: { type: "explicit" }, resume: true, now }).ok).toBe(false);
  });
});
