import type { CheckEvent, CheckItem } from "../../../../shared/api/index.ts";
import { errorText, FlowError } from "../../../../shared/domain/problem.ts";
import { type Finding, type Probe, unreadable } from "./probe.ts";

/** Longest one look may take; the runner's own limit of a command lies below it. Milliseconds. */
export const LOOK_MS = 65_000;

export interface CheckRunDeps {
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Looks at one thing after the other and tells each before and after. What rests on something that could not be reached
 * is not asked. An abort ends it at once, without an ending event; milliseconds of a look are bounded.
 */
export async function* runCheck(
  probes: readonly Probe[],
  deps: CheckRunDeps,
  signal: AbortSignal,
): AsyncGenerator<CheckEvent> {
  yield { kind: "planned", total: probes.length };
  const failed = new Set<string>();
  for (const probe of probes) {
    if (signal.aborted) return;
    yield { kind: "item", item: itemOf(probe, null) };
    const finding =
      probe.needs !== undefined && failed.has(probe.needs)
        ? unreadable("NOT_ASKED", { because: probe.needs })
        : await lookAt(probe, signal);
    if (signal.aborted) return;
    if (finding.blocks === true) failed.add(probe.id);
    yield { kind: "item", item: itemOf(probe, finding) };
  }
  yield { kind: "ended", at: new Date(deps.nowMs()).toISOString() };
}

async function lookAt(probe: Probe, signal: AbortSignal): Promise<Finding> {
  const limit = AbortSignal.timeout(LOOK_MS);
  try {
    return await probe.look(AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted) return unreadable("LOOK_TIMED_OUT", { seconds: String(LOOK_MS / 1000) });
    const code = error instanceof FlowError ? error.code : "CONSOLE_INTERNAL";
    return unreadable("LOOK_FAILED", { problem: code, message: errorText(error) });
  }
}

function itemOf(probe: Probe, finding: Finding | null): CheckItem {
  return {
    id: probe.id,
    group: probe.group,
    subject: probe.subject,
    of: probe.of,
    result: finding?.result ?? null,
    blocks: finding?.blocks ?? false,
    code: finding?.code ?? null,
    place: finding?.place ?? probe.place,
    facts: finding?.facts ?? {},
    differences: finding?.differences ?? [],
  };
}
