import { parse } from "yaml";
import type { RunDefinition } from "../../../shared/api/index.ts";
import { verifyBundle } from "../../../shared/bundle/index.ts";
import type { NetworkDefinition } from "../../../shared/domain/index.ts";
import { validateNetwork } from "../../../shared/domain/index.ts";
import type { Run } from "../../../shared/domain/model.ts";
import { errorText, fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { BundleStore, FlowReads } from "../../store/index.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import { notFound } from "./run-detail.ts";

/** Definitions kept; a stored bundle never changes, so one is downloaded and proven once. */
const KEPT = 50;

export interface DefinitionReader {
  /**
   * Errors: `RECORD_NOT_FOUND`, `BUNDLE_ABSENT`, the codes of `verifyBundle`, `DEFINITION_HASH_MISMATCH`,
   * `DEFINITION_UNREADABLE`. Throws what the store throws.
   */
  read(runId: string, signal?: AbortSignal): Promise<Result<RunDefinition>>;
}

/**
 * The definition a Run was started with, out of its own bundle and never out of a file of today (operator-ux §1.1).
 * Only the peer's own rules apply: what it once accepted must stay readable.
 */
export function createDefinitionReader(deps: {
  readonly reads: FlowReads;
  readonly bundles: Pick<BundleStore, "downloadBundle">;
}): DefinitionReader {
  const kept = createBoundedCache<RunDefinition>(KEPT);
  return {
    async read(runId, signal) {
      const known = kept.get(runId);
      if (known !== undefined) return ok(known);
      const run = await deps.reads.findRunById(runId, signal);
      if (run === null) return fail(notFound(runId));
      if (run.bundleFileKey === null) return fail(absent(runId));
      const zip = await deps.bundles.downloadBundle(run.bundleFileKey, signal);
      const definition = definitionOf(run, zip);
      if (definition.ok) kept.set(runId, definition.value);
      return definition;
    },
  };
}

/** The definition in a Run's bundle, every byte proven against the Run's record. Pure. */
export function definitionOf(run: Run, zip: Uint8Array): Result<RunDefinition> {
  const bundle = verifyBundle(zip, run.bundleSha256);
  if (!bundle.ok) return bundle;
  const { networkYaml, zipSha256, definitionSha256 } = bundle.value;
  if (definitionSha256 !== run.definitionSha256) {
    return fail({
      code: "DEFINITION_HASH_MISMATCH",
      message: "The definition in the bundle is not the one the Run's record names.",
      place: "network.yaml",
      remedy: "Do not resume from it; compare the record and the attachment.",
    });
  }
  const parsed = parsedDefinition(networkYaml);
  if (!parsed.ok) return parsed;
  const { networkId, description, nodes } = parsed.value;
  return ok({
    runId: run.runId,
    networkId,
    description,
    nodes: nodes.map(({ id, jobId, dependsOn, triggerRule, idempotent, inputs, outputs }) => ({
      id,
      jobId,
      dependsOn,
      triggerRule,
      idempotent,
      inputs: Object.keys(inputs),
      outputs: Object.keys(outputs),
    })),
    bundleSha256: zipSha256,
    definitionSha256,
  });
}

function parsedDefinition(bytes: Uint8Array): Result<NetworkDefinition> {
  const unreadable = (message: string): Result<never> =>
    fail({
      code: "DEFINITION_UNREADABLE",
      message,
      place: "network.yaml",
      remedy: "Open the bundle itself; the Run's records below are not affected.",
    });
  let value: unknown;
  try {
    value = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), {
      version: "1.2",
      uniqueKeys: true,
      maxAliasCount: 100,
    });
  } catch (cause) {
    return unreadable(errorText(cause));
  }
  const { definition, errors } = validateNetwork(value, { peerRulesOnly: true });
  if (definition !== undefined) return ok(definition);
  return unreadable(errors[0]?.message ?? "It is no network definition.");
}

const absent = (runId: string) => ({
  code: "BUNDLE_ABSENT",
  message: `The record of Run ${runId} carries no bundle.`,
  place: "bundle",
  remedy: "Its definition cannot be shown; nodes and attempts are read from their own records.",
});
