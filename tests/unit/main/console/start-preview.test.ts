import { describe, expect, it } from "vitest";
import { startRefusal } from "../../../../main/console/api/start-execute.ts";
import {
  changedParts,
  fieldOf,
  fingerprintOf,
  type PreviewFacts,
} from "../../../../main/console/api/start-preview.ts";
import type { StartPreview } from "../../../../shared/api/index.ts";

const facts: PreviewFacts = {
  networkId: "monthly_summary",
  businessKey: "monthly_summary@2026-09",
  scheduledFor: "2026-09-01T00:00:00+09:00",
  nodes: [{ order: 1, id: "gate", jobId: "gate", idempotent: true, dependsOn: [] }],
  existing: null,
};
const seen = fingerprintOf(facts);

describe("the fingerprint of a start preview (operator-ux D6)", () => {
  it.each<[string, Partial<PreviewFacts>, readonly string[]]>([
    ["nothing", {}, []],
    ["the key", { businessKey: "monthly_summary@2026-10" }, ["key"]],
    ["the scheduled time behind an equal key", { scheduledFor: "2026-09-02T00:00:00+09:00" }, ["key"]],
    [
      "a node's safety",
      { nodes: [{ order: 1, id: "gate", jobId: "gate", idempotent: false, dependsOn: [] }] },
      ["plan"],
    ],
    ["a Run that appeared", { existing: { runId: "r", revision: 1 } }, ["run"]],
    ["plan and Run together", { nodes: [], existing: { runId: "r", revision: 1 } }, ["plan", "run"]],
  ])("tells that %s moved", (_, change, parts) => {
    expect(changedParts(seen, fingerprintOf({ ...facts, ...change }))).toEqual(parts);
  });

  it("takes an unreadable fingerprint for a world that moved altogether", () => {
    expect(changedParts("nonsense", seen)).toEqual(["key", "plan", "run"]);
  });
});

describe("whether a start is refused", () => {
  const preview: StartPreview = {
    networkId: facts.networkId,
    businessKey: facts.businessKey,
    problems: [],
    nodes: facts.nodes,
    existing: null,
    fingerprint: seen,
    readAt: "2026-09-01T00:00:00Z",
  };
  const problem = { code: "BUSINESS_KEY_TOO_LONG", message: "too long" };
  it.each<[string, StartPreview, string, string | null]>([
    ["not, while what was seen still holds", preview, seen, null],
    [
      "when the world moved, before anything else",
      { ...preview, problems: [{ field: null, problem }] },
      "0.0.0",
      "PREVIEW_STALE",
    ],
    [
      "when the key is no key",
      { ...preview, problems: [{ field: "businessKey", problem }] },
      seen,
      "BUSINESS_KEY_TOO_LONG",
    ],
    [
      "when its Run exists already",
      { ...preview, existing: { runId: "r", status: "SUCCESS", activity: null } },
      seen,
      "RUN_ALREADY_EXISTS",
    ],
  ])("%s", (_, fresh, fingerprint, code) => {
    expect(startRefusal(fresh, fingerprint)?.code ?? null).toBe(code);
  });

  it("says what changed", () => {
    expect(
      startRefusal({ ...preview, fingerprint: fingerprintOf({ ...facts, nodes: [] }) }, seen),
    ).toMatchObject({
      code: "PREVIEW_STALE",
      details: { changed: ["plan"] },
    });
  });
});

describe("the field a problem stands beside", () => {
  it.each([
    ["SCHEDULED_FOR_INVALID", "--scheduled-for", "scheduledFor"],
    ["SCHEDULED_FOR_REQUIRED", "--scheduled-for/--business-key", "scheduledFor"],
    ["BUSINESS_KEY_EMPTY", "--business-key", "businessKey"],
    ["RECORD_KEY_IDENTIFIER_COLON", "businessKey", "businessKey"],
    ["NODE_ID_DUPLICATE", "$.nodes[1].id", null],
    ["NETWORK_VALIDATION_FAILED", undefined, null],
  ])("%s at %s", (code, place, field) => {
    expect(fieldOf({ code, message: "m", ...(place !== undefined && { place }) })).toBe(field);
  });
});
