import { resolve } from "node:path";
import { isOffsetIso } from "../../../shared/domain/datetime.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { Command } from "../command.ts";
import { shown } from "../shown.ts";

/** `job explain`: what a job would read, hand to kintone, join and write; no request is sent. */
export const jobExplain: Command = {
  spec: {
    name: "job explain",
    summary: "Shows what a job would read, push down, join and write. Asks nobody, writes nothing.",
    positional: { name: "job.sql", text: "the SQL file of the job" },
    options: [
      { name: "--config", value: "file", text: "default: KSQL_FLOW_CONFIG, else ./ksql.config.json" },
      { name: "--profile", value: "profile", text: "default: the configuration's default profile" },
      {
        name: "--forms",
        value: "file",
        text: "forms of the apps as JSON; without them conditions stay open",
      },
      { name: "--as-of", value: "time", text: "ISO-8601 with an offset; default: now" },
      { name: "--json", value: null, text: "JSON on stdout (kind JOB_EXPLANATION)" },
    ],
    example: "flownet job explain jobs/monthly_totals.sql --config ksql.config.json --forms forms.json",
  },
  fallbackCode: "JOB_EXPLAIN_FAILED",
  async run({ positional, values, flags }, context) {
    const { explainFile, explanationText } = await import("../../job-runner/index.ts");
    const asOf = values["--as-of"];
    if (asOf !== undefined && !isOffsetIso(asOf)) {
      const message = "--as-of is not ISO 8601 with an offset.";
      throw new FlowError({ code: "INVALID_ARGUMENTS", message, place: "argument --as-of" });
    }
    const config = values["--config"] ?? context.env.KSQL_FLOW_CONFIG ?? "ksql.config.json";
    const forms = values["--forms"];
    const explanation = explainFile({
      sqlPath: resolve(context.cwd, positional ?? ""),
      configPath: resolve(context.cwd, config),
      profile: values["--profile"] ?? null,
      formsPath: forms === undefined ? null : resolve(context.cwd, forms),
      asOfMs: asOf === undefined ? Date.now() : Date.parse(asOf),
      environment: context.env,
    });
    const json = flags.has("--json");
    context.out(json ? `${JSON.stringify(explanation)}\n` : shown(explanationText(explanation), true));
    return explanation.diagnostics.some(({ severity }) => severity === "error") ? 1 : 0;
  },
};
