import { createActs, type RunSaid } from "./acts.ts";
import { killAt } from "./kill.ts";
import type { Program } from "./program.ts";
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

/** Starts a Run and kills its program; answers the Run's id, null when the Run was not there yet. */
export async function wreck(
  rig: ScriptedRig,
  by: Program,
  { networkId, file, key }: Wreck,
  { write, phase }: WreckPoint,
): Promise<string | null> {
  const ours = by.name === "ours";
  const args = ["run-network", file, "--business-key", key, "--json"];
  const match = ours ? { path: "bulkRequest", within: "call" as const } : peerWrites();
  await killAt(rig, by, args, { match, nth: write, phase }, ours ? LONG_AGO : {});
  const { reads, profile } = rig.workspace;
  return (await reads.findRunByKey({ profile, networkId, businessKey: key }))?.runId ?? null;
}

const peerWrites = () => ({ methods: ["POST" as const, "PUT" as const] });

/** Frees the lock that a killed program left, by the other one; nothing when there is none. */
export async function unlock(rig: ScriptedRig, by: Program, networkId: string): Promise<void> {
  const { reads, profile } = rig.workspace;
  const lock = await reads.findLock({ profile, networkId });
  if (lock === null) return;
  const owner = lock.ownerInvocationId ?? "";
  const env = by.name === "ours" ? LATER : {};
  const end = await createActs(rig).unlock(by, networkId, owner, "local_pid", env);
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
