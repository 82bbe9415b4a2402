import { z } from "zod";
import { fail, ok, type Result } from "../domain/problem.ts";
import { parseOutput } from "./parse.ts";

/** Identifier of the contract this program speaks (execution-contract, head). */
export const EXECUTION_CONTRACT = "ksql-flow.execution/v1";
/** `$id` of the Execution Result schema (execution-contract §2.1). */
export const RESULT_SCHEMA_ID =
  "https://github.com/rex0220/ksql-flow/blob/main/schema/execution-result-v1.schema.json";

/** Output of `capabilities --json` (execution-contract §2.1); unknown keys are ignored. */
export const capabilitiesSchema = z.object({
  formatVersion: z.literal(1),
  kind: z.literal("CAPABILITIES"),
  ksqlFlowVersion: z.string().min(1),
  engineVersion: z.string().min(1),
  executionContracts: z.array(z.string()),
  resultSchema: z.object({ $id: z.string(), contract: z.string() }).optional(),
  // Anything but boolean or text makes the whole output unusable: the gate could not be trusted.
  features: z.record(z.string(), z.union([z.boolean(), z.string()])),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/** Capabilities from the parsed JSON. Error: `KSQL_FLOW_OUTPUT_INVALID`. */
export const parseCapabilities = (value: unknown): Result<Capabilities> =>
  parseOutput(capabilitiesSchema, value, "capabilities");

const ALWAYS_NEEDED = [
  "resultJson",
  "correlationIds",
  "describeProfile",
  "inspectJob",
  "durableExecutionStarted",
] as const;

/** What the nodes of a network need beyond the basics. */
export interface FeatureNeeds {
  readonly inputs: boolean;
  readonly outputs: boolean;
}

/**
 * The consumer gate (execution-contract §2.1): the contract is offered and every needed feature is exactly
 * `true`. Errors: `CAPABILITY_CONTRACT_MISSING`, `CAPABILITY_FEATURE_MISSING`.
 */
export function gateCapabilities(capabilities: Capabilities, need: FeatureNeeds): Result<Capabilities> {
  if (!capabilities.executionContracts.includes(EXECUTION_CONTRACT)) {
    return fail({
      code: "CAPABILITY_CONTRACT_MISSING",
      message: `The runner does not offer ${EXECUTION_CONTRACT}; its results could not be judged.`,
      place: "capabilities: executionContracts",
      remedy: "Install kSQL-Flow 0.9 or a compatible runner.",
      details: { offered: capabilities.executionContracts },
    });
  }
  const needed = [
    ...ALWAYS_NEEDED,
    ...(need.inputs ? ["importCsv"] : []),
    ...(need.outputs ? ["resultCsv"] : []),
  ];
  const missing = needed.filter((feature) => capabilities.features[feature] !== true);
  if (missing.length === 0) return ok(capabilities);
  return fail({
    code: "CAPABILITY_FEATURE_MISSING",
    message: `The runner lacks ${missing.join(", ")}; this network cannot be run with it.`,
    place: `capabilities: features.${missing[0]}`,
    remedy: "Update the runner or its SQL engine.",
    details: { missing },
  });
}
