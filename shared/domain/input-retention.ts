import { instantOf } from "./datetime.ts";

/** Days for which a Run's input files must be kept, unless configured (wire-format §5). */
export const INPUT_RETENTION_DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;
/** What minute precision may have cut from `created_at`. */
const CREATED_AT_CUT_MS = 59_999;

/** True when a Run's inputs may be gone: now > created + days + 59.999 s (orchestration §3.3). An unreadable time is not expired. `now` in epoch milliseconds. */
export function inputRetentionExpired(createdAt: string, days: number, now: number): boolean {
  const created = instantOf(createdAt);
  return created !== null && now > created + days * DAY_MS + CREATED_AT_CUT_MS;
}
