/** How long and how much of one kind is kept. */
export interface KeepLimits {
  /** Older goes; milliseconds. */
  readonly keepMs: number;
  /** Younger stays whatever the size; milliseconds. */
  readonly leastMs: number;
  /** Beyond it the oldest go first. */
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

export const KEEP = {
  /** The journal is evidence about attempts; three months of it outlast every open question but those asked of kintone. */
  journal: { keepMs: 90 * DAY_MS, leastMs: 7 * DAY_MS, bytes: 64 * MIB },
  /** A work folder outlives its attempt only when its orchestrator did not. */
  work: { keepMs: 7 * DAY_MS, leastMs: DAY_MS, bytes: 2_048 * MIB },
  runnerLogs: { keepMs: 30 * DAY_MS, leastMs: 7 * DAY_MS, bytes: 512 * MIB },
} as const satisfies Readonly<Record<string, KeepLimits>>;

export interface KeptEntry {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modifiedMs: number;
  readonly bytes: number;
}

/** Names that may go: too old, or the oldest of what is too much together. Whether they are needed is asked next. Pure. */
export function outdated(
  entries: readonly KeptEntry[],
  nowMs: number,
  limits: KeepLimits,
): readonly string[] {
  const oldestFirst = entries.toSorted((left, right) => left.modifiedMs - right.modifiedMs);
  let left = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const going: string[] = [];
  for (const { name, modifiedMs, bytes } of oldestFirst) {
    const age = nowMs - modifiedMs;
    if (age <= limits.keepMs && (age <= limits.leastMs || left <= limits.bytes)) continue;
    going.push(name);
    left -= bytes;
  }
  return going;
}
