import { caseOf, runs, stage, stops } from "./build.ts";
import type { CaseDefinition, Step } from "./model.ts";

/** Storage itself, and the two transactions of the Fleet text (retry-boundaries §10, cases N and Q to S). */

const FILLER = "CREATE TABLE filler (n INTEGER PRIMARY KEY, body TEXT NOT NULL)";
const DONE = ["before-commit", "committed"];

const RECEIPT: readonly Step[] = [
  ...(["BEGIN IMMEDIATE", "judge the receipt", "close the operation", "@before-commit"] as const),
  ...(["COMMIT", "@after-commit-before-answer", "@APPLIED"] as const),
];
const RECEIPT_SCHEMA = [
  "CREATE TABLE operation (op_id TEXT PRIMARY KEY, state TEXT NOT NULL)",
  "CREATE TABLE receipt (receipt_id TEXT PRIMARY KEY, op_id TEXT NOT NULL, body_sha256 TEXT NOT NULL, outcome TEXT NOT NULL)",
  "CREATE TABLE plugin_state (id INTEGER PRIMARY KEY, version_advances INTEGER NOT NULL)",
  "INSERT INTO operation VALUES ('op-1', 'RUNNING')",
  "INSERT INTO plugin_state VALUES (1, 0)",
];
const RECEIPT_QUERIES = { version_advances: "SELECT version_advances FROM plugin_state" };

const DISPATCH: readonly Step[] = [
  ...([
    "BEGIN IMMEDIATE",
    "refuse if an operation is open",
    "insert the operation",
    "@before-commit",
  ] as const),
  ...(["COMMIT", "@after-commit", "@DISPATCHED"] as const),
];
const DISPATCH_SCHEMA = [
  "CREATE TABLE operation (op_id TEXT PRIMARY KEY, terminal_id TEXT NOT NULL, plugin_id TEXT NOT NULL, generation INTEGER NOT NULL, state TEXT NOT NULL)",
  "CREATE UNIQUE INDEX one_open_operation ON operation(terminal_id, plugin_id) WHERE state IN ('PENDING','DELIVERED','ACCEPTED','RUNNING','UNCONFIRMED')",
  "CREATE TABLE plugin_state (id INTEGER PRIMARY KEY, last_op_id TEXT, last_dispatch_at TEXT)",
  "INSERT INTO plugin_state VALUES (1, NULL, NULL)",
];
const DISPATCH_QUERIES = {
  operations: "SELECT count(*) FROM operation",
  dispatched: "SELECT last_dispatch_at IS NOT NULL FROM plugin_state",
};

const NOTHING = [0, 0, 0, 0];

