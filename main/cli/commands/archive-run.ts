import { resolve } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { ArchiveRunOutcome } from "../../orchestrator/index.ts";
import type { ParsedArguments } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { problemText } from "../problem-text.ts";
import { given, readReason, withWorkspace } from "./acting.ts";
import { dryRun, isDryRun, PLANNING, seenIn } from "./planning.ts";

/** `archive-run`: closes a Run that ended without success, for good (orchestration sections 4.8 and 9.2). */
export const archiveRun: Command = {
  spec: {
    name: "archive-run",
    summary: "Closes a failed or cancelled Run for good; it can never be resumed again.",
    positional: { name: "network.yaml", text: "the definition of the Run's network" },
    options: [
      { name: "--run-id", value: "run id", text: "the Run", required: true },
      { name: "--reason-file", value: "path", text: "why, as text", required: true },
      { name: "--profile", value: "profile", text: "default: the workspace's profile" },
      ...PLANNING,
    ],
    example: "flownet archive-run network.yaml --run-id netrun_… --reason-file why.txt",
  },
  fallbackCode: "ARCHIVE_RUN_FAILED",
  async run(args, context) {
    const reason = await readReason(args, context);
    const networkId = await networkOf(args, context);
    const runId = given(args, "--run-id");
    const seen = await seenIn(args, context, { operations: ["CLOSE"], subject: { runId, networkId } });
    return withWorkspace(context, async (workspace) => {
      const { requestedBy, servicePrincipal } = workspace;
      const profile = args.values["--profile"] ?? workspace.profile;
      const wish = { profile, networkId, runId, reason, requestedBy };
      if (isDryRun(args)) return dryRun(workspace, args, context, { kind: "archive-run", ...wish });
      const outcome = await workspace.recovery.archiveRun({
        ...wish,
        servicePrincipal,
        seen,
        signal: context.signal,
      });
      if (outcome.problem !== null) context.err(problemText(outcome.problem));
      context.out(`${JSON.stringify(wire(outcome))}\n`);
      return succeeded(outcome) ? 0 : 1;
    });
  },
};

async function networkOf({ positional }: ParsedArguments, { cwd }: CliContext): Promise<string> {
  const path = resolve(cwd, positional ?? "");
  const { validateDefinition } = await import("../../orchestrator/index.ts");
  const { networkId, problems } = await validateDefinition(path);
  if (networkId !== null) return networkId;
  throw new FlowError(
    problems[0] ?? {
      code: "NETWORK_FILE_UNREADABLE",
      message: "The definition cannot be read.",
      place: path,
    },
  );
}

/** The peer's one line (orchestration section 9.2): `audit` of an archived Run, `code` of everything but success. */
function wire(outcome: ArchiveRunOutcome): Readonly<Record<string, unknown>> {
  return {
    run_id: outcome.runId,
    event_id: outcome.eventId,
    outcome: outcome.outcome,
    run_revision: outcome.runRevision,
    lock_released: outcome.lockReleased,
    ...(outcome.audit === null ? {} : { audit: outcome.audit }),
    ...(outcome.code === null ? {} : { code: outcome.code }),
  };
}

function succeeded({ outcome, audit, lockReleased }: ArchiveRunOutcome): boolean {
  const done = outcome === "ALREADY_ARCHIVED" || (outcome === "ARCHIVED" && audit === "RECORDED");
  return done && lockReleased;
}
