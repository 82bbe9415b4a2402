import { byNewest, type RunDiff, type RunRow } from "../../shared/api/index.ts";
import { diffRow } from "./live-model-rows.ts";

export interface Picture {
  /** Newest first, local news included. */
  rows(): readonly RunRow[];
  row(runId: string): RunRow | undefined;
  isLive(runId: string): boolean;
  /** One freshly read row; false when it is older than the known one: history, which is dropped (operator-ux U4). */
  accept(row: RunRow): boolean;
  /**
   * The whole store as read. It is the truth, also where it is older than what is known: a database put back from its
   * backup. What is no longer in it goes.
   */
  acceptAll(rows: readonly RunRow[]): void;
  /** What this host's scheduler said of a Run: it stands above the record until `settle`. */
  overlay(runId: string, news: Partial<RunRow>): void;
  /** The record has caught up with the scheduler; it speaks for itself again. */
  settle(runId: string): void;
}

/**
 * What is known of every Run: the record as last read, above it what the local scheduler said since. `changed` hears
 * every difference once, `gone` when Runs vanished from the store or went back in it, which no difference tells.
 */
export function createPicture(told: {
  readonly changed: (diff: RunDiff) => void;
  readonly gone: () => void;
}): Picture {
  const stored = new Map<string, RunRow>();
  const news = new Map<string, Partial<RunRow>>();
  const shown = new Map<string, RunRow>();

  const show = (runId: string): void => {
    const row = stored.get(runId);
    if (row === undefined) return;
    const next = { ...row, ...news.get(runId) };
    const diff = diffRow(shown.get(runId), next);
    if (diff === null) return;
    shown.set(runId, next);
    told.changed(diff);
  };
  const accept = (row: RunRow): boolean => {
    const known = stored.get(row.runId);
    if (known !== undefined && row.revision < known.revision) return false;
    stored.set(row.runId, row);
    show(row.runId);
    return true;
  };
  return {
    rows: () => [...shown.values()].sort(byNewest),
    row: (runId) => shown.get(runId),
    isLive: (runId) => shown.get(runId)?.activity === "LIVE",
    accept,
    acceptAll(rows) {
      const read = new Map(rows.map((row) => [row.runId, row.revision]));
      const untrue = [...stored.values()].filter((known) => (read.get(known.runId) ?? -1) < known.revision);
      for (const { runId } of untrue) for (const held of [stored, news, shown]) held.delete(runId);
      if (untrue.length > 0) told.gone();
      for (const row of rows) accept(row);
    },
    overlay(runId, fields) {
      news.set(runId, fields);
      show(runId);
    },
    settle(runId) {
      news.delete(runId);
      show(runId);
    },
  };
}
