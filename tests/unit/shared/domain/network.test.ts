import { describe, expect, it } from "vitest";
import { largestIoAudit, validateNetwork } from "../../../../shared/domain/index.ts";

const node = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  job_id: id,
  sql: `${id}.sql`,
  depends_on: [],
  trigger_rule: "all_success",
  idempotent: true,
  ...more,
});
const network = (more: Record<string, unknown> = {}) => ({
  schema_version: 1,
  network_id: "monthly_jobs",
  business_key_policy: {
    type: "scheduled_period",
    period: "month",
    timezone: "Asia/Tokyo",
    format: "{network_id}@{yyyy}-{MM}",
  },
  network_lock: { lease_duration_sec: 180, heartbeat_interval_sec: 60 },
  nodes: [
    node("extract"),
    node("load", { depends_on: ["extract"], inputs: { rows: "{business_key}/rows.csv" } }),
  ],
  ...more,
});
const errorsOf = (value: unknown, options = {}) =>
  validateNetwork(value, options).errors.map(({ code, place }) => `${code} ${place}`);

describe("a valid definition (orchestration §1.1)", () => {
  it("is answered in our words, with defaults filled in", () => {
    expect(validateNetwork(network())).toEqual({
      errors: [],
      definition: {
        schemaVersion: 1,
        networkId: "monthly_jobs",
        description: null,
        businessKeyPolicy: {
          type: "scheduled_period",
          period: "month",
          timezone: "Asia/Tokyo",
          format: "{network_id}@{yyyy}-{MM}",
        },
        maxActiveRuns: 1,
        networkLock: { leaseDurationSec: 180, heartbeatIntervalSec: 60 },
        nodes: [
          {
            id: "extract",
            jobId: "extract",
            sql: "extract.sql",
            dependsOn: [],
            triggerRule: "all_success",
            idempotent: true,
            inputs: {},
            outputs: {},
          },
          {
            id: "load",
            jobId: "load",
            sql: "load.sql",
            dependsOn: ["extract"],
            triggerRule: "all_success",
            idempotent: true,
            inputs: { rows: "{business_key}/rows.csv" },
            outputs: {},
          },
        ],
      },
    });
  });

  it("may have an explicit key and a description", () => {
    const { definition } = validateNetwork(
      network({ business_key_policy: { type: "explicit" }, description: "", max_active_runs: 3 }),
    );
    expect(definition).toMatchObject({
      businessKeyPolicy: { type: "explicit" },
      description: "",
      maxActiveRuns: 3,
    });
  });
});

