import { FlowError } from "../../../shared/domain/problem.ts";
import { loadDefinition } from "../../orchestrator/index.ts";
import type { NetworkEntry } from "../ports.ts";

/**
 * Reads every definition of an allow list, as each one-shot poller does before it takes anything (orchestration section
 * 7.7). Errors: `NETWORK_DEFINITION_INVALID`, `NETWORK_ID_MISMATCH`. A resident does not: one broken definition must not
 * keep the STOP of another network from being heard; a START of it is rejected.
 */
export async function requireDefinitions(networks: readonly NetworkEntry[]): Promise<void> {
  for (const { networkId, definitionPath } of networks) {
    const loaded = await loadDefinition(definitionPath);
    if (!loaded.ok) {
      const [first] = loaded.error;
      throw new FlowError({
        code: "NETWORK_DEFINITION_INVALID",
        message: `The definition of ${networkId} in the allow list cannot be used: ${first?.code ?? ""} ${first?.message ?? ""}`,
        place: `${definitionPath} ${first?.place ?? ""}`.trim(),
        remedy:
          "flownet validate names every finding; correct the definition, or take the network out of the list.",
        details: { problems: loaded.error },
      });
    }
    if (loaded.value.definition.networkId !== networkId) {
      throw new FlowError({
        code: "NETWORK_ID_MISMATCH",
        message: `The allow list calls it ${networkId}, the definition ${loaded.value.definition.networkId}.`,
        place: definitionPath,
        remedy: "Correct network_id in the allow list, or the path beside it.",
      });
    }
  }
}
