import type { FaultRuleInput } from "../../../main/local-kintone/index.ts";
import { until } from "../scripted-workspace.ts";
import type { Program, ProgramEnd } from "./program.ts";
import type { InteropRig } from "./rig.ts";

/** Where a program is killed: at which of its own requests, and whether the server has done it. */
export interface KillPoint {
  readonly match: NonNullable<FaultRuleInput["match"]>;
  /** Only the n-th match, from 1. */
  readonly nth?: number;
  readonly phase: "before" | "after-success";
}

/**
 * Runs a program and kills it where a request of its own stands still. Killed before a request, that request never
 * arrives: a copy still on its way would be another story, told where late copies are.
 */
export async function killAt(
  rig: InteropRig,
  program: Program,
  args: readonly string[],
  { match, nth = 1, phase }: KillPoint,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramEnd> {
  const { control } = rig;
  const id = `kill-${program.name}`;
  const target = { ...match, client: program.name };
  const lost: FaultRuleInput = {
    id: `${id}-lost`,
    match: target,
    when: { nth },
    effect: { kind: "lose-request" },
  };
  const since = (await control.journal()).at(-1)?.seq ?? 0;
  await control.add([
    { id, match: target, when: { nth }, effect: { kind: "barrier", phase } },
    ...(phase === "before" ? [lost] : []),
  ]);
  const last = phase === "before" ? lost.id : id;
  const started = program.start(args, env);
  // A program that ends by itself has never reached the point: say what it said instead of waiting for ever.
  const early = started.ended.then((end) => {
    throw new Error(`${program.name} ended before the point:\n${end.stdout}${end.stderr}`);
  });
  await Promise.race([control.waitFor(id, { timeoutMs: 60_000 }), early]);
  early.catch(() => undefined);
  started.child.kill("SIGKILL");
  const end = await started.ended;
  await control.clear(id);
  // Until the server is through with it: what it does to a request whose sender is dead belongs to the kill.
  await until(async () => {
    const entries = await control.journal(since);
    return entries.some((entry) => entry.kind === "request" && entry.rules.includes(last));
  });
  await control.clear(last);
  return end;
}
