import { FlowError } from "../../../shared/domain/problem.ts";
import type { ParsedArguments } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { planJson, planText } from "../render-plan.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";
import { isDryRun, PLANNING, seenIn } from "./planning.ts";

/** `settle-request`: ends a claim that no poller ends any more, on a person's word (orchestration section 7.4, W-10). */
export const settleRequest: Command = {
  spec: {
    name: "settle-request",
    summary: "Ends a request that was taken up and fell silent, once its poller is proven to have stopped.",
    positional: { name: "request id", text: "the record number in the request app" },
    options: [
      { name: "--reason-file", value: "path", text: "a text file that says why", required: true },
      { name: "--evidence-ref", value: "text", text: "where the evidence is kept", required: true },
      {
        name: "--stop-confirmed-by",
        value: "name",
        text: "who made sure that whoever took it has stopped",
        required: true,
      },
      ...PLANNING,
    ],
    example:
      "flownet settle-request 42 --reason-file why.txt --evidence-ref INC-1 --stop-confirmed-by Sato --dry-run",
  },
  fallbackCode: "SETTLE_REQUEST_FAILED",
  async run(args, context) {
    const requestId = requestIdOf(args);
    const reason = await readReason(args, context);
    const seen = await seenIn(args, context, { operations: ["REQUEST_SETTLE"], subject: { requestId } });
    return withWorkspace(context, async (workspace) => {
      const deps = await depsOf(workspace, context);
      const wish = {
        reason,
        evidenceRef: given(args, "--evidence-ref"),
        stopConfirmedBy: given(args, "--stop-confirmed-by"),
        requestedBy: workspace.requestedBy,
      };
      const { staleAfterMs } = deps;
      const asked = { requestId, wish, staleAfterMs, signal: context.signal };
      const room = await import("../../orchestrator/index.ts");
      if (isDryRun(args)) {
        const plan = await room.planSettleRequest(deps, asked);
        if (!plan.ok) refuse(plan.error);
        context.out(args.flags.has("--json") ? planJson(plan.value) : planText(plan.value));
        return 0;
      }
      const settled = await room.settleRequest(deps, { ...asked, seen });
      if (!settled.ok) refuse(settled.error);
      const { state, resultCode } = settled.value;
      context.out(`SETTLED: request ${requestId} -> ${state} (${resultCode}).\n`);
      return 0;
    });
  },
};

function requestIdOf({ positional }: ParsedArguments): string {
  const id = positional ?? "";
  if (/^[1-9]\d{0,18}$/.test(id)) return id;
  throw new FlowError({
    code: "INVALID_ARGUMENTS",
    message: "A request is named by its record number.",
    place: "argument <request id>",
    remedy: "Take it from the request app, or from the inbox.",
  });
}

/** What the poller of this workspace would judge the request through. */
async function depsOf(workspace: Parameters<Parameters<typeof withWorkspace>[1]>[0], { env }: CliContext) {
  const room = await import("../../console/index.ts");
  return room.workspacePollerDeps({
    workspace,
    requests: room.requireRequests(workspace, env),
    clock: room.clockFor(workspace.baseUrl, env),
    options: room.pollOptions(env),
    runNetwork: workspace.orchestrator.runNetwork,
  });
}
