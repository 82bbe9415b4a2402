import { resolve } from "node:path";
import type { Workspace } from "../../console/index.ts";
import type { ForceUnlockInput } from "../../orchestrator/index.ts";
import type { ParsedArguments } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { shown } from "../shown.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";
import { dryRun, isDryRun, PLANNING, seenIn } from "./planning.ts";

/** `force-unlock-network`: takes a Network lock from an owner that has stopped (orchestration sections 3.5 and 9.1). */
export const forceUnlockNetwork: Command = {
  spec: {
    name: "force-unlock-network",
    summary: "Releases the lock of a network whose owner is proven to have stopped.",
    positional: { name: "network id", text: "the network's id, as in its definition" },
    options: [
      { name: "--profile", value: "profile", text: "the lock's profile", required: true },
      {
        name: "--expected-owner-invocation-id",
        value: "id",
        text: "the owner that was looked at",
        required: true,
      },
      { name: "--reason-file", value: "path", text: "why, as text", required: true },
      { name: "--evidence-ref", value: "text", text: "where the incident is kept", required: true },
      {
        name: "--stop-confirmed-by",
        value: "name",
        text: "who made sure that the owner has stopped",
        required: true,
      },
      { name: "--stop-evidence-ref", value: "text", text: "what shows the stop", required: true },
      {
        name: "--stop-method",
        value: "method",
        text: "manual, local_pid or cloud_run_job_execution",
        required: true,
      },
      { name: "--expected-pid", value: "pid", text: "the process that was looked for" },
      {
        name: "--evidence-file",
        value: "path",
        text: "a file that shows the stop; it is kept, its hash recorded",
      },
      {
        name: "--without-audit",
        value: null,
        text: "release although the audit was just refused; complete it afterwards",
      },
      ...PLANNING,
    ],
    example:
      "flownet force-unlock-network monthly_summary --profile prod --expected-owner-invocation-id invoke_… --reason-file why.txt --evidence-ref INC-1 --stop-confirmed-by tanaka --stop-evidence-ref tasklist-0312 --stop-method local_pid",
  },
  fallbackCode: "FORCE_UNLOCK_NETWORK_FAILED",
  async run(args, context) {
    const reason = await readReason(args, context);
    const networkId = args.positional ?? "";
    const seen = await seenIn(args, context, { operations: ["FORCE_UNLOCK"], subject: { networkId } });
    return withWorkspace(context, async (workspace) => {
      const wish = wishOf(workspace, args, reason);
      const withoutAudit = args.flags.has("--without-audit");
      if (isDryRun(args)) {
        return dryRun(workspace, args, context, { kind: "force-unlock", wish, withoutAudit });
      }
      const evidenceFile = await evidence(workspace, args, context);
      const outcome = await workspace.recovery.forceUnlock({
        wish,
        seen,
        evidenceFile,
        withoutAudit,
        signal: context.signal,
      });
      if (!outcome.ok) refuse(outcome.error);
      const { lockKey, previousOwnerInvocationId, postRevision, audit, eventId } = outcome.value;
      const owner = shown(previousOwnerInvocationId);
      context.out(`RELEASED: ${lockKey} (previous owner ${owner}, post revision ${postRevision}).\n`);
      context.out("Attempts and Node States are as they were: resume the Run to have them judged.\n");
      if (audit === "PENDING")
        context.err(`The audit of event ${eventId} is missing; add it to the audit app.\n`);
      return 0;
    });
  },
};

function wishOf(
  { requestedBy, servicePrincipal }: Workspace,
  args: ParsedArguments,
  reason: string,
): ForceUnlockInput["wish"] {
  const pid = args.values["--expected-pid"];
  return {
    networkId: args.positional ?? "",
    profile: given(args, "--profile"),
    expectedOwnerInvocationId: given(args, "--expected-owner-invocation-id"),
    reason,
    evidenceRef: given(args, "--evidence-ref"),
    stopConfirmedBy: given(args, "--stop-confirmed-by"),
    stopEvidenceRef: given(args, "--stop-evidence-ref"),
    stopMethod: given(args, "--stop-method"),
    servicePrincipal,
    requestedBy,
    expectedPid: pid === undefined ? null : pidOf(pid),
  };
}

function pidOf(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  return refuse({
    code: "INVALID_ARGUMENT",
    message: "A process id is a positive number.",
    place: "--expected-pid",
    remedy: "Give the number the lock screen or status shows.",
  });
}

async function evidence(
  { keepEvidence }: Workspace,
  { values }: ParsedArguments,
  { cwd }: CliContext,
): Promise<ForceUnlockInput["evidenceFile"]> {
  const path = values["--evidence-file"];
  if (path === undefined) return null;
  const kept = await keepEvidence(resolve(cwd, path));
  return kept.ok ? kept.value : refuse(kept.error);
}
