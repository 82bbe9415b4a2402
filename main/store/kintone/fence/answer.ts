import type { Problem } from "../../../../shared/domain/problem.ts";
import { appFields } from "../../../../shared/records/index.ts";
import {
  batchIndex,
  duplicateField,
  isBusy,
  isRecordGone,
  isStaleRevision,
  type KintoneAnswer,
  type Refusal,
  refusalProblem,
  unknownProblem,
  type WriteResult,
} from "../../../kintone-client/index.ts";
import { nameOfChange } from "../changes/encode.ts";
import type { Slot } from "../changes/plan.ts";
import type { ChangeSet } from "./change-set.ts";
import { duplicateRecord, revisionConflict } from "./problems.ts";
import type { CopyAnswer } from "./settle.ts";

/** What one answer proves, and what to tell about it. */
export interface Judged {
  readonly answer: CopyAnswer;
  /** Results of the sub-requests, lock first, when the copy was applied. */
  readonly results: readonly WriteResult[] | null;
  readonly problem: Problem | null;
  /** Index of the caller's change the refusal speaks of. */
  readonly change: number | null;
}

const uniqueFields = (role: "state" | "audit"): readonly string[] =>
  Object.entries(appFields(role, null)).flatMap(([code, field]) => (field.unique === true ? [code] : []));
const UNIQUE = [...new Set([...uniqueFields("state"), ...uniqueFields("audit")])];

const bare = (answer: CopyAnswer): Judged => ({ answer, results: null, problem: null, change: null });

/** The record of a sub-request the refusal names, or its first. */
function slotAt(set: ChangeSet, index: number, refusal: Refusal): Slot | null {
  const sub = set.part.subRequests[index - 1];
  return sub?.slots[batchIndex(refusal) ?? 0] ?? sub?.slots[0] ?? null;
}

function nameAt(set: ChangeSet, index: number): string {
  const kind = set.part.subRequests[index - 1]?.slots[0]?.kind;
  return kind === undefined ? "The Network lock" : nameOfChange(kind);
}

function judgeLock(refusal: Refusal): Judged | null {
  if (isStaleRevision(refusal)) return bare({ kind: "lock-stale" });
  return isRecordGone(refusal) ? bare({ kind: "lock-gone" }) : null;
}

function judgeChange(set: ChangeSet, index: number, refusal: Refusal): Judged | null {
  const slot = slotAt(set, index, refusal);
  const name = nameAt(set, index);
  const dead = (problem: Problem): Judged => ({
    answer: { kind: "dead", index },
    results: null,
    problem,
    change: slot?.change ?? null,
  });
  if (isStaleRevision(refusal) || isRecordGone(refusal)) return dead(revisionConflict(name));
  const field = duplicateField(refusal, UNIQUE);
  return field === null ? null : dead(duplicateRecord(name, field, slot?.kind === "attempt.insert"));
}

function judgeRefusal(set: ChangeSet, refusal: Refusal): Judged {
  // A beat and a lone release are single requests: what is refused is the lock record.
  const index = refusal.bulkIndex ?? (set.part.subRequests.length === 0 ? 0 : null);
  if (isBusy(refusal)) {
    const update =
      index !== null && index > 0 && (set.part.subRequests[index - 1]?.slots[0]?.ref ?? null) !== null;
    return bare({ kind: "busy", index: update && refusal.status !== 429 ? index : null });
  }
  const judged = index === null || index === 0 ? judgeLock(refusal) : judgeChange(set, index, refusal);
  if (judged !== null) return judged;
  const slot = index === null ? null : slotAt(set, index, refusal);
  return {
    answer: { kind: "refused" },
    results: null,
    problem: refusalProblem(refusal, "write"),
    change: slot?.change ?? null,
  };
}

/** What the answer to one copy proves by itself (fenced-writes R3, kintone-rest W3, W4). */
export function judgeAnswer(set: ChangeSet, answer: KintoneAnswer<readonly WriteResult[]>): Judged {
  if (answer.kind === "unknown") {
    return { ...bare({ kind: "unknown" }), problem: unknownProblem(answer, "write") };
  }
  if (answer.kind === "refused") return judgeRefusal(set, answer);
  return { answer: { kind: "applied" }, results: answer.value, problem: null, change: null };
}

/** A change that DA02 met and whose record proved newer. */
export function staleTarget(set: ChangeSet, index: number): Pick<Judged, "problem" | "change"> {
  const slot = set.part.subRequests[index - 1]?.slots[0] ?? null;
  return { problem: revisionConflict(nameAt(set, index)), change: slot?.change ?? null };
}
