import type { Expectation } from "../../../shared/domain/expectation.ts";
import { parseSchedules } from "../../../shared/domain/expectation-schema.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { parseJson, readTextFile } from "../workspace-config.ts";

export interface SchedulesReading {
  readonly expectations: readonly Expectation[];
  readonly problem: Problem | null;
  /** There is no file: nothing is expected, and that is no failure. */
  readonly absent: boolean;
}

/**
 * Reads `schedules.json` (decisions §2, §5). Never throws: a file that cannot be read or used is a problem with its
 * place (`SCHEDULES_UNREADABLE`, `SCHEDULES_INVALID`), and then lateness is not watched.
 */
export async function readSchedules(path: string): Promise<SchedulesReading> {
  try {
    const text = await readTextFile(path);
    if (text === null) return { expectations: [], problem: null, absent: true };
    const parsed = parseSchedules(parseJson(text), path);
    return parsed.ok
      ? { expectations: parsed.value, problem: null, absent: false }
      : { expectations: [], problem: parsed.error, absent: false };
  } catch (cause) {
    const problem: Problem = {
      code: "SCHEDULES_UNREADABLE",
      message: `The schedules cannot be read, so lateness is not watched: ${cause instanceof Error ? cause.message : String(cause)}`,
      place: path,
      remedy: "Check the rights of the file; it is read again by itself.",
    };
    return { expectations: [], problem, absent: false };
  }
}
