import type { KeyPolicy } from "./business-key.ts";
import type { TriggerRule } from "./model.ts";
import type { Problem } from "./problem.ts";

export interface NodeDefinition {
  readonly id: string;
  readonly jobId: string;
  /** As written; resolved against the directory of the definition file. */
  readonly sql: string;
  readonly dependsOn: readonly string[];
  readonly triggerRule: TriggerRule;
  readonly idempotent: boolean;
  /** Source name -> path pattern; empty when the node reads no files. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Sink name -> path pattern; empty when the node writes no files. */
  readonly outputs: Readonly<Record<string, string>>;
}

export interface NetworkDefinition {
  readonly schemaVersion: 1;
  readonly networkId: string;
  readonly description: string | null;
  readonly businessKeyPolicy: KeyPolicy;
  /** Limit on unfinished Runs, not on parallelism. */
  readonly maxActiveRuns: number;
  readonly networkLock: { readonly leaseDurationSec: number; readonly heartbeatIntervalSec: number };
  readonly nodes: readonly NodeDefinition[];
}

/** A problem of a definition; `place` is the path of orchestration §1.2: `$/nodes/0` (schema) or `$.nodes/0/id` (semantic). */
export type NetworkProblem = Problem & { readonly place: string };

/** One segment of a JSON pointer, escaped. */
export function pointerSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
