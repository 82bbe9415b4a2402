import { z } from "zod";
import type { SeenRecords } from "../../shared/domain/operations/seen.ts";
import type { Problem } from "../../shared/domain/problem.ts";

/** Names of the records that are not what they were when they were shown first (operator-ux D6). */
export function movedBetween(before: SeenRecords, now: SeenRecords): readonly string[] {
  const text = (seen: SeenRecords, name: string): string => {
    const ref = seen[name] ?? null;
    return ref === null ? "none" : `${ref.recordId}@${ref.revision}`;
  };
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => text(before, name) !== text(now, name));
}

const moved = z.array(z.object({ name: z.string() }));

/** The same, as a refusal tells it (`PLAN_STALE`). */
export function movedIn(problem: Problem): readonly string[] {
  const parsed = moved.safeParse(problem.details?.moved);
  return parsed.success ? parsed.data.map(({ name }) => name) : [];
}
