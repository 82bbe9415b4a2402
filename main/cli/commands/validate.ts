import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { definitionProfile } from "../definition-profile.ts";
import { findingText } from "../problem-text.ts";

/** `validate`: the definition and its SQL files, without a workspace and without writing (orchestration section 9.1). */
export const validate: Command = {
  spec: {
    name: "validate",
    summary: "Checks a network definition and whether its SQL files can be read. Writes nothing.",
    positional: { name: "network.yaml", text: "the network definition" },
    options: [],
    example: "flownet validate examples/monthly-summary/network.yaml",
  },
  fallbackCode: "VALIDATE_FAILED",
  async run({ positional }, context) {
    const { validateDefinition } = await import("../../orchestrator/index.ts");
    const path = positional ?? "";
    const report = await validateDefinition(resolve(context.cwd, path), definitionProfile(context.env));
    if (report.problems.length === 0) {
      context.out(`Valid network definition: ${path}\n`);
      return 0;
    }
    context.err(`Invalid network definition: ${path}\n`);
    for (const problem of report.problems) context.err(findingText(problem));
    return 1;
  },
};
