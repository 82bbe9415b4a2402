/** Shares of the limit at which looking becomes slower (operator-ux U2). */
const SLOWER_AT = [0.7, 0.85] as const;

/**
 * The day a request counts to. kintone counts from 09:00 to 09:00 Japan time, which is the UTC day. `YYYY-MM-DD`;
 * `nowMs` in epoch milliseconds.
 */
export function budgetDay(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** How many times the interval between readings is stretched: doubled at 70 %, doubled again at 85 % (operator-ux U2). */
export function slowdown(used: number): number {
  return 2 ** SLOWER_AT.filter((share) => used >= share).length;
}
