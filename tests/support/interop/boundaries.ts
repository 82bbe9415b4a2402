import { createActs } from "./acts.ts";
import { expectInvariants } from "./invariants.ts";
import { killAt } from "./kill.ts";
import { jsonOf, type Program } from "./program.ts";
import { ILL, type ScriptedRig, WELL } from "./scripted-rig.ts";
import { unlock, type Wreck, type WreckPoint, wreckRule, writesOf } from "./wreck.ts";

/** Something one program does to a Run and is killed in; the other one ends it. */
export interface Operation {
  readonly name: "NEW" | "RESUME" | "RERUN_FROM" | "CLOSE";
  args(net: Wreck, runId: string, reasonFile: string): readonly string[];
}

const resume = (net: Wreck, runId: string): readonly string[] => [
  ...["run-network", net.file, "--resume-run", runId, "--json"],
];

/** Every operation that writes a chain of records under the lock (orchestration sections 2, 4). */
export const OPERATIONS: readonly Operation[] = [
  { name: "NEW", args: (net) => ["run-network", net.file, "--business-key", net.key, "--json"] },
  { name: "RESUME", args: resume },
  { name: "RERUN_FROM", args: (net, runId) => [...resume(net, runId), "--rerun-from", "a"] },
  {
    name: "CLOSE",
    args: (net, runId, why) => ["archive-run", net.file, "--run-id", runId, "--reason-file", why],
  },
];

export interface Boundary {
  readonly victim: Program["name"];
  readonly operation: Operation;
  readonly point: WreckPoint;
}

export const boundaryName = ({ victim, operation, point }: Boundary): string =>
  `${victim} ${operation.name} write ${point.write} ${point.phase}`;

const opposite = (rig: ScriptedRig, name: Program["name"]): Program =>
  name === "ours" ? rig.peer : rig.ours;

/** A network of its own and, but for NEW, a Run of the other program that failed at its second node. */
async function begin(rig: ScriptedRig, { victim, operation }: Omit<Boundary, "point">, networkId: string) {
  const file = await rig.network({ id: networkId, nodes: [{ id: "a" }, { id: "b", dependsOn: ["a"] }] });
  const net: Wreck = { networkId, file, key: "k" };
  if (operation.name === "NEW") return { net, runId: "" };
  await rig.script(`${networkId}_b`, ILL);
  const { runId } = await createActs(rig).create(opposite(rig, victim), file, net.key);
  if (operation.name !== "CLOSE") await rig.script(`${networkId}_b`, WELL);
  return { net, runId };
}

/** Runs every operation of both once, to its end, and names each of its writes twice: before it and after it. */
export async function boundaries(rig: ScriptedRig): Promise<readonly Boundary[]> {
  const found: Boundary[] = [];
  for (const victim of ["peer", "ours"] as const) {
    for (const operation of OPERATIONS) {
      const networkId = `whole_${victim}_${operation.name}`;
      const { net, runId } = await begin(rig, { victim, operation }, networkId);
      const since = (await rig.control.journal()).at(-1)?.seq ?? 0;
      await rig[victim].run(operation.args(net, runId, rig.reasonFile));
      const writes = await writesOf(rig, rig[victim], since);
      for (let write = 1; write <= writes; write += 1) {
        const phases = ["before", "after-success"] as const;
        for (const phase of phases) found.push({ victim, operation, point: { write, phase } });
      }
    }
  }
  return found;
}

/** Kills at one boundary, lets the other program bring the Run to its end, and asks the invariants. */
export async function crossAt(rig: ScriptedRig, boundary: Boundary, networkId: string): Promise<void> {
  const { victim, operation, point } = boundary;
  const { net, runId } = await begin(rig, boundary, networkId);
  await killAt(rig, rig[victim], operation.args(net, runId, rig.reasonFile), ...wreckRule(victim, point));
  const by = opposite(rig, victim);
  const story = operation.name === "CLOSE" ? await close(rig, by, net, runId) : await bringHome(rig, by, net);
  const rerun = operation.name === "RERUN_FROM" ? ["a", "b"] : [];
  await expectInvariants(rig, { networkId, ...story, rerun });
}

/** Unlocks and closes; a Run that is archived already stays as it is. */
async function close(rig: ScriptedRig, by: Program, net: Wreck, runId: string) {
  // The lock of the peer's archive-run names a host and no process (W-13): only a person can confirm its stop.
  await unlock(rig, by, net.networkId, "manual");
  const { outcome } = jsonOf(await createActs(rig).close(by, net.file, runId));
  if (outcome === "ARCHIVED" || outcome === "ALREADY_ARCHIVED") return { runId };
  throw new Error(`${by.name} could not close the Run: ${String(outcome)}`);
}

/** More rounds than any wreck of two nodes needs. */
const ROUNDS = 5;

/** Unlocks, resumes and resolves by the documented commands until the Run is SUCCESS. */
async function bringHome(rig: ScriptedRig, by: Program, net: Wreck) {
  const acts = createActs(rig);
  const { reads, profile } = rig.workspace;
  const resolved: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await unlock(rig, by, net.networkId);
    const scope = { profile, networkId: net.networkId, businessKey: net.key };
    const known = await reads.findRunByKey(scope);
    const said =
      known === null
        ? await acts.create(by, net.file, net.key)
        : await acts.resume(by, net.file, known.runId);
    if (said.aggregate === "SUCCESS") return { runId: said.runId, resolved };
    const states = await reads.listNodeStates(said.runId);
    const unknown = states.filter(({ status }) => status === "UNKNOWN");
    if (unknown.length === 0) throw new Error(`${by.name} is stuck: ${JSON.stringify(said)}`);
    for (const { nodeId } of unknown) {
      await acts.resolve(by, said.runId, nodeId, "SUCCESS");
      resolved.push(nodeId);
    }
  }
  throw new Error(`${by.name} did not come to an end in ${ROUNDS} rounds`);
}
