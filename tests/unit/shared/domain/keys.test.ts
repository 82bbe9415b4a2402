import { describe, expect, it } from "vitest";
import { canonicalIdentifier, recordKeys, runKey, sha256Base64Url } from "../../../../shared/domain/index.ts";

describe("canonical identifiers (wire-format §2.1)", () => {
  it.each([
    [42, "NOT_STRING"],
    ["", "EMPTY"],
    ["a\u0000:b", "NUL"],
    ["a:b", "SEPARATOR"],
    ["__net__", "RESERVED"],
    ["x".repeat(129), "TOO_LONG"],
  ])("refuses %j as %s", (value, reason) => {
    const result = canonicalIdentifier(value, "networkId", "LOCK_KEY_IDENTIFIER");
    expect(result).toMatchObject({
      ok: false,
      error: { code: `LOCK_KEY_IDENTIFIER_${reason}`, place: "networkId" },
    });
  });

  it("answers the NFC form and trims nothing", () => {
    const result = canonicalIdentifier(" カ\u3099 ", "nodeId", "RECORD_KEY_IDENTIFIER");
    expect(result).toEqual({ ok: true, value: " ガ " });
  });
});

describe("record keys (wire-format §2.3)", () => {
  it("are at most 64 characters for every generated id", () => {
    const uuid = "00000000-0000-4000-8000-000000000001";
    const keys = [
      recordKeys.run("prod", "monthly", "monthly@2026-09"),
      recordKeys.nodeState(`netrun_${uuid}`, "extract"),
      recordKeys.lockHeld(`N1:${sha256Base64Url("x")}`),
      recordKeys.hold(`netrun_${uuid}`),
      recordKeys.invocation(`invoke_${uuid}`),
      recordKeys.attempt(`attempt_${uuid}`),
      recordKeys.resolution(`attempt_${uuid}`, "2026-09-01T00:00:00.000Z"),
      recordKeys.operationAudit(`net_unlock_${uuid}`),
    ];
    expect(keys.map((key) => key.ok && key.value.length)).toEqual([46, 52, 51, 50, 47, 48, 64, 50]);
  });

  it("say why a node state has no key", () => {
    expect(recordKeys.nodeState("run", "a:b")).toMatchObject({ error: { place: "nodeId" } });
  });

  it("take a resolution's time in any ISO form, but not an unreadable one", () => {
    const key = recordKeys.resolution("attempt_1", "2026-09-01T09:00:00+09:00");
    expect(key).toEqual(recordKeys.resolution("attempt_1", "2026-09-01T00:00:00.000Z"));
    expect(recordKeys.resolution("attempt_1", "yesterday")).toMatchObject({
      error: { code: "RECORD_KEY_RESOLVED_AT_INVALID" },
    });
  });

  it("give a second tombstone its own key when the first is taken (fenced writes, R6)", () => {
    const first = recordKeys.lockTombstone("N1:abc", "token");
    const second = recordKeys.lockTombstone("N1:abc", "token", "50");
    expect(first).toBe("LOCKDONE:N1:abc:token");
    expect(second).toBe(`LOCKDONE:${sha256Base64Url("N1:abc:token:50")}`);
    expect(second.length).toBe(52);
  });

  it.each(["a:b", "x".repeat(60)])("refuse a batch lock for the profile %s", (profile) => {
    expect(recordKeys.jobKeyBatch(profile)).toMatchObject({ error: { code: "CONFIG_ERROR" } });
  });

  it("separate their parts: moving a character between parts changes the key", () => {
    expect(runKey("a", "bc", "d")).not.toEqual(runKey("ab", "c", "d"));
  });
});
