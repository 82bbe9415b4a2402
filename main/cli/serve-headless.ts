import {
  clockFor,
  type PollDecision,
  pollDecisionFor,
  pollOptions,
  requireRequests,
  startWorkspacePoller,
  type Workspace,
} from "../console/index.ts";
import type { CliContext } from "./command.ts";
import { warningText } from "./commands/poll-requests.ts";
import { abandonedProblem, followLocks, type HeldLocks } from "./held-locks.ts";
import { asResident } from "./resident.ts";
import { LATER_REQUEST, type StopWords } from "./stopping.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ServeOptions {
  /** Poll whatever the settings say. */
  readonly poller: boolean;
}

/**
 * The resident without pages (decisions section 2): one line when it is ready, one when it has stopped. A kintone that
 * does not answer is waited for: a host may be up before its network. Errors as `FlowError`: of the guard, of the
 * workspace, `REQUESTS_NOT_CONFIGURED`, `ENVIRONMENT_INCOMPLETE`, `THRESHOLD_INVALID`.
 */
export async function serveHeadless(options: ServeOptions, context: CliContext): Promise<void> {
  const polling = pollOptions(context.env);
  const opening = { endServer: true, evenOffline: true };
  await asResident("serve", opening, context, async ({ workspace, dataDir, context: serving }) => {
    const decision = decide(options, workspace, serving);
    const locks = followLocks(workspace.orchestrator);
    serving.onStop(stopWords(locks));
    // Whatever survived an earlier program is followed from now on: its output stays short, its end is journalled.
    await workspace.children.survivors.adopt();
    const poller = decision.poll
      ? startWorkspacePoller({
          workspace,
          requests: requireRequests(workspace, serving.env),
          clock: clockFor(workspace.baseUrl, serving.env),
          options: polling,
          runNetwork: locks.runNetwork,
          warned: (warning) => serving.err(warningText(warning)),
        })
      : null;
    workspace.log.write("info", "serve", "SERVE_READY", { poller: decision.poll, why: decision.why });
    serving.out(readyLine(workspace, dataDir, decision, polling.intervalMs));
    await untilAborted(serving.signal);
    await poller?.dispose();
    workspace.log.write("info", "serve", "SERVE_STOPPED");
  });
  context.out("serve: stopped\n");
}

function decide({ poller }: ServeOptions, workspace: Workspace, { env }: CliContext): PollDecision {
  if (!poller) return pollDecisionFor(workspace, env);
  requireRequests(workspace, env);
  return { poll: true, why: "--poller was given" };
}

function readyLine(workspace: Workspace, dataDir: string, decision: PollDecision, everyMs: number): string {
  const where = workspace.kind === "embedded" ? `embedded in ${dataDir}` : workspace.baseUrl;
  const polls = decision.poll ? `every ${everyMs / 1000} s` : "off";
  return `serve: ready, ${where}, profile ${workspace.profile}, poller ${polls} (${decision.why})\n`;
}

function stopWords(locks: HeldLocks): StopWords {
  return {
    stopping() {
      const count = locks.held().length;
      return count === 0
        ? `Stopping; ${LATER_REQUEST}.`
        : `Stopping after the running node of ${count} Run(s); ${LATER_REQUEST} and leaves their locks held.`;
    },
    abandoned: () => ({ problem: abandonedProblem(locks.held()), out: null }),
  };
}
