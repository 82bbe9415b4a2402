import { businessKeyRunProblem, resolveBusinessKey, stableOrder } from "../../shared/domain/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { type LoadedDefinition, loadDefinition, unreadableSqlFiles } from "./definition-file.ts";
import type { PlanResult, ValidationReport } from "./ports.ts";

async function loadWhole(
  definitionPath: string,
  profile: string | undefined,
): Promise<{ loaded: LoadedDefinition | null; problems: readonly Problem[] }> {
  const loaded = await loadDefinition(definitionPath, profile === undefined ? {} : { profile });
  if (!loaded.ok) return { loaded: null, problems: loaded.error };
  return { loaded: loaded.value, problems: await unreadableSqlFiles(loaded.value) };
}

/** `validate`: the definition and whether its SQL files can be opened; nothing else (orchestration section 9.1). */
export async function validateDefinition(
  definitionPath: string,
  profile?: string,
): Promise<ValidationReport> {
  const { loaded, problems } = await loadWhole(definitionPath, profile);
  return { networkId: loaded?.definition.networkId ?? null, problems };
}

/** `plan`: the business key, when one can be told, and the nodes in the order they would run. Never writes. */
export async function planDefinition(
  definitionPath: string,
  keys: { readonly scheduledFor?: string; readonly businessKey?: string },
  profile?: string,
): Promise<{ plan: PlanResult | null; problems: readonly Problem[] }> {
  const { loaded, problems } = await loadWhole(definitionPath, profile);
  if (loaded === null || problems.length > 0) return { plan: null, problems };
  const { definition } = loaded;
  const order = stableOrder(definition.nodes);
  if (!order.ok) return { plan: null, problems: [order.error] };
  // Only run-network invents a key (orchestration section 1.4): a plan without one would plan another Run.
  const key = resolveBusinessKey({
    networkId: definition.networkId,
    policy: definition.businessKeyPolicy,
    ...keys,
  });
  if (!key.ok) return { plan: null, problems: key.error };
  const unusable = businessKeyRunProblem(key.value.businessKey);
  if (unusable !== null) return { plan: null, problems: [unusable] };
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  return {
    problems: [],
    plan: {
      networkId: definition.networkId,
      businessKey: key.value.businessKey,
      nodes: order.value.flatMap((id, index) => {
        const node = nodes.get(id);
        if (node === undefined) return [];
        const { jobId, idempotent, dependsOn } = node;
        return [{ order: index + 1, id, jobId, idempotent, dependsOn }];
      }),
    },
  };
}
