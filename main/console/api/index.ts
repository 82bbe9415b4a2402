import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../store/index.ts";
import { createLiveModel } from "../live-model.ts";
import { createPictureReader } from "../live-model-read.ts";
import type { Workspace } from "../ports.ts";
import { createOperations } from "./operations.ts";
import { createRouter } from "./router.ts";
import { type ServedPort, serve } from "./serve.ts";

export type { ServedPort } from "./serve.ts";

export interface ConsoleApiDeps {
  readonly workspace: Workspace;
  readonly clock: Clock;
  /** In [0, 1): spreads the back-off of consoles that lost the same kintone. */
  readonly random: () => number;
  /** The one zone of every page, IANA name. */
  readonly timeZone?: string;
}

export interface ConsoleApiHost {
  /** Answers one line, from whatever front, until it closes. */
  serve(port: ServedPort): void;
  /** Ends the poller and the streams and waits for the operations on their way. Does not dispose the workspace. */
  dispose(): Promise<void>;
}

/** Waits, or returns early when the signal aborts; never throws. Milliseconds. */
export async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Aborted: returning early is the answer.
  }
}

/** The console API over one workspace: live model, operations and handlers, ready to be served by any front. */
export function createConsoleApi(deps: ConsoleApiDeps): ConsoleApiHost {
  const { workspace, clock } = deps;
  const nowMs = (): number => clock.nowMs();
  const live = createLiveModel({
    reader: createPictureReader(workspace.reads, nowMs),
    embedded: workspace.kind === "embedded",
    clock,
    random: deps.random,
    wait: waitOrAbort,
  });
  const operations = createOperations({
    orchestrator: workspace.orchestrator,
    requestedBy: workspace.requestedBy,
    nowMs,
    changed: live.operation,
    runEvent: live.localEvent,
  });
  const router = createRouter({
    workspace,
    reads: workspace.reads,
    live,
    operations,
    nowMs,
    info: {
      kind: workspace.kind,
      profile: workspace.profile,
      baseUrl: workspace.baseUrl,
      host: workspace.host,
      requestedBy: workspace.requestedBy,
      timeZone: deps.timeZone ?? "Asia/Tokyo",
      mode: "operate",
    },
  });
  return {
    serve: (port) => serve(router, port),
    async dispose() {
      await operations.dispose();
      await live.dispose();
    },
  };
}
