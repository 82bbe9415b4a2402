import path from "node:path";
import type { RunGraph } from "../../../main/store/index.ts";
import type { Env, ProgramEnd } from "../interop/program.ts";
import type { JobScript, NetworkNode, NetworkOptions } from "../scripted-workspace.ts";
import { jsonOf, PROFILE, type Stage } from "./stage.ts";

/** A node that follows others; it ends well unless its script says otherwise. */
export const node = (id: string, dependsOn: readonly string[] = [], script: JobScript = {}): NetworkNode => ({
  id,
  dependsOn,
  script: { ending: "OK", ...script },
});
export const FAILS: JobScript = { ending: "ASSERT_FAILED" };

/** n1 → n2 (fails) → n3 (orchestration section 10, "midfail"). */
export const midfail = (): readonly NetworkNode[] => [
  node("n1"),
  node("n2", ["n1"], FAILS),
  node("n3", ["n2"]),
];

/** n1 waits for its gate and tells the JOB log first; n2 is independent; n3 joins (section 10, "drill"). */
export const drill = (stage: Stage, id: string): readonly NetworkNode[] => [
  node("n1", [], { waitFor: gateOf(stage, id), jobLogFirst: STARTED, jobLogEnd: { status: "SUCCESS" } }),
  node("n2"),
  node("n3", ["n1", "n2"]),
];
/** The JOB log record of a child that has begun, with its durable marker. */
export const STARTED = { status: "RUNNING", runner_execution_started_at: "2026-09-01T00:00:12Z" } as const;

/** The file that lets n1 of a network end. */
export const gateOf = ({ folder }: Stage, id: string): string => path.join(folder, `${id}.gate`);

export const newRun = (file: string, ...more: readonly string[]): readonly string[] => [
  ...["run-network", file, "--business-key", "k", "--json"],
  ...more,
];
export const resumeRun = (file: string, runId: string, ...more: readonly string[]): readonly string[] => [
  ...["run-network", file, "--resume-run", runId, "--json"],
  ...more,
];

/** A Run this process makes, where a scenario finds it in place; its id. */
export async function seedRun(stage: Stage, file: string, key = "k"): Promise<string> {
  const { runId } = await stage.workspace.orchestrator.runNetwork({
    definitionPath: file,
    businessKey: key,
    requestedBy: "earlier",
  });
  return runId ?? "";
}

/** The Run of a network's key as soon as it is in the records. */
export async function runIdOf(stage: Stage, networkId: string): Promise<string> {
  const [run] = await stage.workspace.reads.listRuns({ profile: PROFILE, networkId });
  return run?.runId ?? "";
}
export const graphOf = (stage: Stage, runId: string): Promise<RunGraph> =>
  stage.workspace.reads.readRunGraph(runId);

/** Node by node: status and number of the latest attempt. */
export const nodesOf = ({ states }: RunGraph): Readonly<Record<string, readonly [string, number]>> =>
  Object.fromEntries(
    states.map(({ nodeId, status, latestAttemptNo }) => [nodeId, [status, latestAttemptNo] as const]),
  );

/** The only Run of `status --run-id`, as its JSON tells it, and the lock beside it. */
export async function statusOf(stage: Stage, networkId: string, runId: string, env: Env = {}) {
  const args = ["status", networkId, "--profile", PROFILE, "--run-id", runId, "--json"];
  const { lock, runs } = jsonOf(await stage.flownet(args, env));
  return { lock, run: Array.isArray(runs) ? runs[0] : undefined };
}

/** The owner of a lock that is held. */
export async function ownerOf(stage: Stage, networkId: string): Promise<string> {
  const lock = await stage.workspace.reads.findLock({ profile: PROFILE, networkId });
  return lock?.ownerInvocationId ?? "";
}

export function unlock(
  stage: Stage,
  networkId: string,
  owner: string,
  env: Env = {},
  method = "local_pid",
): Promise<ProgramEnd> {
  return stage.flownet(
    [
      ...["force-unlock-network", networkId, "--profile", PROFILE, "--reason-file", stage.reasonFile],
      ...["--expected-owner-invocation-id", owner, "--evidence-ref", "INC-1", "--stop-confirmed-by", "sato"],
      ...["--stop-evidence-ref", "INC-1#2", "--stop-method", method],
    ],
    env,
  );
}

export function resolve(
  stage: Stage,
  runId: string,
  nodeId: string,
  ...more: readonly string[]
): Promise<ProgramEnd> {
  return stage.flownet([
    ...["resolve-node", "--run-id", runId, "--node-id", nodeId, "--to", "SUCCESS", "--manual-completion"],
    ...["--reason-file", stage.reasonFile, "--evidence-ref", "INC-1", "--stop-confirmed-by", "sato"],
    ...["--stop-evidence-ref", "INC-1#2", ...more],
  ]);
}

export const cancelRun = (stage: Stage, runId: string, ...more: readonly string[]): Promise<ProgramEnd> =>
  stage.flownet(["cancel-run", "--run-id", runId, "--reason-file", stage.reasonFile, ...more]);

export const archiveRun = (stage: Stage, file: string, runId: string): Promise<ProgramEnd> =>
  stage.flownet(["archive-run", file, "--run-id", runId, "--reason-file", stage.reasonFile]);

/** Every record of a Run with its revision: what may not have moved. */
export const fingerprint = (stage: Stage, runId: string): Promise<readonly string[]> =>
  stage.records.revisions(`run_id in ("${runId}")`);
/** Every record of state and audit app with its revision. */
export const everything = (stage: Stage): Promise<readonly string[]> => stage.records.revisions("$id > 0");

/** Makes networks of a stage that requests may name; every call adds one to the list of the allowed. */
export function openAllowList(stage: () => Stage) {
  const allowed: { readonly id: string; readonly file: string; readonly appStart?: boolean }[] = [];
  return async (
    id: string,
    nodes: readonly NetworkNode[],
    { appStart, ...options }: NetworkOptions & { readonly appStart?: boolean } = {},
  ): Promise<string> => {
    const file = await stage().network(id, nodes, options);
    allowed.push({ id, file, ...(appStart === undefined ? {} : { appStart }) });
    await stage().allow(allowed);
    return file;
  };
}
