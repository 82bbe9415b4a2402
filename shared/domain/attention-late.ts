import { type AttentionItem, attentionItem } from "./attention.ts";
import { exactFact, textFact } from "./attention-fact.ts";
import type { RunInPicture } from "./attention-picture.ts";
import { type Expectation, type Lateness, latenessOf, type Occurrence, occurrences } from "./expectation.ts";

export interface LateFacts {
  readonly profile: string;
  readonly expectations: readonly Expectation[];
  readonly runs: readonly RunInPicture[];
}

/** What is late by the schedules (decisions §5), one item an expected Run. `now` in epoch milliseconds. */
export function lateAttention(
  { profile, expectations, runs }: LateFacts,
  now: number,
): readonly AttentionItem[] {
  if (expectations.length === 0) return [];
  const byKey = new Map(
    runs
      .filter((run) => run.profile === profile)
      .map((run) => [`${run.networkId}\u0000${run.businessKey}`, run] as const),
  );
  return expectations.flatMap((expectation) =>
    occurrences(expectation, now).flatMap((occurrence) => {
      const run = byKey.get(`${expectation.networkId}\u0000${occurrence.businessKey}`) ?? null;
      const lateness = latenessOf(occurrence, run, now);
      return lateness === null ? [] : [lateItem(expectation, occurrence, run, lateness)];
    }),
  );
}

function lateItem(
  { networkId }: Expectation,
  { businessKey }: Occurrence,
  run: RunInPicture | null,
  lateness: Lateness,
): AttentionItem {
  const due = new Date(lateness.due).toISOString();
  return attentionItem(lateness.kind === "missing" ? "lateMissing" : "lateUnfinished", {
    id: `late:${networkId}:${businessKey}`,
    networkId,
    businessKey,
    runId: run?.runId ?? null,
    since: { at: due, precision: "exact" },
    facts: [
      textFact("expectedKey", businessKey),
      exactFact("dueAt", due),
      ...(run === null ? [] : [textFact("runStatus", run.status), textFact("activity", run.activity)]),
    ],
  });
}

/**
 * The list with lateness in its place: a Run that has an item already is late because of that, so the due time joins
 * the evidence of its items and no second row is made.
 */
export function withLateness(
  items: readonly AttentionItem[],
  late: readonly AttentionItem[],
): readonly AttentionItem[] {
  const dueOf = new Map(
    late.flatMap((item) => (item.runId === null ? [] : [[item.runId, item.since?.at ?? null]])),
  );
  const told = new Set(items.flatMap((item) => (item.runId === null ? [] : [item.runId])));
  const joined = items.map((item) => {
    const due = item.runId === null ? undefined : dueOf.get(item.runId);
    return due === undefined ? item : { ...item, facts: [...item.facts, exactFact("lateSince", due)] };
  });
  return [...joined, ...late.filter((item) => item.runId === null || !told.has(item.runId))];
}
