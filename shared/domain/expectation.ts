import type { RunStatus } from "./model.ts";
import { instantOfWall, wallDay } from "./wall-clock.ts";

/** How often a Run is expected: every day, on one day of the week (0 = Sunday), or on one day of the month. */
export type Recurrence =
  | { readonly every: "day" }
  | { readonly every: "week"; readonly day: number }
  /** A month that is too short is met on its last day. */
  | { readonly every: "month"; readonly day: number };

/** When a network's Run is to exist and to have succeeded (decisions §5). It detects; it starts nothing. */
export interface Expectation {
  readonly networkId: string;
  /** IANA name: the zone of every time and date below. */
  readonly zone: string;
  /** First day that is expected, `YYYY-MM-DD`. */
  readonly from: string;
  readonly recurrence: Recurrence;
  /** Key of the day's Run; `{yyyy}`, `{MM}`, `{dd}` and `{network_id}` stand for the day and the network. */
  readonly businessKey: string;
  /** Minutes after the day's midnight, up to the end of the day after; null = not watched. */
  readonly existsBy: number | null;
  readonly successBy: number | null;
}

/** One expected day, with its Run's key and its due instants in epoch milliseconds. */
export interface Occurrence {
  readonly day: string;
  readonly businessKey: string;
  readonly existsDue: number | null;
  readonly successDue: number | null;
}

/** Days looked back for what was missed; older gaps belong to an audit, not to the shift. */
const LOOK_BACK_DAYS = 62;
/** Occurrences of one network that are told at once. */
export const OCCURRENCES_MAX = 14;
const DAY_MS = 86_400_000;

const dayText = (dayMs: number): string => new Date(dayMs).toISOString().slice(0, 10);

function meets(recurrence: Recurrence, dayMs: number): boolean {
  const date = new Date(dayMs);
  switch (recurrence.every) {
    case "day":
      return true;
    case "week":
      return date.getUTCDay() === recurrence.day;
    case "month": {
      const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
      return date.getUTCDate() === Math.min(recurrence.day, last);
    }
  }
}

/** The business key of a day, placeholders filled in (wire-format §2.5). `day`: `YYYY-MM-DD`. */
export function expectedKey(
  expectation: Pick<Expectation, "businessKey" | "networkId">,
  day: string,
): string {
  const [yyyy = "", MM = "", dd = ""] = day.split("-");
  const values: Readonly<Record<string, string>> = { yyyy, MM, dd, network_id: expectation.networkId };
  return expectation.businessKey.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The expected days up to today in the expectation's zone, newest first, within {@link LOOK_BACK_DAYS}. `now` in epoch milliseconds. */
export function occurrences(expectation: Expectation, now: number): readonly Occurrence[] {
  const { zone, recurrence } = expectation;
  const today = Date.parse(`${wallDay(now, zone)}T00:00:00Z`);
  const first = Math.max(Date.parse(`${expectation.from}T00:00:00Z`), today - LOOK_BACK_DAYS * DAY_MS);
  const found: Occurrence[] = [];
  for (let day = today; day >= first && found.length < OCCURRENCES_MAX; day -= DAY_MS) {
    if (!meets(recurrence, day)) continue;
    const due = (minutes: number | null): number | null =>
      minutes === null ? null : instantOfWall(day + minutes * 60_000, zone);
    found.push({
      day: dayText(day),
      businessKey: expectedKey(expectation, dayText(day)),
      existsDue: due(expectation.existsBy),
      successDue: due(expectation.successBy),
    });
  }
  return found;
}

export type Lateness =
  | { readonly kind: "missing"; readonly due: number }
  | { readonly kind: "unfinished"; readonly due: number };

/** What is late of one occurrence, or null. `run`: the Run of its key, null when there is none. A closed Run is settled. */
export function latenessOf(
  occurrence: Occurrence,
  run: { readonly status: RunStatus; readonly lifecycle: "ACTIVE" | "ARCHIVED" } | null,
  now: number,
): Lateness | null {
  if (run === null) {
    const dues = [occurrence.existsDue, occurrence.successDue].filter((due) => due !== null);
    const due = Math.min(...dues);
    return dues.length > 0 && now > due ? { kind: "missing", due } : null;
  }
  if (run.status === "SUCCESS" || run.lifecycle === "ARCHIVED") return null;
  const due = occurrence.successDue;
  return due !== null && now > due ? { kind: "unfinished", due } : null;
}
