import type { ResolvedOutcome } from "../../../shared/domain/model.ts";
import { resolveConsequences } from "../../../shared/domain/resolve-node.ts";
import type { ParsedArguments } from "../arguments.ts";
import type { Command } from "../command.ts";
import { shown } from "../shown.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";
import { dryRun, isDryRun, PLANNING, seenIn } from "./planning.ts";

const OUTCOMES: readonly ResolvedOutcome[] = ["SUCCESS", "FAILED", "CANCELLED"];

/** `resolve-node`: writes a person's word about a node nobody could prove the end of (orchestration sections 5.4 and 9.1). */
export const resolveNode: Command = {
  spec: {
    name: "resolve-node",
    summary: "Decides a node whose outcome is unknown, with evidence. The choice is final.",
    positional: null,
    options: [
      { name: "--run-id", value: "run id", text: "the Run", required: true },
      { name: "--node-id", value: "node", text: "the node", required: true },
      { name: "--to", value: "outcome", text: "SUCCESS, FAILED or CANCELLED", required: true },
      { name: "--reason-file", value: "path", text: "why, as text", required: true },
      { name: "--evidence-ref", value: "text", text: "what shows the outcome", required: true },
      {
        name: "--stop-confirmed-by",
        value: "name",
        text: "who made sure that the job has ended",
        required: true,
      },
      { name: "--stop-evidence-ref", value: "text", text: "what shows that it ended", required: true },
      {
        name: "--manual-completion",
        value: null,
        text: "the work was seen complete; needed for SUCCESS",
        excludes: ["--compensation"],
      },
      { name: "--compensation", value: null, text: "what it did was undone" },
      { name: "--approved-by", value: "name", text: "a second person, where one is needed" },
      ...PLANNING,
    ],
    example:
      "flownet resolve-node --run-id netrun_… --node-id load --to SUCCESS --manual-completion --reason-file why.txt --evidence-ref INC-1 --stop-confirmed-by tanaka --stop-evidence-ref job-log-0312",
  },
  fallbackCode: "RESOLVE_NODE_FAILED",
  async run(args, context) {
    const outcome = OUTCOMES.find((each) => each === given(args, "--to"));
    if (outcome === undefined) {
      refuse({
        code: "INVALID_ARGUMENTS",
        message: "A node is resolved to SUCCESS, FAILED or CANCELLED.",
        place: "--to",
        remedy: "Choose one of them.",
      });
    }
    const reason = await readReason(args, context);
    const runId = given(args, "--run-id");
    const nodeId = given(args, "--node-id");
    const seen = await seenIn(args, context, { operations: ["RESOLVE_NODE"], subject: { runId, nodeId } });
    return withWorkspace(context, async ({ recovery, requestedBy, servicePrincipal, reads, plans }) => {
      const wish = { ...wishOf(args), nodeId, outcome, reason, requestedBy, servicePrincipal };
      if (isDryRun(args)) return dryRun({ plans }, args, context, { kind: "resolve-node", runId, wish });
      const resolved = await recovery.resolveNode({ runId, seen, signal: context.signal, wish });
      if (!resolved.ok) refuse(resolved.error);
      const { revision, runStatus } = resolved.value;
      context.out(`RESOLVED: ${shown(runId)}/${shown(nodeId)} -> ${outcome} (revision ${revision}).\n`);
      const states = await reads.listNodeStates(runId);
      const idempotent = states.find((state) => state.nodeId === nodeId)?.idempotent ?? true;
      context.err(nextStep(runStatus, resolveConsequences(outcome, { idempotent }).retriedByResume));
      return 0;
    });
  },
};

const wishOf = (args: ParsedArguments) => ({
  manualCompletion: args.flags.has("--manual-completion"),
  compensation: args.flags.has("--compensation"),
  evidenceRef: given(args, "--evidence-ref"),
  stopConfirmedBy: given(args, "--stop-confirmed-by"),
  stopEvidenceRef: given(args, "--stop-evidence-ref"),
  approvedBy: args.values["--approved-by"] ?? null,
});

function nextStep(runStatus: string, retried: boolean): string {
  if (runStatus === "SUCCESS") return "The Run is now SUCCESS.\n";
  const what = retried ? "runs the node again and goes on" : "goes on with what may still run";
  return `The Run is now ${runStatus}; a resume ${what}.\n`;
}
