import { describe, expect, it } from "vitest";
import { isStaleClaim, parseRequest } from "../../../../shared/domain/index.ts";

const row = (more: Record<string, unknown> = {}) => ({
  $id: "7",
  $revision: "2",
  作成者: { code: "user1", name: "User" },
  作成日時: "2026-09-04T01:00:00Z",
  request_type: "RERUN",
  run_id: "netrun_1",
  network_id: "",
  business_key: "",
  scheduled_for: "",
  rerun_from_node: "",
  reason: "やり直し",
  request_state: "REQUESTED",
  cancel_requested: [],
  claimed_at: "",
  claimed_host: "",
  claim_heartbeat_at: "",
  result_code: "",
  result_message: "",
  ...more,
});
const issuesOf = (more: Record<string, unknown>): string[] => {
  const parsed = parseRequest(row(more));
  return parsed.valid ? [] : parsed.issues.map(({ code, field }) => `${code} ${field}`);
};

describe("request records (wire-format §1.3, orchestration §7.2)", () => {
  it("are answered whole", () => {
    const claim = {
      claimed_at: "2026-09-04T01:01:00Z",
      claimed_host: "h",
      claim_heartbeat_at: "2026-09-04T01:02:00Z",
    };
    const parsed = parseRequest(
      row({ ...claim, request_state: "REJECTED", result_code: "STALE", result_message: "m" }),
    );
    expect(parsed).toEqual({
      valid: true,
      request: {
        id: "7",
        revision: 2,
        creatorCode: "user1",
        createdAt: "2026-09-04T01:00:00Z",
        type: "RERUN",
        runId: "netrun_1",
        networkId: null,
        businessKey: null,
        scheduledFor: null,
        rerunFromNode: null,
        reason: "やり直し",
        state: "REJECTED",
        cancelRequested: false,
        claim: { at: "2026-09-04T01:01:00Z", host: "h", heartbeatAt: "2026-09-04T01:02:00Z" },
        resultCode: "STALE",
        resultMessage: "m",
      },
    });
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ $id: "0" }, ["ID_INVALID $id"]],
    [{ $revision: "99999999999999999999" }, ["REVISION_INVALID $revision"]],
    [{ 作成者: { code: "u".repeat(257) } }, ["VALUE_TOO_LONG 作成者"]],
    [{ 作成日時: "" }, ["DATETIME_INVALID 作成日時"]],
    [{ scheduled_for: "2026-09-04" }, ["DATETIME_INVALID scheduled_for"]],
    [{ scheduled_for: "2026-13-01T00:00:00Z" }, ["DATETIME_INVALID scheduled_for"]],
    // A day its month lacks is judged with the key, as the peer does: INVALID_TIMESTAMP_FORMAT.
    [{ scheduled_for: "2026-02-30T00:00:00Z" }, []],
    [{ reason: "x".repeat(65_536) }, ["VALUE_TOO_LONG reason"]],
    [{ reason: "", run_id: "" }, ["REQUIRED run_id", "REQUIRED reason"]],
    [{ request_type: "START", run_id: "netrun_1" }, []],
    [{ request_type: "START", rerun_from_node: "a" }, ["FIELD_NOT_ALLOWED rerun_from_node"]],
    [
      { request_state: "ACCEPTED", claimed_at: "x", claimed_host: "h", claim_heartbeat_at: "" },
      ["DATETIME_INVALID claimed_at"],
    ],
    [{ request_state: "CANCELLED", result_code: " " }, ["RESULT_REQUIRED result_code"]],
    [{ result_message: "m" }, ["STATE_FIELDS_INVALID request_state"]],
  ])("%j", (more, expected) => {
    expect(issuesOf(more)).toEqual(expected);
  });

  it("keep their identity and the creator's tick when invalid, so they can still be cancelled", () => {
    expect(parseRequest(row({ reason: "", cancel_requested: ["取消"] }))).toMatchObject({
      identity: { id: "7", revision: 2, state: "REQUESTED" },
      cancelRequested: true,
    });
    expect(parseRequest(row({ cancel_requested: "取消" }))).toMatchObject({ cancelRequested: false });
    expect(parseRequest({})).toMatchObject({ valid: false, identity: null });
  });
});

describe("stale claims (orchestration §3.3)", () => {
  const edge = Date.parse("2026-09-04T01:16:00Z");
  it.each([
    [edge, false],
    [edge + 1, true],
  ])("at %i: %s", (now, stale) => {
    expect(isStaleClaim("2026-09-04T01:00:00Z", now)).toBe(stale);
    expect(isStaleClaim("", now)).toBe(false);
  });
});
