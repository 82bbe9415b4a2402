import { randomUUID } from "node:crypto";
import type { AcquireInput, FlowStore, LockSession } from "../../main/store/ports.ts";

/** An acquisition of a network nobody else uses. */
export const lockInput = (over: Partial<AcquireInput> = {}): AcquireInput => ({
  profile: "prod",
  networkId: `net_${randomUUID()}`,
  ownerInvocationId: `invoke_${randomUUID()}`,
  ownerInstanceId: "local-pid://HOST-A/4321",
  leaseMs: 180_000,
  heartbeatMs: 60_000,
  ...over,
});

/** The session of an acquisition that must succeed. */
export async function takeLock(store: FlowStore, input: AcquireInput = lockInput()): Promise<LockSession> {
  const outcome = await store.acquireLock(input);
  if (outcome.kind !== "acquired") throw new Error(outcome.problem.message);
  return outcome.session;
}
