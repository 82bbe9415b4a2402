import { describe, expect, it } from "vitest";
import { ATTENTION_KINDS } from "../../../../shared/domain/attention.ts";
import {
  ACTORS,
  NEXT_CODES,
  nextActionFor,
  nextActionOf,
  PROOFS,
} from "../../../../shared/domain/next-action.ts";
import en from "../../../../shared/text/operations.en.json" with { type: "json" };
import ja from "../../../../shared/text/operations.ja.json" with { type: "json" };
import { compareTexts } from "../../../../tools/check/text-keys.ts";

describe("what is to be done after a result code (orchestration §11.4)", () => {
  it.each([
    ["OK", "none", null],
    ["NODE_FAILED_OR_BLOCKED", "first", "RESUME"],
    ["RETRY_BRAKE", "second", "RERUN_FROM"],
    ["UNKNOWN", "second", "RESOLVE_NODE"],
    ["STOP_REQUESTED", "first", "RELEASE"],
    ["LOCK_CONFLICT", "second", "FORCE_UNLOCK"],
    ["BUNDLE_HASH_MISMATCH", "second", null],
    ["INPUT_FILE_MUTATED", "fileOwner", "RESUME"],
    ["RUN_ARCHIVED_AUDIT_PENDING", "second", "COMPLETE_AUDIT"],
    ["LOCK_UNAVAILABLE", "serverOwner", null],
    ["SOMETHING_NEW", "second", null],
  ])("%s: %s, %s", (code, who, operation) => {
    expect(nextActionOf(code)).toMatchObject({ who, operation });
  });

  it("has its words, who acts and what proof is needed in both languages", () => {
    expect(compareTexts(ja, en)).toEqual([]);
    expect(Object.keys(en.next).sort()).toEqual([...NEXT_CODES].sort());
    expect(Object.keys(en.who)).toEqual([...ACTORS]);
    expect(Object.keys(en.evidence).sort()).toEqual([...PROOFS].sort());
  });

  it.each([
    ["interrupted", null, "RESUME"],
    ["interrupted", "7", "FORCE_UNLOCK"],
    ["failed", "7", "RESUME"],
    ["staleLock", "7", "FORCE_UNLOCK"],
  ] as const)("of %s with lock %s: %s (wire-format §4.5)", (kind, lockRecordId, operation) => {
    expect(nextActionFor({ kind, code: null, lockRecordId }).operation).toBe(operation);
  });

  it("offers to end a claim that fell silent, and not one that was ended so (orchestration §7.4)", () => {
    const silent = nextActionFor({ kind: "staleRequest", code: null, lockRecordId: null });
    expect(silent).toMatchObject({ code: "STALE", operation: "REQUEST_SETTLE" });
    expect(nextActionOf("STALE").operation).toBeNull();
  });

  it("answers for everything the list of attention may hold, and by its own code where that says more", () => {
    for (const kind of ATTENTION_KINDS)
      expect(nextActionFor({ kind, code: null, lockRecordId: null }).code).not.toBeNull();
    expect(nextActionFor({ kind: "failed", code: "INPUT_FILE_MISSING", lockRecordId: null }).who).toBe(
      "fileOwner",
    );
    expect(nextActionFor({ kind: "failed", code: "SQL_ERROR", lockRecordId: null }).code).toBe(
      "NODE_FAILED_OR_BLOCKED",
    );
    expect(
      nextActionFor({ kind: "retryBrake", code: "INPUT_FILE_MISSING", lockRecordId: null }).operation,
    ).toBe("RERUN_FROM");
  });
});
