import type { Command } from "../command.ts";
import { shown } from "../shown.ts";
import { given, readReason, refuse, withWorkspace } from "./acting.ts";
import { dryRun, isDryRun, PLANNING, seenIn } from "./planning.ts";

/** `realign-node`: takes up a Node State that a person edited in kintone (orchestration section 11.1, REVISION_SERIES_INVERTED). */
export const realignNode: Command = {
  spec: {
    name: "realign-node",
    summary: "Takes up a node whose record was edited by hand, with an audit; only its revision is written.",
    positional: null,
    options: [
      { name: "--run-id", value: "run id", text: "the Run", required: true },
      { name: "--node-id", value: "node", text: "the node", required: true },
      { name: "--reason-file", value: "path", text: "a text file that says why", required: true },
      { name: "--evidence-ref", value: "text", text: "what shows what was edited", required: true },
      {
        name: "--confirmed-by",
        value: "name",
        text: "who made sure that the record may stand as it is",
        required: true,
      },
      ...PLANNING,
    ],
    example:
      "flownet realign-node --run-id netrun_… --node-id load --reason-file why.txt --evidence-ref INC-1 --confirmed-by sato --dry-run",
  },
  fallbackCode: "REALIGN_NODE_FAILED",
  async run(args, context) {
    const reason = await readReason(args, context);
    const runId = given(args, "--run-id");
    const nodeId = given(args, "--node-id");
    const seen = await seenIn(args, context, { operations: ["REALIGN_NODE"], subject: { runId, nodeId } });
    return withWorkspace(context, async ({ recovery, requestedBy, servicePrincipal, plans }) => {
      const wish = {
        nodeId,
        reason,
        evidenceRef: given(args, "--evidence-ref"),
        confirmedBy: given(args, "--confirmed-by"),
        requestedBy,
        servicePrincipal,
      };
      if (isDryRun(args)) return dryRun({ plans }, args, context, { kind: "realign-node", runId, wish });
      const realigned = await recovery.realignNode({ runId, wish, seen, signal: context.signal });
      if (!realigned.ok) refuse(realigned.error);
      const { revision, status, eventId } = realigned.value;
      const where = `${shown(runId)}/${shown(nodeId)}`;
      context.out(`REALIGNED: ${where} stays ${status} (revision ${revision}, audit ${eventId}).\n`);
      context.err("A resume goes on from the record as it is now.\n");
      return 0;
    });
  },
};
