import { resolve } from "node:path";
import type { PlanResult } from "../../orchestrator/index.ts";
import type { Command } from "../command.ts";
import { definitionProfile } from "../definition-profile.ts";
import { findingText } from "../problem-text.ts";
import { shown } from "../shown.ts";

/** `plan`: the business key and the order of the nodes; starts and writes nothing (orchestration section 9.1). */
export const plan: Command = {
  spec: {
    name: "plan",
    summary: "Shows the business key and the order in which the nodes would run. Writes nothing.",
    positional: { name: "network.yaml", text: "the network definition" },
    options: [
      {
        name: "--scheduled-for",
        value: "time",
        text: "ISO-8601 with an offset; the period's key comes from it",
      },
      { name: "--business-key", value: "key", text: "the key itself" },
    ],
    example: "flownet plan examples/monthly-summary/network.yaml --scheduled-for 2026-09-01T00:00:00+09:00",
  },
  fallbackCode: "PLAN_FAILED",
  async run({ positional, values }, context) {
    const { planDefinition } = await import("../../orchestrator/index.ts");
    const path = positional ?? "";
    const scheduledFor = values["--scheduled-for"];
    const businessKey = values["--business-key"];
    const { plan: planned, problems } = await planDefinition(
      resolve(context.cwd, path),
      {
        ...(scheduledFor === undefined ? {} : { scheduledFor }),
        ...(businessKey === undefined ? {} : { businessKey }),
      },
      definitionProfile(context.env),
    );
    if (planned === null || problems.length > 0) {
      context.err(`No plan for: ${path}\n`);
      for (const problem of problems) context.err(findingText(problem));
      return 1;
    }
    context.out(planText(planned));
    return 0;
  },
};

/** The peer's lines: `<n>. <id> | job_id=… | idempotent=… | depends_on=a, b`. */
export function planText(planned: PlanResult): string {
  const nodes = planned.nodes.map((node) => {
    const dependsOn = node.dependsOn.length === 0 ? "-" : node.dependsOn.join(", ");
    const fields = [`job_id=${node.jobId}`, `idempotent=${node.idempotent}`, `depends_on=${dependsOn}`];
    return `${node.order}. ${node.id} | ${fields.join(" | ")}`;
  });
  const lines = [`Business key: ${planned.businessKey ?? "-"}`, "Execution plan:", ...nodes];
  return shown(`${lines.join("\n")}\n`, true);
}
