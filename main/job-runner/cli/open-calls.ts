import { setTimeout as delay } from "node:timers/promises";
import type { RunnerProfile } from "../../../shared/contract/index.ts";
import type { KintoneTransport } from "../../kintone-client/index.ts";
import { type Calls, createCalls } from "../run/calls.ts";
import type { ProcessEdge } from "./run-command.ts";

/** The calls of a command that runs no job: the profile's retries and cap, stoppable like a run. */
export function openCalls(
  profile: RunnerProfile,
  transport: KintoneTransport,
  deps: {
    readonly edge: ProcessEdge;
    readonly nowMs: () => number;
    readonly say: (line: string) => void;
  },
): Calls {
  return createCalls({
    transport,
    stop: deps.edge.stop,
    retry: profile.retry,
    maxApiCalls: profile.limits.maxApiCalls,
    sleep: (ms) => delay(ms),
    nowMs: deps.nowMs,
    random: Math.random,
    onWait: deps.say,
  });
}
