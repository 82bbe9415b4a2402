import { caseOf, holds, isRefused, resumes, runs, stage, stops } from "./build.ts";
import type { CaseDefinition, Step, Suite } from "./model.ts";

/**
 * The published experiment, cases A to G (retry-boundaries §5–§7). Counts are
 * `[processed rows, ledger total, outside lines]`. Expected values are never adjusted to a result.
 */

/** `effects.event_id` is deliberately not unique: the ledger must be able to count twice (§4). */
const BASE_SCHEMA: readonly string[] = [
  "CREATE TABLE processed (event_id TEXT PRIMARY KEY, processed_at TEXT NOT NULL)",
  "CREATE TABLE effects (effect_id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL, delta INTEGER NOT NULL, created_at TEXT NOT NULL)",
];

const SQLITE_BUSY = 5;

const ONE_TRANSACTION: readonly Step[] = [
  "BEGIN IMMEDIATE",
  "skip if processed",
  "insert processed",
  "insert effect",
  "@before-commit",
  "COMMIT",
];

const CASES: readonly CaseDefinition[] = [
  caseOf({
    id: "A",
    folder: "A-no-deduplication",
    title: { en: "updates without a check", ja: "重複を判定せず更新" },
    lesson: {
      en: "No check: the same input counts twice.",
      ja: "判定がないので、同じ入力でも更新は増える。",
    },
    work: { worker: ["BEGIN", "insert effect", "COMMIT", "@effect-committed"] },
    stages: [
      stage("1", [runs(["effect-committed"])], [0, 1, 0]),
      stage("2", [runs(["effect-committed"])], [0, 2, 0]),
    ],
  }),
  caseOf({
    id: "B",
    folder: "B-processed-first",
    title: { en: "commits the processed record first, stops", ja: "処理済みだけ先に確定して停止" },
    lesson: {
      en: "The record says done, so the repetition skips: the work is lost for good.",
      ja: "記録が処理済みなので再処理は飛ばされ、処理は欠けたままになる。",
    },
    work: {
      worker: [
        "skip if processed",
        ...(["BEGIN", "insert processed", "COMMIT", "@after-processed-commit"] as const),
        ...(["BEGIN", "insert effect", "COMMIT", "@after-effect-commit"] as const),
      ],
    },
    stages: [
      stage("1", [stops(["after-processed-commit"])], [1, 0, 0]),
      stage("2", [runs(["skipped"])], [1, 0, 0]),
    ],
  }),
  caseOf({
    id: "C",
    folder: "C-effect-first",
    title: { en: "commits the ledger update first, stops", ja: "台帳更新だけ先に確定して停止" },
    lesson: {
      en: "There is no record, so the repetition updates again.",
      ja: "処理済み記録がないので、更新を繰り返す。",
    },
    work: {
      worker: [
        "skip if processed",
        ...(["BEGIN", "insert effect", "COMMIT", "@after-effect-commit"] as const),
        ...(["BEGIN", "insert processed", "COMMIT", "@after-processed-commit"] as const),
      ],
    },
    stages: [
      stage("1", [stops(["after-effect-commit"])], [0, 1, 0]),
      stage("2", [runs(["after-effect-commit", "after-processed-commit"])], [1, 2, 0]),
    ],
  }),
  caseOf({
    id: "D",
    folder: "D-one-transaction",
    title: {
      en: "both in one transaction, stops before the commit",
      ja: "両方を同じトランザクションに入れ、確定前に停止",
    },
    lesson: {
      en: "Nothing half-done remains, and the repetition makes it one.",
      ja: "未確定の更新は残らず、再処理で一回になる。",
    },
    work: { worker: [...ONE_TRANSACTION, "@committed"] },
    stages: [
      stage("1", [stops(["before-commit"])], [0, 0, 0]),
      stage("2", [runs(["before-commit", "committed"])], [1, 1, 0]),
    ],
  }),
  caseOf({
    id: "E",
    folder: "E-lost-reply",
    title: { en: "both committed, stops before the reply", ja: "両方を確定した直後、応答前に停止" },
    lesson: {
      en: "The caller does not know it succeeded; the same key makes no second update.",
      ja: "呼出元が成功を知らなくても、同じキーなら更新は増えない。",
    },
    work: { worker: [...ONE_TRANSACTION, "@after-commit-before-reply", "reply"] },
    stages: [
      stage("1", [stops(["before-commit", "after-commit-before-reply"])], [1, 1, 0]),
      stage("2", [runs(["skipped"])], [1, 1, 0]),
    ],
  }),
  caseOf({
    id: "F",
    folder: "F-overlapping-workers",
    title: {
      en: "a second worker writes while the first is uncommitted",
      ja: "一つ目が未確定の間に二つ目の書込みを試す",
    },
    lesson: {
      en: "A lock conflict was observed; a duplicate was recognised only later. These are two facts.",
      ja: "ロック競合の観測と、確定後の重複判定は別の事実である。",
    },
    work: {
      worker: [
        ...(["BEGIN IMMEDIATE", "skip if processed", "insert processed", "insert effect"] as const),
        ...(["@before-commit-hold", "wait for a byte", "COMMIT", "@committed"] as const),
      ],
    },
    stages: [
      stage(
        "held",
        [holds("worker 1", ["before-commit-hold"]), isRefused(SQLITE_BUSY, { child: "worker 2" })],
        [0, 0, 0],
      ),
      stage("after commit", [resumes("worker 1", ["committed"])], [1, 1, 0]),
      stage("repeated", [runs(["skipped"], { child: "worker 2" })], [1, 1, 0]),
    ],
  }),
  caseOf({
    id: "G",
    folder: "G-outside-effect",
    title: {
      en: "appends to a file outside before the commit, stops",
      ja: "DBの確定前に別ファイルへ追記して停止",
    },
    lesson: {
      en: "One in the database, two outside: a transaction does not reach beyond its database.",
      ja: "DBは一回、外側は二回。トランザクションは自分のDBの外に及ばない。",
    },
    work: {
      worker: [
        ...(["BEGIN IMMEDIATE", "skip if processed", "insert processed", "insert effect"] as const),
        ...(["append outside", "@after-outside-append", "@before-commit", "COMMIT", "@committed"] as const),
      ],
    },
    stages: [
      stage("1", [stops(["after-outside-append"])], [0, 0, 1]),
      stage("2", [runs(["after-outside-append", "before-commit", "committed"])], [1, 1, 2]),
    ],
  }),
];

export const BASE_SUITE: Suite = { name: "A-G", schema: BASE_SCHEMA, cases: CASES };
