import type { NetworkDefinition, NetworkProblem } from "./network-definition.ts";
import { gapProblems } from "./network-gaps.ts";
import { semanticProblems } from "./network-rules.ts";
import { readNetworkDefinition } from "./network-schema.ts";

export interface ValidationOptions {
  /** Profile the network is to run under; lets the job lock keys be checked too. */
  readonly profile?: string | undefined;
  /**
   * True for a definition taken from a stored bundle: only what the peer checks. A Run it once accepted must
   * not become unresumable by our stricter checks.
   */
  readonly peerRulesOnly?: boolean;
}
export interface ValidatedNetwork {
  /** Present only when `errors` is empty. */
  readonly definition?: NetworkDefinition;
  readonly errors: readonly NetworkProblem[];
}

/**
 * Validates a network definition already parsed from YAML (orchestration §1.1, §1.2): the shape first, and
 * only if that holds the meaning, then what the peer would find out too late ({@link gapProblems}). All
 * errors of a phase are collected, in the peer's order; `place` is the path.
 */
export function validateNetwork(value: unknown, options: ValidationOptions = {}): ValidatedNetwork {
  const { definition, problems } = readNetworkDefinition(value);
  if (definition === null) return { errors: problems };
  const gaps = options.peerRulesOnly === true ? [] : gapProblems(definition, options.profile);
  const errors = [...semanticProblems(definition), ...gaps];
  return errors.length > 0 ? { errors } : { definition, errors };
}
