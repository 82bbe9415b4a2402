import { describe, expect, it } from "vitest";
import { checkConfirmed, checkFields, checkTyped } from "../../../../../main/console/acting/checks.ts";
import { createShownPlans } from "../../../../../main/console/acting/shown-plans.ts";
import { type Intent, missingFields } from "../../../../../shared/api/index.ts";
import { needed, type SeenRecords } from "../../../../../shared/domain/operations/index.ts";
import { code } from "../../../../support/console-fixture.ts";
import { close, force, LOCK, plan, READ_AT, resolve } from "./samples.ts";

describe("the identifier that is typed (operator-ux D4, D5)", () => {
  const wants = (identifier: string | null) => ({
    friction: { identifier, armMs: 0, secondPerson: false, breakGlassSentence: null },
  });
  it.each<[string | null, string, boolean | null]>([
    ["2026-09", "2026-09", null],
    ["が月", "か\u3099月", null],
    [null, "anything", null],
    ["2026-09", "２０２６-０９", true],
    ["2026-09", " 2026-09", true],
    ["2026-09", "2026-10", false],
    ["Night", "night", false],
  ])("%s typed as %s", (identifier, typed, lookalike) => {
    const checked = checkTyped(typed, wants(identifier));
    if (lookalike === null) expect(checked.ok).toBe(true);
    else expect(checked).toMatchObject({ error: { code: "IDENTIFIER_MISMATCH", details: { lookalike } } });
  });
});

describe("whether the world still is what was shown (operator-ux D6)", () => {
  const shown = plan("FORCE_UNLOCK", "L4");
  const moved = { lock: { ...LOCK, revision: 215 } };
  it.each<[string, Intent, SeenRecords, string | null]>([
    ["it is", force(), shown.seen, null],
    ["the lock beat", force(), moved, "HEARTBEAT_ADVANCED"],
    ["the lock is another record", force(), { lock: { ...LOCK, recordId: "9" } }, "PLAN_STALE"],
    ["the lock is gone", force(), { lock: null }, "PLAN_STALE"],
    ["another record moved", close, moved, "PLAN_STALE"],
  ])("%s", (_, intent, now, expected) => {
    const input = { seen: { ...shown.seen }, fingerprint: shown.fingerprint };
    const fresh = plan("FORCE_UNLOCK", "L4", { seen: now });
    expect(code(checkConfirmed(intent, fresh, input))).toBe(expected);
  });

  it("refuses a fingerprint that is not that of the records it comes with", () => {
    const input = { seen: { ...shown.seen }, fingerprint: "0123456789abcdef" };
    expect(code(checkConfirmed(force(), shown, input))).toBe("PLAN_NOT_SHOWN");
  });

  it("knows how old a plan was, of what it showed for that very thing alone", () => {
    let now = Date.parse(READ_AT);
    const plans = createShownPlans(() => now);
    plans.shown(force(), shown);
    now += 1_500;
    expect(plans.ageMs(force({ reason: "typed since" }), shown.fingerprint)).toBe(1_500);
    expect(plans.ageMs(close, shown.fingerprint)).toBeNull();
    expect(plans.ageMs(force(), "0123456789abcdef")).toBeNull();
    expect(plans.ageMs(force({ withoutAudit: true }), shown.fingerprint)).toBeNull();
    plans.shown(resolve({ outcome: "CANCELLED" }), shown);
    expect(plans.ageMs(resolve({ outcome: "SUCCESS" }), shown.fingerprint)).toBeNull();
  });
});

describe("what a form still owes (operator-ux §2.1, D11)", () => {
  const evidence = needed("reason", "evidenceRef", "stopConfirmedBy", "stopEvidenceRef", "stopMethod");
  it.each<[string, Intent, readonly string[]]>([
    ["nothing", force(), []],
    ["a reason", force({ reason: "1234 " }), ["reason"]],
    ["a reason somebody can see", force({ reason: "ab\u200b\u2060\u3164\u2800" }), ["reason"]],
    ["evidence somebody can see", force({ evidenceText: "\u200b" }), ["evidenceText"]],
    ["evidence, which a file may be", force({ evidenceText: " " }), ["evidenceText"]],
    ["nothing beside its file", force({ evidenceText: "", evidenceFiles: ["a".repeat(64)] }), []],
    [
      "everything, in the order of the form",
      force({ reason: "", evidenceText: "", stopConfirmedBy: "", stopLabel: "other" }),
      ["reason", "evidenceText", "stopConfirmedBy", "stopOther"],
    ],
    ["its own proof of the end", resolve({ stopEvidence: "" }), ["stopEvidence"]],
  ])("%s", (_, intent, fields) => {
    expect(missingFields(intent, evidence).map(({ field }) => field)).toEqual(fields);
    const checked = checkFields(intent, plan("FORCE_UNLOCK", "L4", { evidence }));
    expect(checked.ok ? null : checked.error.place).toBe(fields[0] ?? null);
  });

  it("a request is taken back without a reason", () => {
    expect(missingFields({ kind: "requestCancel", requestId: "3" }, [])).toEqual([]);
  });
});
