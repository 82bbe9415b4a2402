import type { ImportEdge } from "./imports.ts";
import type { Token } from "./tokens.ts";

export interface SourceFile {
  /** Relative to the repository, forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A source file after reading: what it imports and which words it uses. */
export interface ScannedFile {
  readonly path: string;
  readonly tokens: readonly Token[];
  readonly edges: readonly ImportEdge[];
}