export const STORAGE_CASES: readonly CaseDefinition[] = [
  caseOf({
    id: "N",
    folder: "N-hot-journal",
    title: {
      en: "a transaction larger than the page cache stops",
      ja: "ページキャッシュより大きい取引の途中で停止",
    },
    lesson: {
      en: "Reading evidence can itself need recovery.",
      ja: "証拠を読むこと自体に復旧が要ることがある。",
    },
    work: {
      worker: [
        ...(["limit the page cache", "BEGIN IMMEDIATE", "skip if processed", "insert filler rows"] as const),
        ...(["insert processed", "insert effect", "@before-commit", "COMMIT", "@committed"] as const),
      ],
      plain: [
        ...(["BEGIN IMMEDIATE", "skip if processed", "insert processed", "insert effect"] as const),
        ...(["@before-commit", "COMMIT", "@committed"] as const),
      ],
    },
    schema: [FILLER],
    queries: { filler_rows: "SELECT count(*) FROM filler" },
    journalMode: "delete",
    stages: [
      stage("1", [stops(["before-commit"])], NOTHING, { facts: { filler_rows: 0 }, hotJournal: true }),
      stage("2", [runs(DONE, { role: "plain" })], [1, 1, 0, 0], { facts: { filler_rows: 0 } }),
    ],
  }),
  caseOf({
    id: "Q",
    folder: "Q-receipt-before-commit",
    title: { en: "a Fleet receipt, stopped before its commit", ja: "Fleetの受領応答、確定前に停止" },
    lesson: {
      en: "Nothing was recorded, so the resent receipt is applied.",
      ja: "何も記録されていないので、再送が適用される。",
    },
    work: { worker: RECEIPT },
    schema: RECEIPT_SCHEMA,
    queries: RECEIPT_QUERIES,
    stages: [
      stage("1", [stops(["before-commit"])], NOTHING, { facts: { version_advances: 0 } }),
      stage("2", [runs(["before-commit", "after-commit-before-answer", "APPLIED"])], NOTHING, {
        facts: { version_advances: 1 },
      }),
    ],
  }),
  caseOf({
    id: "Q2",
    folder: "Q2-receipt-after-commit",
    title: { en: "a Fleet receipt, stopped before its answer", ja: "Fleetの受領応答、応答前に停止" },
    lesson: {
      en: "The resent receipt is recognised, and the version advances once.",
      ja: "再送は重複と分かり、版は一度だけ進む。",
    },
    work: { worker: RECEIPT },
    schema: RECEIPT_SCHEMA,
    queries: RECEIPT_QUERIES,
    stages: [
      stage("1", [stops(["before-commit", "after-commit-before-answer"])], NOTHING, {
        facts: { version_advances: 1 },
      }),
      stage("2", [runs(["DUPLICATE"])], NOTHING, { facts: { version_advances: 1 } }),
    ],
  }),
  caseOf({
    id: "R",
    folder: "R-dispatch-before-commit",
    title: { en: "a Fleet dispatch, stopped before its commit", ja: "Fleetの配信、確定前に停止" },
    lesson: {
      en: "Neither operation nor time remains; the next round creates the first.",
      ja: "操作も時刻も残らず、次の回が最初の操作を作る。",
    },
    work: { worker: DISPATCH },
    schema: DISPATCH_SCHEMA,
    queries: DISPATCH_QUERIES,
    stages: [
      stage("1", [stops(["before-commit"])], NOTHING, { facts: { operations: 0, dispatched: 0 } }),
      stage("2", [runs(["before-commit", "after-commit", "DISPATCHED"])], NOTHING, {
        facts: { operations: 1, dispatched: 1 },
      }),
    ],
  }),
  caseOf({
    id: "R2",
    folder: "R2-dispatch-after-commit",
    title: { en: "a Fleet dispatch, stopped after its commit", ja: "Fleetの配信、確定後に停止" },
    lesson: {
      en: "The open operation refuses a second one.",
      ja: "未完了の操作があるので、二つ目は作られない。",
    },
    work: { worker: DISPATCH },
    schema: DISPATCH_SCHEMA,
    queries: DISPATCH_QUERIES,
    stages: [
      stage("1", [stops(["before-commit", "after-commit"])], NOTHING, {
        facts: { operations: 1, dispatched: 1 },
      }),
      stage("2", [runs(["OPEN_OPERATION"])], NOTHING, { facts: { operations: 1, dispatched: 1 } }),
    ],
  }),
  caseOf({
    id: "S",
    folder: "S-disk-full",
    title: { en: "no room for the transaction", ja: "空きがなく書き込めない" },
    lesson: {
      en: "A full disk leaves nothing half-done, and with room the repetition makes it one.",
      ja: "空き不足でも途中の状態は残らず、空きがあれば再処理で一回になる。",
    },
    work: {
      worker: [
        ...(["limit the database to its present size", "BEGIN IMMEDIATE", "skip if processed"] as const),
        ...(["insert processed", "insert effect", "insert filler rows", "COMMIT", "@committed"] as const),
      ],
      "with room": [
        ...(["BEGIN IMMEDIATE", "skip if processed", "insert processed", "insert effect"] as const),
        ...(["insert filler rows", "COMMIT", "@committed"] as const),
      ],
    },
    schema: [FILLER],
    stages: [
      stage("1", [runs(["SQLITE_FULL"], { exit: 1 })], NOTHING),
      stage("2", [runs(["committed"], { role: "with room" })], [1, 1, 0, 0]),
    ],
  }),
];
