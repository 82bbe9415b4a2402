import type { PollSummary, PollWarning } from "../../orchestrator/index.ts";
import { warnOfClock } from "../clock-warning.ts";
import type { CliContext, Command } from "../command.ts";
import { abandonedProblem, followLocks, type HeldLocks } from "../held-locks.ts";
import { shown } from "../shown.ts";
import { LATER_REQUEST, type StopWords } from "../stopping.ts";

/** `poll-requests`: one cycle over the request app, each request to its end (orchestration sections 7 and 9). */
export const pollRequests: Command = {
  spec: {
    name: "poll-requests",
    summary: "Carries out what people asked for in the request app, once.",
    positional: null,
    options: [
      {
        name: "--check",
        value: null,
        text: "only check the configuration and read one request; writes nothing",
      },
    ],
    example: "flownet poll-requests --check",
  },
  fallbackCode: "POLL_REQUESTS_FAILED",
  async run({ flags }, context) {
    const room = await import("../../console/index.ts");
    const { env, signal } = context;
    const options = room.pollOptions(env);
    const workspace = await room.openWorkspace({ dataDir: await context.dataDir(), env, signal });
    try {
      const requests = room.requireRequests(workspace, env);
      const networks = await workspace.readNetworks();
      await room.requireDefinitions(networks);
      if (flags.has("--check")) {
        await requests.listRecent({ limit: 1, beforeId: null }, signal);
        context.out(`poll-requests check: ok networks=${networks.length} request_app=readable\n`);
        return 0;
      }
      const locks = followLocks(workspace.orchestrator);
      context.onStop(stopWords(locks));
      const { createPoller } = await import("../../orchestrator/index.ts");
      const poller = createPoller(
        room.workspacePollerDeps({
          workspace,
          requests,
          clock: room.clockFor(workspace.baseUrl, env),
          options,
          runNetwork: locks.runNetwork,
          warned: (warning) => context.err(warningText(warning)),
        }),
      );
      context.out(summaryText(await poller.pollOnce(signal)));
      return endOf(context);
    } finally {
      warnOfClock(workspace, context);
      await workspace.dispose();
    }
  },
};

/** The peer's line (orchestration section 7.1). */
const summaryText = (summary: PollSummary): string => {
  const { requested, claimed, completed, cancelled, invalid, stale, skipped } = summary;
  return `poll-requests: requested=${requested} claimed=${claimed} completed=${completed} cancelled=${cancelled} invalid=${invalid} stale=${stale} skipped=${skipped}\n`;
};

/** `Warning [CODE] request <id>: why`. */
export function warningText({ code, requestId, cause }: PollWarning): string {
  const of = requestId === null ? "" : ` request ${requestId}`;
  const why = cause === null ? "" : `: ${cause.code} ${cause.message}`;
  return shown(`Warning [${code}]${of}${why}\n`, true);
}

/** A cycle that was told to stop is not completed: what was left waits for the next one. */
function endOf({ signal, err }: CliContext): number {
  if (!signal.aborted) return 0;
  err("Stopped before every request was looked at; the rest waits for the next cycle.\n");
  return 1;
}

function stopWords(locks: HeldLocks): StopWords {
  return {
    stopping: () =>
      locks.held().length === 0
        ? `Stopping after the request under way; ${LATER_REQUEST}.`
        : `Stopping after the running node; ${LATER_REQUEST} and leaves the lock held.`,
    abandoned: () => ({ problem: abandonedProblem(locks.held()), out: null }),
  };
}
