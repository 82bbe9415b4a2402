import { z } from "zod";
import type { RunGraph } from "../../../main/store/index.ts";
import { jsonOf, type Program } from "./program.ts";
import type { InteropRig } from "./rig.ts";

const statusSchema = z.looseObject({
  lock: z.looseObject({ owner_invocation_id: z.string(), owner_instance_id: z.string() }).nullable(),
  runs: z.array(
    z.looseObject({
      run_id: z.string(),
      status: z.string(),
      lifecycle_status: z.string(),
      activity: z.string().optional(),
      hold: z.looseObject({ state: z.string() }).nullable(),
      node_states: z.array(
        z.looseObject({ node_id: z.string(), status: z.string(), latest_attempt_no: z.number() }),
      ),
      reconciliation: z.looseObject({
        inconsistencies: z.array(z.looseObject({ code: z.string(), detail: z.string() })),
      }),
    }),
  ),
});
export type SeenStatus = z.output<typeof statusSchema>;

/** `status --run-id` of a program, as JSON (orchestration section 9.2). */
export async function statusOf(program: Program, networkId: string, runId: string): Promise<SeenStatus> {
  const args = ["status", networkId, "--profile", "local", "--run-id", runId, "--json"];
  return statusSchema.parse(jsonOf(await program.run(args)));
}

const codesIn = (status: SeenStatus): readonly string[] =>
  status.runs.flatMap((run) => run.reconciliation.inconsistencies.map(({ code }) => code));

/** The finding codes of both programs about one Run. Ours is asked in this process: the same code as the command. */
export async function findings(
  rig: InteropRig,
  networkId: string,
  runId: string,
): Promise<{ readonly ours: readonly string[]; readonly peer: readonly string[] }> {
  const { orchestrator, profile } = rig.workspace;
  const report = await orchestrator.status({ networkId, profile, runId });
  const ours = report.runs.flatMap((run) => (run.detail?.inconsistencies ?? []).map(({ code }) => code));
  return { ours, peer: codesIn(await statusOf(rig.peer, networkId, runId)) };
}

/** Node id to its status and the number of its latest attempt. */
export const nodesOf = (graph: RunGraph): Readonly<Record<string, readonly [string, number]>> =>
  Object.fromEntries(graph.states.map((state) => [state.nodeId, [state.status, state.latestAttemptNo]]));
