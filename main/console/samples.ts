import { join } from "node:path";
import type { NetworkEntry } from "./ports.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");

const sample = (networkId: string, folder: string): NetworkEntry => ({
  networkId,
  definitionPath: join(EXAMPLES, folder, "network.yaml"),
  appStart: true,
});

/** The networks that come with the program and run in the embedded workspace. */
export const SAMPLE_NETWORKS: readonly NetworkEntry[] = [
  sample("monthly_summary", "monthly-summary"),
  sample("diamond", "diamond"),
  sample("failing_assert", "failing-assert"),
];
