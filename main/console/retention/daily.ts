import { errorText, FlowError } from "../../../shared/domain/problem.ts";
import { sleep, systemClock } from "../clock.ts";
import { dataDirPaths } from "../data-dir.ts";
import type { Workspace } from "../ports.ts";
import { pruneOnce } from "./retention.ts";

const DAY_MS = 86_400_000;

/** Keeps a data folder within its limits while a resident runs. */
export interface Retention {
  dispose(): Promise<void>;
}

/** Prunes at once and then every day, logging what went. Never throws: a day without pruning harms nobody. */
export function startRetention(
  workspace: Pick<Workspace, "reads" | "ready" | "log">,
  dataDir: string,
): Retention {
  const stop = new AbortController();
  const startedAtMs = systemClock.nowMs() - systemClock.monotonicMs();
  const deps = {
    dataDir: dataDirPaths(dataDir),
    reads: workspace.reads,
    nowMs: systemClock.nowMs,
    startedAtMs,
  };
  const once = async (): Promise<void> => {
    try {
      await workspace.ready(stop.signal);
      const pruned = await pruneOnce(deps, stop.signal);
      workspace.log.write("info", "retention", "RETENTION_PRUNED", { ...pruned });
    } catch (error) {
      if (stop.signal.aborted) return;
      const why = error instanceof FlowError ? error.code : errorText(error);
      workspace.log.write("warn", "retention", "RETENTION_SKIPPED", { why });
    }
  };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await once();
      await sleep(DAY_MS, stop.signal);
    }
  };
  const looping = loop();
  return {
    async dispose() {
      stop.abort();
      await looping;
    },
  };
}
