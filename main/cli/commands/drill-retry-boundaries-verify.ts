import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { verificationLines } from "../render-drill.ts";

/**
 * `drill retry-boundaries verify`: checks a folder of the experiment without changing it (retry-boundaries §8).
 * Exit code 0 means that the evidence is what the run wrote, whatever its verdict was; 1 that it differs or that
 * the run did not end.
 */
export const drillRetryBoundariesVerify: Command = {
  spec: {
    name: "drill retry-boundaries verify",
    summary: "Checks a folder of the experiment, from this machine or another. Changes nothing in it.",
    positional: { name: "folder", text: "the folder that was given as --output" },
    options: [{ name: "--json", value: null, text: "the whole report as one JSON object" }],
    example: "flownet drill retry-boundaries verify ./evidence-1",
  },
  fallbackCode: "DRILL_VERIFY_FAILED",
  async run({ positional, flags }, context) {
    const { verifyRetryBoundaries } = await import("../../drills/index.ts");
    const report = verifyRetryBoundaries(resolve(context.cwd, positional ?? ""));
    context.out(flags.has("--json") ? `${JSON.stringify(report)}\n` : verificationLines(report));
    return report.status === "VERIFIED" ? 0 : 1;
  },
};
