import { join } from "node:path";
import type { RunOptions } from "./controller/options.ts";
import { type RunOutcome, runExperiment } from "./controller/run.ts";
import type { Verification } from "./documents/results-schema.ts";
import { verifyFolder } from "./verify/verify.ts";

/** Retry-boundaries §2: 30 s a child, 5 minutes in all. */
const LIMITS = { childMs: 30_000, runMs: 300_000 } as const;
const CHILD_PROGRAM = join(import.meta.dirname, "child", "main.ts");

export interface RetryBoundariesDeps {
  /** The Node that runs the children: the bundled one in the packaged product, else this process's own. */
  readonly node: string;
  readonly now: () => Date;
}

export type RetryBoundariesOptions = Omit<RunOptions, "now" | "file" | "limits">;

/** Runs the experiment with the real child program; {@link runExperiment} tells results and errors. */
export function runRetryBoundaries(
  options: RetryBoundariesOptions,
  deps: RetryBoundariesDeps,
): Promise<RunOutcome> {
  const file = { node: deps.node, program: CHILD_PROGRAM };
  return runExperiment({ ...options, now: deps.now, file, limits: LIMITS });
}

/** Checks a folder of the experiment without changing it; {@link verifyFolder} tells results and errors. */
export function verifyRetryBoundaries(folder: string): Verification {
  return verifyFolder(folder, CHILD_PROGRAM);
}