describe("phase 1, the shape (orchestration §1.2)", () => {
  it.each([
    ["not an object", null, ["SCHEMA_INVALID $"]],
    ["a list", [], ["SCHEMA_INVALID $"]],
    ["unknown property at the root", network({ extra: 1 }), ["UNKNOWN_PROPERTY $"]],
    ["wrong version", network({ schema_version: "1" }), ["SCHEMA_INVALID $/schema_version"]],
    ["network id with colon", network({ network_id: "a:b" }), ["SCHEMA_INVALID $/network_id"]],
    ["network id reserved", network({ network_id: "__net__" }), ["SCHEMA_INVALID $/network_id"]],
    ["network id too long", network({ network_id: "n".repeat(129) }), ["SCHEMA_INVALID $/network_id"]],
    ["description not text", network({ description: null }), ["SCHEMA_INVALID $/description"]],
    ["no Runs allowed", network({ max_active_runs: 0 }), ["SCHEMA_INVALID $/max_active_runs"]],
    ["fraction", network({ max_active_runs: 1.5 }), ["SCHEMA_INVALID $/max_active_runs"]],
    ["no nodes", network({ nodes: [] }), ["SCHEMA_INVALID $/nodes"]],
    [
      "explicit with more keys",
      network({ business_key_policy: { type: "explicit", period: "day" } }),
      ["UNKNOWN_PROPERTY $/business_key_policy"],
    ],
    [
      "unknown policy",
      network({ business_key_policy: { type: "x", period: "day", timezone: "UTC", format: "f" } }),
      ["SCHEMA_INVALID $/business_key_policy/type"],
    ],
    [
      "scheduled without format",
      network({ business_key_policy: { type: "scheduled_period", period: "day", timezone: "UTC" } }),
      ["SCHEMA_INVALID $/business_key_policy"],
    ],
    [
      "empty timezone",
      network({
        business_key_policy: { type: "scheduled_period", period: "day", timezone: "", format: "f" },
      }),
      ["SCHEMA_INVALID $/business_key_policy/timezone"],
    ],
    ["no lease", network({ network_lock: { heartbeat_interval_sec: 1 } }), ["SCHEMA_INVALID $/network_lock"]],
    [
      "unknown node property",
      network({ nodes: [node("a", { timeout: 3 })] }),
      ["UNKNOWN_PROPERTY $/nodes/0"],
    ],
    [
      "idempotent left out",
      network({ nodes: [{ ...node("a"), idempotent: undefined }] }),
      ["SCHEMA_INVALID $/nodes/0/idempotent"],
    ],
    [
      "unknown trigger rule",
      network({ nodes: [node("a", { trigger_rule: "any" })] }),
      ["SCHEMA_INVALID $/nodes/0/trigger_rule"],
    ],
    [
      "dependency not text",
      network({ nodes: [node("a", { depends_on: [1] })] }),
      ["SCHEMA_INVALID $/nodes/0/depends_on/0"],
    ],
    [
      "inputs not a map",
      network({ nodes: [node("a", { inputs: [] })] }),
      ["SCHEMA_INVALID $/nodes/0/inputs"],
    ],
    [
      "input name with =",
      network({ nodes: [node("a", { inputs: { "a=b": "x" } })] }),
      ["SCHEMA_INVALID $/nodes/0/inputs"],
    ],
    [
      "empty input pattern",
      network({ nodes: [node("a", { inputs: { "a/b": "" } })] }),
      ["SCHEMA_INVALID $/nodes/0/inputs/a~1b"],
    ],
    [
      "control character in output name",
      network({ nodes: [node("a", { outputs: { "a\t": "x" } })] }),
      ["SCHEMA_INVALID $/nodes/0/outputs"],
    ],
  ])("%s", (_, value, expected) => {
    expect(errorsOf(value)).toEqual(expected);
  });

  it("collects all problems, and phase 2 does not run", () => {
    const value = network({ extra: 1, nodes: [node("a", { depends_on: ["a"], sql: "" })] });
    expect(errorsOf(value)).toEqual(["UNKNOWN_PROPERTY $", "SCHEMA_INVALID $/nodes/0/sql"]);
    expect(validateNetwork(value).definition).toBeUndefined();
  });

  it("tells every missing property", () => {
    expect(errorsOf({})).toEqual(Array.from({ length: 5 }, () => "SCHEMA_INVALID $"));
  });
});

describe("phase 2, the meaning (orchestration §1.2)", () => {
  it.each([
    [
      "heartbeat as long as the lease",
      network({ network_lock: { lease_duration_sec: 60, heartbeat_interval_sec: 60 } }),
      [
        "NETWORK_LOCK_HEARTBEAT_NOT_LESS_THAN_LEASE $.network_lock.heartbeat_interval_sec",
        "NETWORK_LOCK_HEARTBEAT_EXCEEDS_ONE_THIRD $.network_lock.heartbeat_interval_sec",
      ],
    ],
    [
      "heartbeat over a third",
      network({ network_lock: { lease_duration_sec: 60, heartbeat_interval_sec: 21 } }),
      ["NETWORK_LOCK_HEARTBEAT_EXCEEDS_ONE_THIRD $.network_lock.heartbeat_interval_sec"],
    ],
    [
      "duplicate id",
      network({ nodes: [node("a"), node("b"), node("a")] }),
      ["DUPLICATE_NODE_ID $.nodes/2/id"],
    ],
    [
      "duplicate id hides the cycle",
      network({ nodes: [node("a", { depends_on: ["b"] }), node("b", { depends_on: ["a"] }), node("a")] }),
      ["DUPLICATE_NODE_ID $.nodes/2/id"],
    ],
    [
      "unknown dependency hides the cycle",
      network({ nodes: [node("a", { depends_on: ["b", "x"] }), node("b", { depends_on: ["a"] })] }),
      ["UNKNOWN_DEPENDENCY $.nodes/0/depends_on/1"],
    ],
    [
      "cycle",
      network({ nodes: [node("a", { depends_on: ["b"] }), node("b", { depends_on: ["a"] })] }),
      ["CYCLE_DETECTED $.nodes"],
    ],
    [
      "self dependency",
      network({ nodes: [node("a", { depends_on: ["a"] })] }),
      ["SELF_DEPENDENCY $.nodes/0/depends_on/0", "CYCLE_DETECTED $.nodes"],
    ],
    [
      "same dependency twice",
      network({ nodes: [node("a"), node("b", { depends_on: ["a", "a"] })] }),
      ["DUPLICATE_DEPENDENCY $.nodes/1/depends_on/1"],
    ],
    [
      "trigger rule not supported",
      network({ nodes: [node("a", { trigger_rule: "all_done" })] }),
      ["TRIGGER_RULE_UNSUPPORTED $.nodes/0/trigger_rule"],
    ],
    [
      "input pattern upwards",
      network({ nodes: [node("a", { inputs: { "x/y": "../a.csv" } })] }),
      ["INPUT_PATTERN_INVALID $.nodes/0/inputs/x~1y"],
    ],
    [
      "input pattern with an output's placeholder",
      network({ nodes: [node("a", { inputs: { x: "{run_id}.csv" } })] }),
      ["INPUT_PATTERN_INVALID $.nodes/0/inputs/x"],
    ],
    [
      "output pattern absolute",
      network({ nodes: [node("a", { outputs: { x: "C:/a.csv" } })] }),
      ["OUTPUT_PATTERN_INVALID $.nodes/0/outputs/x"],
    ],
    [
      "policy",
      network({
        business_key_policy: {
          type: "scheduled_period",
          period: "day",
          timezone: "Mars/Base",
          format: "{yyyy}",
        },
      }),
      [
        "TIMEZONE_INVALID $.business_key_policy.timezone",
        "FORMAT_PERIOD_MISMATCH $.business_key_policy.format",
        "FORMAT_PERIOD_MISMATCH $.business_key_policy.format",
      ],
    ],
  ])("%s", (_, value, expected) => {
    expect(errorsOf(value)).toEqual(expected);
  });
});

