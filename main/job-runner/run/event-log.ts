import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../config.ts";
import type { Mask } from "./masking.ts";

/** Appends the run's events to `<localDir>/<batchId>.jsonl` (execution-contract §10). */
export interface EventLog {
  write(event: string, payload?: Readonly<Record<string, unknown>>): void;
}

export interface EventLogInput {
  readonly directory: string;
  readonly batchId: string;
  readonly profile: string;
  /** Ids added to every line of an orchestrated run; null otherwise. */
  readonly correlation: { readonly correlationId: string; readonly attemptId: string } | null;
  readonly mask: Mask;
  readonly nowMs: () => number;
  /** Told once when the log cannot be written: a job does not fail for its log. */
  readonly warn: (message: string) => void;
}

/** Opens nothing until the first event: a command that only reads leaves no folder behind (W20). */
export function createEventLog(input: EventLogInput): EventLog {
  const { batchId, profile, correlation, mask } = input;
  const path = join(input.directory, `${batchId}.jsonl`);
  const ids = correlation === null ? {} : { ...correlation, executionId: batchId };
  let broken = false;
  return {
    write(event, payload = {}) {
      if (broken) return;
      const ts = new Date(input.nowMs()).toISOString();
      const line = JSON.stringify({ v: 1, ts, event, batchId, profile, ...ids, ...payload });
      try {
        mkdirSync(input.directory, { recursive: true });
        appendFileSync(path, `${mask(line)}\n`, { mode: 0o600 });
      } catch (error) {
        broken = true;
        input.warn(`The event log ${path} cannot be written: ${codeOf(error)}.`);
      }
    },
  };
}
