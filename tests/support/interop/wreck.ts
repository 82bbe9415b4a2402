import { createActs, type RunSaid } from "./acts.ts";
import { type KillPoint, killAt } from "./kill.ts";
import type { Env, Program } from "./program.ts";
import type { ScriptedRig } from "./scripted-rig.ts";

/** Beyond every lease a test takes, and its allowance of a minute (orchestration section 3.3). */
const BEYOND_LEASE_MS = 600_000;
/** Only ours has a test clock: it looks from later at the peer's locks, and takes its own ones long ago. */
const LATER = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(BEYOND_LEASE_MS) };
const LONG_AGO = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(-BEYOND_LEASE_MS) };

/** Which of its own writes a program is killed at: of the peer every POST and PUT counts, of ours every bulk. */
export interface WreckPoint {
  readonly write: number;
  readonly phase: "before" | "after-success";
}

export interface Wreck {
  readonly networkId: string;
  readonly file: string;
  readonly key: string;
}

const isWrite = {
  ours: { path: "bulkRequest", within: "call" },
  peer: { methods: ["POST", "PUT"] },
} satisfies Record<Program["name"], KillPoint["match"]>;

/** Where and with which clock a program is killed at one of its writes. */
export const wreckRule = (name: Program["name"], { write, phase }: WreckPoint): [KillPoint, Env] => [
  { match: isWrite[name], nth: write, phase },
  name === "ours" ? LONG_AGO : {},
];

/** How many writes a program made after an entry of the journal. */
export async function writesOf(rig: ScriptedRig, { name }: Program, since: number): Promise<number> {
  const entries = await rig.control.journal(since);
  return entries.filter(
    (entry) =>
      entry.kind === "request" &&
      entry.client === name &&
      (name === "ours" ? entry.path.includes("bulkRequest") : entry.method !== "GET"),
  ).length;
}

/** Starts a Run and kills its program; answers the Run's id, null when the Run was not there yet. */
export async function wreck(
  rig: ScriptedRig,
  by: Program,
  { networkId, file, key }: Wreck,
  point: WreckPoint,
): Promise<string | null> {
  const args = ["run-network", file, "--business-key", key, "--json"];
  await killAt(rig, by, args, ...wreckRule(by.name, point));
  const { reads, profile } = rig.workspace;
  return (await reads.findRunByKey({ profile, networkId, businessKey: key }))?.runId ?? null;
}

/** Frees the lock that a killed program left, by the other one; nothing when there is none. */
export async function unlock(
  rig: ScriptedRig,
  by: Program,
  networkId: string,
  method: "local_pid" | "manual" = "local_pid",
): Promise<void> {
  const { reads, profile } = rig.workspace;
  const lock = await reads.findLock({ profile, networkId });
  if (lock === null) return;
  const owner = lock.ownerInvocationId ?? "";
  const env = by.name === "ours" ? LATER : {};
  const end = await createActs(rig).unlock(by, networkId, owner, method, env);
  if (end.exitCode !== 0) throw new Error(`${by.name} could not free the lock: ${end.stderr}`);
}

/** Frees the lock and goes on with the Run. */
export async function takeOver(
  rig: ScriptedRig,
  by: Program,
  { networkId, file }: Wreck,
  runId: string,
): Promise<RunSaid> {
  await unlock(rig, by, networkId);
  return createActs(rig).resume(by, file, runId);
}
