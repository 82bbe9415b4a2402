import { describe, expect, it } from "vitest";
import {
  APP_ROLES,
  appFields,
  auditQueries,
  compareForm,
  inLists,
  jobLogQueries,
  keysetPage,
  ORCHESTRATOR_RIGHTS,
  quote,
  requestQueries,
  stateQueries,
} from "../../../../shared/records/index.ts";

describe("queries (wire-format §4.2)", () => {
  it.each([
    [stateQueries.byKey("R1:x"), 'record_key in ("R1:x")'],
    [stateQueries.runById("r"), 'record_type in ("NETWORK_RUN") and run_id in ("r")'],
    [stateQueries.runsOfNetwork("n"), 'record_type in ("NETWORK_RUN") and network_id in ("n")'],
    [stateQueries.nodeStates("r"), 'record_type in ("NODE_STATE") and run_id in ("r")'],
    [
      stateQueries.activeLock("N1:x"),
      'record_type in ("NETWORK_LOCK") and lock_key in ("N1:x") and status in ("RUNNING")',
    ],
    [stateQueries.holds(["a", "b"]), 'record_type in ("CANCEL_REQUEST") and run_id in ("a","b")'],
    [
      stateQueries.nodeStatesOfRuns(["a", "b"], "load"),
      'record_type in ("NODE_STATE") and run_id in ("a","b") and node_id in ("load")',
    ],
    [auditQueries.invocations("r"), 'record_type in ("RUN_INVOCATION") and run_id in ("r")'],
    [auditQueries.attempts("r"), 'record_type in ("NODE_ATTEMPT") and run_id in ("r")'],
    [
      auditQueries.attemptsByKeys(["A1:x", "A1:y"]),
      'record_type in ("NODE_ATTEMPT") and attempt_key in ("A1:x","A1:y")',
    ],
    [
      auditQueries.resolutions(["a", "b"]),
      'record_type in ("ATTEMPT_RESOLUTION") and attempt_id in ("a","b")',
    ],
    [
      requestQueries.open(100),
      'request_state in ("REQUESTED","ACCEPTED") order by 作成日時 asc, $id asc limit 100',
    ],
    [requestQueries.recent(50, null), "order by $id desc limit 50"],
    [requestQueries.recent(50, "7"), "$id < 7 order by $id desc limit 50"],
    [requestQueries.since("7"), "$id > 7 order by $id asc limit 500"],
    [requestQueries.byId("7"), '$id in ("7") limit 1'],
    [jobLogQueries.byAttempt("a"), 'attempt_id = "a" order by runner_execution_started_at desc limit 2'],
    [
      jobLogQueries.byAttempt("a", "e"),
      'attempt_id = "a" and execution_id = "e" order by runner_execution_started_at desc limit 2',
    ],
    [jobLogQueries.byJobKey("prod:j"), 'job_key = "prod:j" limit 1'],
    [
      keysetPage(stateQueries.nodeStates("r"), "12"),
      'record_type in ("NODE_STATE") and run_id in ("r") and $id > 12 order by $id asc limit 500',
    ],
    [keysetPage("", "0", 100), "$id > 0 order by $id asc limit 100"],
  ])("%s", (built, expected) => {
    expect(built).toBe(expected);
  });

  it("escapes backslash and quote, so no value can leave its quotes", () => {
    expect(quote('a"b\\')).toBe('"a\\"b\\\\"');
    expect(stateQueries.runById('x") or run_id not in ("')).toBe(
      'record_type in ("NETWORK_RUN") and run_id in ("x\\") or run_id not in (\\"")',
    );
  });

  it("splits long id lists without losing one", () => {
    const ids = Array.from({ length: 250 }, (_, index) => String(index));
    expect(inLists(ids).map((part) => part.length)).toEqual([100, 100, 50]);
    expect(inLists(ids).flat()).toEqual(ids);
    expect(inLists([])).toEqual([]);
  });
});

