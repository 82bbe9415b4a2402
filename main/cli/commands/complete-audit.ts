import { isUtcInstant } from "../../../shared/domain/datetime.ts";
import type { Command } from "../command.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";
import { dryRun, isDryRun, PLANNING, seenIn } from "./planning.ts";

/** `complete-audit`: adds the one audit that a close could not store (orchestration section 4.8, decisions section 3). */
export const completeAudit: Command = {
  spec: {
    name: "complete-audit",
    summary: "Adds the audit that a close reported as missing (RUN_ARCHIVED_AUDIT_PENDING).",
    positional: null,
    options: [
      { name: "--run-id", value: "run id", text: "the closed Run", required: true },
      { name: "--event-id", value: "id", text: "the event id the close reported", required: true },
      { name: "--archived-at", value: "time", text: "when it was closed, ISO-8601 UTC", required: true },
      { name: "--previous-status", value: "status", text: "FAILED or CANCELLED", required: true },
      {
        name: "--run-revision-before",
        value: "number",
        text: "the Run's revision before the close",
        required: true,
      },
      { name: "--reason-file", value: "path", text: "the reason of the close", required: true },
      ...PLANNING,
    ],
    example:
      "flownet complete-audit --run-id netrun_… --event-id archive_… --archived-at 2026-09-02T03:12:00.000Z --previous-status FAILED --run-revision-before 9 --reason-file why.txt",
  },
  fallbackCode: "COMPLETE_AUDIT_FAILED",
  async run(args, context) {
    const reason = await readReason(args, context);
    const facts = {
      archivedAt: given(args, "--archived-at"),
      previousStatus: given(args, "--previous-status"),
      revision: given(args, "--run-revision-before"),
    };
    const { previousStatus } = facts;
    if (previousStatus !== "FAILED" && previousStatus !== "CANCELLED")
      return wrong("--previous-status", "FAILED or CANCELLED");
    if (!isUtcInstant(facts.archivedAt)) return wrong("--archived-at", "an ISO-8601 time in UTC");
    if (!/^[1-9]\d{0,9}$/.test(facts.revision)) return wrong("--run-revision-before", "a positive number");
    const reported = {
      runId: given(args, "--run-id"),
      eventId: given(args, "--event-id"),
      previousStatus,
      runRevisionBefore: Number(facts.revision),
    } as const;
    const { runId } = reported;
    const seen = await seenIn(args, context, { operations: ["COMPLETE_AUDIT"], subject: { runId } });
    return withWorkspace(context, async ({ recovery, requestedBy, servicePrincipal, plans }) => {
      if (isDryRun(args)) {
        return dryRun({ plans }, args, context, { kind: "complete-audit", reported, reason });
      }
      const completed = await recovery.completeAudit({
        ...reported,
        reason,
        archivedAt: facts.archivedAt,
        requestedBy,
        servicePrincipal,
        seen,
        signal: context.signal,
      });
      if (!completed.ok) refuse(completed.error);
      context.out(`RECORDED: ${completed.value.eventId}\n`);
      return 0;
    });
  },
};

const wrong = (place: string, form: string): never =>
  refuse({ code: "INVALID_ARGUMENTS", message: `This option takes ${form}.`, place, remedy: "Correct it." });
