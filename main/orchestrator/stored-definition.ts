import { type VerifiedBundle, verifyBundle } from "../../shared/bundle/index.ts";
import { type NetworkDefinition, stableOrder } from "../../shared/domain/index.ts";
import type { Run } from "../../shared/domain/model.ts";
import { fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import { parseDefinition } from "./definition-file.ts";
import type { OrchestratorDeps } from "./deps.ts";

/** The definition and files a Run was made with; the deployed ones are never used for it. */
export interface StoredDefinition {
  readonly definition: NetworkDefinition;
  /** Stable topological order. */
  readonly order: readonly string[];
  readonly bundle: VerifiedBundle;
}

/**
 * Downloads and proves a Run's bundle and reads its definition (orchestration section 2.1, R8 and R9). The rules are the
 * peer's: a stored definition of its making may lack what ours asks of new ones (W-12). Codes
 * `BUNDLE_*`, `RUN_SNAPSHOT_MISMATCH`.
 */
export async function readStoredDefinition(
  deps: { readonly store: Pick<OrchestratorDeps["store"], "downloadBundle"> },
  run: Run,
  signal?: AbortSignal,
): Promise<Result<StoredDefinition>> {
  if (run.bundleFileKey === null) return fail(mismatch(run, "the record has no bundle attached"));
  const zip = await deps.store.downloadBundle(run.bundleFileKey, signal);
  const bundle = verifyBundle(zip, run.bundleSha256);
  if (!bundle.ok) return bundle;
  if (bundle.value.definitionSha256 !== run.definitionSha256) {
    return fail(mismatch(run, "its definition is not the one the record names"));
  }
  const parsed = parseDefinition(bundle.value.networkYaml, "stored network.yaml", { peerRulesOnly: true });
  if (!parsed.ok)
    return fail(mismatch(run, `its definition is not valid: ${parsed.error[0]?.message ?? ""}`));
  const definition = parsed.value;
  if (definition.networkId !== run.networkId || definition.schemaVersion !== run.definitionSchemaVersion) {
    return fail(mismatch(run, "its definition is of another network"));
  }
  const order = stableOrder(definition.nodes);
  return order.ok ? ok({ definition, order: order.value, bundle: bundle.value }) : order;
}

const mismatch = ({ runId }: Run, why: string): Problem => ({
  code: "RUN_SNAPSHOT_MISMATCH",
  message: `The stored bundle does not fit the Run: ${why}. Nothing was started.`,
  place: `Run ${runId}`,
  remedy: "Do not resume from it; start a Run under a correction key and close this one.",
});
