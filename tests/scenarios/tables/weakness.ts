import type { Proof } from "../proof.ts";

/** A weakness of kSQL-FlowNet 1.0.0 (orchestration section 11.1): where its accident is seen, and what ours comes to. */
export interface WeaknessRow {
  readonly id: string;
  /** The test that meets the accident, or in words where only Windows can play it. */
  readonly accident: Proof | string;
  readonly outcomes: readonly Proof[];
}