describe("what the peer would find out too late (W-12, W-33, wire-format §7 rows 9 and 10)", () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`source_${i}`, `${i}.csv`]));
  it.each([
    [
      "node id that cannot be bundled",
      network({ nodes: [node("抽出", { job_id: "extract" })] }),
      {},
      ["NODE_ID_NOT_BUNDLABLE $.nodes/0/id"],
    ],
    ["node id with ..", network({ nodes: [node("a..b")] }), {}, ["NODE_ID_NOT_BUNDLABLE $.nodes/0/id"]],
    [
      "job id that cannot be passed",
      network({ nodes: [node("a", { job_id: "ジョブ" })] }),
      {},
      ["JOB_ID_NOT_PASSABLE $.nodes/0/job_id"],
    ],
    [
      "job lock key too long",
      network({ nodes: [node("a", { job_id: "j".repeat(60) })] }),
      { profile: "prod" },
      ["JOB_LOCK_KEY_TOO_LONG $.nodes/0/job_id"],
    ],
    [
      "job lock key just fits",
      network({ nodes: [node("a", { job_id: "j".repeat(59) })] }),
      { profile: "prod" },
      [],
    ],
    [
      "job lock key of an unknown profile",
      network({ nodes: [node("a", { job_id: "j".repeat(60) })] }),
      {},
      [],
    ],
    [
      "reserved job",
      network({ nodes: [node("a", { job_id: "__batch__" })] }),
      { profile: "prod" },
      ["JOB_LOCK_KEY_INVALID $.nodes/0/job_id"],
    ],
    [
      "colon in the key format",
      network({
        business_key_policy: {
          type: "scheduled_period",
          period: "month",
          timezone: "UTC",
          format: "k:{yyyy}-{MM}",
        },
      }),
      {},
      ["FORMAT_SEPARATOR_NOT_ALLOWED $.business_key_policy.format"],
    ],
    [
      "too many inputs",
      network({ nodes: [node("a", { inputs: many })] }),
      {},
      ["IO_AUDIT_TOO_LONG $.nodes/0/inputs"],
    ],
    [
      "too many outputs",
      network({ nodes: [node("a", { outputs: many })] }),
      {},
      ["IO_AUDIT_TOO_LONG $.nodes/0/outputs"],
    ],
  ])("%s", (_, value, options, expected) => {
    expect(errorsOf(value, options)).toEqual(expected);
    expect(errorsOf(value, { ...options, peerRulesOnly: true })).toEqual([]);
  });

  it("measures the summary by its real shape (wire-format §1.5)", () => {
    const file = `"sha256":"${"f".repeat(64)}","bytes":999999999999,"rows":999999999,"encoding":"utf8"`;
    const outputsOnly = `{"version":1,"kind":"KSQL_FLOWNET_OUTPUT_AUDIT","output_files":[{"sink":"x","type":"EXPORT",${file}}]}`;
    expect(largestIoAudit([], ["x"])).toBe(outputsOnly.length);
    expect(largestIoAudit([], [])).toBe(0);
    expect(largestIoAudit(["x"], ["x"])).toBeGreaterThan(largestIoAudit(["x"], []));
  });

  it("allows a space in a file name's handle", () => {
    expect(errorsOf(network({ nodes: [node("a", { inputs: { "売上 明細": "a.csv" } })] }))).toEqual([]);
  });
});
