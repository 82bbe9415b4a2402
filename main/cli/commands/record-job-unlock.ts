import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { errorText, FlowError } from "../../../shared/domain/problem.ts";
import type { Command } from "../command.ts";
import { shown } from "../shown.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";

/** `record-job-unlock`: keeps the result of a forced job lock release with its node (orchestration sections 5.5 and 9.1). */
export const recordJobUnlock: Command = {
  spec: {
    name: "record-job-unlock",
    summary: "Keeps the result of a forced job lock release with the node it belongs to.",
    positional: null,
    options: [
      {
        name: "--result-file",
        value: "path",
        text: "what `flownet job force-unlock --json` answered",
        required: true,
      },
      { name: "--run-id", value: "run id", text: "the Run", required: true },
      { name: "--node-id", value: "node", text: "the node", required: true },
      { name: "--reason-file", value: "path", text: "why, as text", required: true },
      { name: "--evidence-ref", value: "text", text: "where the incident is kept", required: true },
      {
        name: "--stop-confirmed-by",
        value: "name",
        text: "who made sure that the job has ended",
        required: true,
      },
    ],
    example:
      "flownet record-job-unlock --result-file unlock.json --run-id netrun_… --node-id load --reason-file why.txt --evidence-ref INC-1 --stop-confirmed-by tanaka",
  },
  fallbackCode: "RECORD_JOB_UNLOCK_FAILED",
  async run(args, context) {
    const reason = await readReason(args, context);
    const result = await readJson(resolve(context.cwd, given(args, "--result-file")));
    return withWorkspace(context, async ({ recovery, requestedBy, servicePrincipal }) => {
      const recorded = await recovery.recordJobUnlock({
        result,
        runId: given(args, "--run-id"),
        nodeId: given(args, "--node-id"),
        reason,
        evidenceRef: given(args, "--evidence-ref"),
        stopConfirmedBy: given(args, "--stop-confirmed-by"),
        requestedBy,
        servicePrincipal,
        signal: context.signal,
      });
      if (!recorded.ok) refuse(recorded.error);
      const { jobKey, outcome, eventId } = recorded.value;
      context.out(`RECORDED: ${shown(jobKey)} ${outcome} (event ${eventId}).\n`);
      return 0;
    });
  },
};

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new FlowError({
      code: "INVALID_LOCK_RECOVERY_RESULT",
      message: `The result cannot be read: ${errorText(error)}`,
      place: path,
      remedy: "Name the file that holds the JSON line of the forced release.",
    });
  }
}
