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

interface Schedules {
  /** The file as it is now; while it cannot be used, its problem beside what it said when it last could. Never throws. */
  read(path: string): Promise<SchedulesReading>;
}

/**
 * `schedules.json` for whoever follows it: a file that is being edited must not let what is late look settled (operator-ux
 * §2.1). One that was taken away expects nothing.
 */
export function createSchedules(): Schedules {
  let usable: { readonly path: string; readonly expectations: readonly Expectation[] } | null = null;
  return {
    async read(path) {
      const reading = await readSchedules(path);
      if (reading.problem === null) usable = { path, expectations: reading.expectations };
      return usable?.path === path ? { ...reading, expectations: usable.expectations } : reading;
    },
  };
}

/**
 * Reads `schedules.json` (decisions §2, §5). Never throws: a file that cannot be read or used is a problem with its
 * place (`SCHEDULES_UNREADABLE`, `SCHEDULES_INVALID`), and then it expects nothing.
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