describe("app forms (wire-format §1.1–1.4)", () => {
  const related = { audit: "2", request: "3", jobLog: "4" };

  it.each([
    ["state", 40],
    ["audit", 37],
    ["request", 14],
    ["jobLog", 28],
  ] as const)("the %s app has %i fields", (role, count) => {
    const fields = appFields(role, null);
    expect(Object.keys(fields)).toHaveLength(count);
    for (const [code, field] of Object.entries(fields)) expect(field.code).toBe(code);
  });

  it("reference tables point at the given neighbours", () => {
    const fields = appFields("state", related);
    expect(Object.keys(fields)).toHaveLength(43);
    expect(fields.related_audit_events?.referenceTable).toMatchObject({
      relatedApp: { app: "2" },
      condition: { field: "run_id", relatedField: "run_id" },
      sort: "$id desc",
      size: "10",
    });
    expect(fields.related_job_logs?.referenceTable?.condition.relatedField).toBe("correlation_id");
    for (const [code, role] of [
      ["related_audit_events", "audit"],
      ["related_requests", "request"],
      ["related_job_logs", "jobLog"],
    ] as const) {
      const shown = fields[code]?.referenceTable?.displayFields ?? [];
      expect(Object.keys(appFields(role, null))).toEqual(expect.arrayContaining([...shown]));
      expect(shown.length).toBeGreaterThan(0);
    }
  });

  it("only the key and the type are required in state and audit, and unique columns are unique", () => {
    const of = (role: "state" | "audit", key: "required" | "unique") =>
      Object.values(appFields(role, null)).flatMap((field) => (field[key] === true ? [field.code] : []));
    expect(of("state", "required")).toEqual(["record_key", "record_type"]);
    expect(of("audit", "required")).toEqual(["record_key", "record_type"]);
    expect(of("state", "unique")).toEqual(["record_key", "lock_key", "node_state_key"]);
    expect(of("audit", "unique")).toEqual(["record_key", "node_attempt_id", "attempt_key"]);
  });

  it("no app needs the delete right, and the poller may not add requests", () => {
    expect(ORCHESTRATOR_RIGHTS.request).toEqual(["view", "edit"]);
    expect(ORCHESTRATOR_RIGHTS.jobLog).toEqual(["view"]);
  });

  it("an app made from its own definition has no difference", () => {
    const made = { 作成者: { type: "CREATOR" }, 作成日時: { type: "CREATED_TIME" } };
    for (const role of APP_ROLES) {
      expect(compareForm(role, { ...appFields(role, related), ...made })).toEqual([]);
    }
    expect(compareForm("request", appFields("request", null)).map(({ field }) => field)).toEqual([
      "作成者",
      "作成日時",
    ]);
  });

  it("tells missing, mistyped, not unique and lacking options, but not what an older app may lack", () => {
    const { run_id: _runId, ...state } = appFields("state", null);
    const found = {
      ...state,
      lock_key: { ...state.lock_key, unique: false },
      revision: { type: "SINGLE_LINE_TEXT" },
      lifecycle_status: { type: "DROP_DOWN", options: { ACTIVE: {} } },
    };
    expect(compareForm("state", found)).toEqual([
      { field: "run_id", kind: "missing", expected: "SINGLE_LINE_TEXT", found: "" },
      { field: "lock_key", kind: "unique", expected: "unique", found: "not unique" },
      { field: "revision", kind: "type", expected: "NUMBER", found: "SINGLE_LINE_TEXT" },
      { field: "lifecycle_status", kind: "option", expected: "ARCHIVED", found: "ACTIVE" },
    ]);
    const { network_id: _n, cancel_requested: _c, ...older } = appFields("request", null);
    const system = { 作成者: { type: "CREATOR" }, 作成日時: { type: "CREATED_TIME" } };
    expect(compareForm("request", { ...older, ...system })).toEqual([]);
  });
});
