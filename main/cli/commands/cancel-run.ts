import { recordKeys } from "../../../shared/domain/keys.ts";
import type { Command } from "../command.ts";
import { shown } from "../shown.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";
import { dryRun, isDryRun, PLANNING, seenIn } from "./planning.ts";

/** `cancel-run`: holds a Run before its next node, or frees it (orchestration sections 4.7 and 9.1). */
export const cancelRun: Command = {
  spec: {
    name: "cancel-run",
    summary: "Holds a Run before its next node, or with --release frees it. Starts nothing.",
    positional: null,
    options: [
      { name: "--run-id", value: "run id", text: "the Run", required: true },
      { name: "--reason-file", value: "path", text: "why, as text", required: true },
      { name: "--release", value: null, text: "free the Run instead" },
      ...PLANNING,
    ],
    example: "flownet cancel-run --run-id netrun_… --reason-file why.txt",
  },
  fallbackCode: "CANCEL_RUN_FAILED",
  async run(args, context) {
    const runId = given(args, "--run-id");
    const reason = await readReason(args, context);
    const release = args.flags.has("--release");
    const seen = await seenIn(args, context, {
      operations: [release ? "RELEASE" : "STOP"],
      subject: { runId },
    });
    return withWorkspace(context, async ({ recovery, requestedBy, plans }) => {
      if (isDryRun(args)) {
        const wish = { kind: "cancel-run", runId, release, reason, requestedBy } as const;
        return dryRun({ plans }, args, context, wish);
      }
      const outcome = await recovery.cancelRun({
        runId,
        release,
        reason,
        requestedBy,
        seen,
        signal: context.signal,
      });
      if (!outcome.ok) refuse(outcome.error);
      const { hold } = outcome.value;
      const key = recordKeys.hold(runId);
      const state = hold?.state ?? "RELEASED";
      context.out(
        `${state}: ${shown(key.ok ? key.value : runId)} (revision ${hold?.ref.revision ?? "none"}).\n`,
      );
      return 0;
    });
  },
};
