import type { ProcessFacts, TreeProcess } from "../../../shared/api/index.ts";
import type { ProcessIdentity, SystemInspector } from "../../process/index.ts";

export interface FactsDeps {
  readonly inspector: Pick<SystemInspector, "details" | "usage">;
  readonly clock: { monotonicMs(): number };
}

interface Sample {
  readonly cpuMs: number;
  readonly atMs: number;
}

export interface ProcessFactsReader {
  /** What the system tells of a living process; null when there is none of that number. */
  facts(pid: number): ProcessFacts | null;
  /** Forgets the samples of processes that were not looked at since the round before. */
  endRound(): void;
}

/** Reads processes for people, with the share of a processor each used since the look before. */
export function createFactsReader({ inspector, clock }: FactsDeps): ProcessFactsReader {
  let before = new Map<string, Sample>();
  let now = new Map<string, Sample>();

  const shareOf = (key: string, cpuMs: number | null): number | null => {
    if (cpuMs === null) return null;
    const sample = { cpuMs, atMs: clock.monotonicMs() };
    now.set(key, sample);
    const last = before.get(key);
    const elapsed = last === undefined ? 0 : sample.atMs - last.atMs;
    return last === undefined || elapsed <= 0 ? null : Math.max(0, (cpuMs - last.cpuMs) / elapsed);
  };
  return {
    facts(pid) {
      const details = inspector.details(pid);
      if (details === null) return null;
      const usage = inspector.usage(pid);
      const cpuMs = usage?.cpuMs ?? null;
      const cpuShare = shareOf(`${pid} ${details.processStart}`, cpuMs);
      return { ...details, cpuMs, cpuShare, memoryBytes: usage?.memoryBytes ?? null };
    },
    endRound() {
      before = now;
      now = new Map();
    },
  };
}

/**
 * Processes as a tree: each after its parent, one deeper; whoever's parent is none of them stands below the root, since
 * its own parent ended or it left for a session of its own. Pure.
 */
export function asTree(root: ProcessIdentity, found: readonly ProcessFacts[]): readonly TreeProcess[] {
  const pids = new Set(found.map(({ pid }) => pid));
  const parentOf = (each: ProcessFacts): number | null =>
    each.pid === root.pid
      ? null
      : each.parentPid !== null && pids.has(each.parentPid) && each.parentPid !== each.pid
        ? each.parentPid
        : root.pid;
  const children = Map.groupBy(found, parentOf);
  const rows: TreeProcess[] = [];
  const seen = new Set<number>();
  const add = (each: ProcessFacts, depth: number): void => {
    if (seen.has(each.pid)) return;
    seen.add(each.pid);
    rows.push({ ...each, depth });
    for (const child of byAge(children.get(each.pid) ?? [])) add(child, depth + 1);
  };
  for (const each of children.get(null) ?? []) add(each, 0);
  // The root has ended: what it left stands at the top.
  for (const each of byAge(children.get(root.pid) ?? [])) add(each, pids.has(root.pid) ? 1 : 0);
  for (const each of byAge(found)) add(each, 0);
  return rows;
}

const byAge = (found: readonly ProcessFacts[]): readonly ProcessFacts[] =>
  found.toSorted((a, b) => {
    const [left, right] = [a.processStart ?? "", b.processStart ?? ""];
    return left === right ? a.pid - b.pid : left < right ? -1 : 1;
  });
