import type { Network } from "../../../shared/api/index.ts";
import type { Orchestrator } from "../../orchestrator/index.ts";
import type { NetworkEntry } from "../ports.ts";

/** Codes that only say that no key was given yet; for a list of networks they tell how its Runs are named. */
const NAMING: Readonly<Record<string, "scheduled" | "explicit">> = {
  SCHEDULED_FOR_REQUIRED: "scheduled",
  BUSINESS_KEY_REQUIRED: "explicit",
};

/** A scheduled time that names a period for sure; only the order of the nodes is of interest. */
const ANY_TIME = "2000-01-01T00:00:00Z";
const ANY_KEY = "plan";

/**
 * One network with its nodes. The orchestrator plans only with a key, so it is asked without one first: the code of
 * its refusal is the key policy.
 */
export async function describeNetwork(orchestrator: Orchestrator, entry: NetworkEntry): Promise<Network> {
  const bare = await orchestrator.plan(entry.definitionPath, {});
  const naming = bare.problems.map((problem) => NAMING[problem.code]).find((each) => each !== undefined);
  const rest = bare.problems.filter((problem) => NAMING[problem.code] === undefined);
  const about = { networkId: entry.networkId, appStart: entry.appStart, naming: naming ?? null };
  if (bare.plan !== null) return { ...about, nodes: bare.plan.nodes, problems: rest };
  if (naming === undefined) return { ...about, nodes: [], problems: bare.problems };
  const keyed = await orchestrator.plan(
    entry.definitionPath,
    naming === "scheduled" ? { scheduledFor: ANY_TIME } : { businessKey: ANY_KEY },
  );
  return { ...about, nodes: keyed.plan?.nodes ?? [], problems: keyed.problems };
}
