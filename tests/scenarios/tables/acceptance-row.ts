import type { Proof } from "../proof.ts";

/** One acceptance scenario of orchestration section 10, and what proves it. */
export interface AcceptanceRow {
  readonly no: number;
  readonly name: string;
  /** Tests of `npm test`; empty only where `outside` says what proves it instead. */
  readonly proofs: readonly Proof[];
  /** Proven outside `npm test`: a text that stands in a file, and why. */
  readonly outside?: { readonly file: string; readonly text: string; readonly why: string };
}
