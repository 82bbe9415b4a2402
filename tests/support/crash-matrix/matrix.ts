import type { CrashOperation } from "./operation.ts";
import { CRASH_OPERATIONS } from "./operations.ts";
import type { CrashWorld, KillPhase } from "./world.ts";

/** One moment of one operation. */
export interface CrashPoint {
  readonly operation: CrashOperation;
  readonly request: number;
  readonly phase: KillPhase;
}

const startOf = (operation: CrashOperation): string => `start-${CRASH_OPERATIONS.indexOf(operation)}`;

/** Runs every operation once, to its end, and names each of its requests twice: before it and after it (orchestration section 2.3). */
export async function crashPoints(world: CrashWorld): Promise<readonly CrashPoint[]> {
  const points: CrashPoint[] = [];
  await world.keep("empty");
  for (const operation of CRASH_OPERATIONS) {
    await world.back("empty");
    await operation.prepare(world);
    await world.keep(startOf(operation));
    const requests = await world.whole(await operation.args(world), operation.offsetMs);
    for (let request = 1; request <= requests; request += 1) {
      points.push({ operation, request, phase: "before" }, { operation, request, phase: "after-success" });
    }
  }
  return points;
}

/** Kills at one point and brings the world home again; false when the operation had ended before it came to the point. */
export async function crashAt(
  world: CrashWorld,
  { operation, request, phase }: CrashPoint,
): Promise<boolean> {
  await world.back(startOf(operation));
  const args = await operation.args(world);
  const killed = await world.killAt(args, request, phase, operation.offsetMs);
  await operation.after(world);
  return killed;
}

export const pointName = ({ operation, request, phase }: CrashPoint): string =>
  `${operation.name} request ${request} ${phase}`;
