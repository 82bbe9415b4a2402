import type { OpenedWorkspace } from "../../main/console/index.ts";
import { createKintoneTransport, write } from "../../main/kintone-client/index.ts";

/** What somebody does who opens the record of a node in kintone, changes columns of it and saves (orchestration §11.1). */
export async function editNodeByHand(
  { environment, baseUrl, reads }: Pick<OpenedWorkspace, "environment" | "baseUrl" | "reads">,
  runId: string,
  nodeId: string,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const { KSQL_FLOWNET_STATE_APP_ID: app, KSQL_FLOWNET_STATE_API_TOKEN: token = "" } = environment();
  const state = (await reads.listNodeStates(runId)).find((each) => each.nodeId === nodeId);
  if (state === undefined) throw new Error(`the Run ${runId} has no node ${nodeId}`);
  const transport = createKintoneTransport({ baseUrl, tokens: new Map([[Number(app), [token]]]) });
  try {
    const record = Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value }]));
    const entry = { id: state.ref.recordId, record };
    const answer = await transport.send(write({ kind: "updateRecord", app: Number(app), entry }));
    if (answer.kind !== "ok") throw new Error(`not edited: ${JSON.stringify(answer)}`);
  } finally {
    await transport.dispose();
  }
}
