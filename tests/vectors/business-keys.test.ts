import { describe, expect, it } from "vitest";
import {
  type KeyPolicy,
  normalizeScheduledFor,
  type Problem,
  resolveBusinessKey,
  resolveRunKey,
  validateKeyPolicy,
} from "../../shared/domain/index.ts";
import { loadVectors, objectOrNull, text, type VectorCase } from "./load.ts";

type Input = VectorCase["input"];

function policyOf(input: Input): KeyPolicy {
  const policy = objectOrNull(input, "policy") ?? {};
  if (policy.type === "explicit") return { type: "explicit" };
  const period = policy.period === "day" ? "day" : "month";
  return {
    type: "scheduled_period",
    period,
    timezone: text(policy, "timezone"),
    format: text(policy, "format"),
  };
}

const requestOf = (input: Input) => ({
  networkId: text(input, "network_id"),
  policy: policyOf(input),
  businessKey: "business_key" in input ? text(input, "business_key") : undefined,
  scheduledFor: "scheduled_for" in input ? text(input, "scheduled_for") : undefined,
});

const errorsOf = (problems: readonly Problem[]) => problems.map(({ code, place }) => ({ code, path: place }));

const run: Readonly<Record<string, (input: Input) => unknown>> = {
  resolve(input) {
    const result = resolveBusinessKey(requestOf(input));
    return result.ok ? { business_key: result.value.businessKey } : { errors: errorsOf(result.error) };
  },
  normalize_scheduled_for: (input) => ({ normalized: normalizeScheduledFor(text(input, "scheduled_for")) }),
  validate_policy: (input) => ({ errors: errorsOf(validateKeyPolicy(policyOf(input))) }),
  manual(input) {
    const now = Date.parse(text(input, "now"));
    const result = resolveRunKey({ ...requestOf(input), now, resume: input.resume === true });
    return result.ok ? { business_key: result.value.businessKey } : { error_code: result.error.code };
  },
};

describe("business keys are those of the peer (wire-format §2.5)", () => {
  it.each(loadVectors("business-keys.json"))("$input.kind: $name", ({ input, expected }) => {
    expect(run[input.kind]?.(input)).toEqual(expected);
  });
});
