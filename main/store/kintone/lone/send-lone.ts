import type { RecordRef } from "../../../../shared/domain/model.ts";
import type { Problem } from "../../../../shared/domain/problem.ts";
import {
  isBusy,
  type KintoneOperation,
  type KintoneTransport,
  READ_RETRY,
  type Refusal,
  refusalProblem,
  retryDelay,
  type SendOptions,
  type Sleep,
  unknownProblem,
} from "../../../kintone-client/index.ts";
import type { LoneWrite } from "../../ports.ts";

/** Copies sent before giving up; all of one write are byte-equal. */
const COPIES_MAX = 4;

export interface LoneDeps {
  readonly transport: KintoneTransport;
  readonly sleep: Sleep;
}

/** What a look at the record shows. */
export type Sight =
  /** As this write leaves it. */
  | { readonly kind: "ours"; readonly ref: RecordRef }
  /** As it was before: nothing was written yet, and a copy may still arrive. */
  | { readonly kind: "untouched" }
  /** Somebody else's: this write can never be applied any more. */
  | { readonly kind: "theirs"; readonly problem: Problem }
  | { readonly kind: "unreadable"; readonly problem: Problem };

/** One write that only one copy of can ever be applied: fenced by a revision or by a unique key. */
export interface FencedWrite<T> {
  readonly operation: KintoneOperation<T>;
  /** Ref of the record, from an answer of success. */
  readonly refOf: (value: T) => RecordRef | null;
  /** What a definite refusal means; null: ask {@link look}. */
  readonly judge: (refusal: Refusal) => "theirs" | "refused" | null;
  /** Reads the record again, within bounds of its own. */
  readonly look: (signal?: AbortSignal) => Promise<Sight>;
  /** For people: "take the request", "write the hold". */
  readonly what: string;
  /** Told when somebody else was first and no look was needed to learn it. */
  readonly lost: Problem;
}

const unsettled = (what: string, cause: Problem | null): LoneWrite => ({
  kind: "unsettled",
  problem: {
    code: "WRITE_UNCERTAIN",
    message:
      `Whether the attempt to ${what} reached kintone could not be learnt. ${cause?.message ?? ""}`.trim(),
    remedy: "Restore the connection to kintone and look at the record before anything is repeated.",
  },
});

/**
 * Sends a write outside any Network lock until its fate is known (fenced-writes R1, R3): an answer that was lost is
 * settled by reading, and a further copy is sent only while the record stands as it stood before the first.
 */
export async function sendLone<T>(
  deps: LoneDeps,
  fenced: FencedWrite<T>,
  options: SendOptions = {},
): Promise<LoneWrite> {
  const { signal } = options;
  let doubtful = false;
  let last: Problem | null = null;
  for (let copy = 1; copy <= COPIES_MAX && signal?.aborted !== true; copy += 1) {
    if (copy > 1) await deps.sleep(retryDelay(READ_RETRY, copy), signal);
    const answer = await deps.transport.send(fenced.operation, options);
    if (answer.kind === "ok") {
      const ref = fenced.refOf(answer.value);
      if (ref !== null) return { kind: "applied", ref };
      doubtful = true;
    } else if (answer.kind === "unknown") {
      last = unknownProblem(answer, fenced.what);
      // A copy that never left can never arrive, so there is nothing to look for.
      if (answer.neverLeft === true) continue;
      doubtful = true;
    } else {
      last = refusalProblem(answer, fenced.what);
      const verdict = isBusy(answer) ? null : fenced.judge(answer);
      if (!doubtful && verdict === "theirs") return { kind: "conflict", problem: fenced.lost };
      if (!doubtful && verdict === "refused") return { kind: "refused", problem: last };
    }
    const seen = await fenced.look(signal);
    if (seen.kind === "ours" && doubtful) return { kind: "applied", ref: seen.ref };
    if (seen.kind === "ours") return { kind: "conflict", problem: fenced.lost };
    if (seen.kind === "theirs") return { kind: "conflict", problem: seen.problem };
    if (seen.kind === "unreadable") last = seen.problem;
  }
  if (doubtful || last === null) return unsettled(fenced.what, last);
  return { kind: "refused", problem: last };
}
