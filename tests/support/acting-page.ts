import { randomUUID } from "node:crypto";
import type { ActionExecute, ConsoleApi, Intent, Operation, PlannedAction } from "../../shared/api/index.ts";
import type { Result } from "../../shared/domain/problem.ts";
import { value } from "./console-fixture.ts";

/** The confirmation a page would send for what it was shown. */
export const confirmationOf = (
  intent: Intent,
  { plan, friction }: PlannedAction,
  over: Partial<ActionExecute> = {},
): ActionExecute => ({
  operationId: randomUUID(),
  intent,
  seen: { ...plan.seen },
  fingerprint: plan.fingerprint,
  typed: friction.identifier ?? "",
  consent: { kind: "none" },
  ...over,
});

/** Plans and confirms like a page; the answer of the confirmation. */
export async function confirmed(
  api: ConsoleApi,
  intent: Intent,
  over: Partial<ActionExecute> = {},
): Promise<Result<{ readonly operationId: string; readonly acceptedAt: string }>> {
  const planned = value(await api.acting.plan({ intent }));
  return api.acting.execute(confirmationOf(intent, planned, over));
}

/** The operation once it has ended, heard like a page hears it. */
export async function endOf(api: ConsoleApi, operationId: string): Promise<Operation> {
  const giveUp = AbortSignal.timeout(60_000);
  const news = await api.live.watch({}, { signal: giveUp });
  const known = await api.operations.get({ operationId });
  if (known.ok && known.value.endedAt !== null) {
    await news.return();
    return known.value;
  }
  for await (const { operations } of news) {
    const found = operations.find((each) => each.operationId === operationId && each.endedAt !== null);
    if (found !== undefined) return found;
  }
  throw new Error("the news ended before the operation");
}

/** Plans, confirms and waits for the end. */
export async function acted(
  api: ConsoleApi,
  intent: Intent,
  over: Partial<ActionExecute> = {},
): Promise<Operation> {
  const { operationId } = value(await confirmed(api, intent, over));
  return endOf(api, operationId);
}
