import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec, usageOf } from "./arguments.ts";

/** Column of the explanations: wide enough for the longest command with its argument. */
const WIDTH = 40;

/** The text of `flownet --help`. */
export function overview(specs: readonly CommandSpec[]): string {
  const lines = specs.map((spec) => `  ${usageLine(spec).padEnd(WIDTH)} ${spec.summary}`);
  return [
    "flownet: runs networks of SQL jobs whose state lives in kintone",
    "",
    "Usage: flownet <command> [options]",
    "",
    "Commands:",
    ...lines,
    "",
    "Options of every command:",
    ...GLOBAL_OPTIONS.map(optionLine),
    optionLine({ name: "-h, --help", value: null, text: "this text, or that of one command" }),
    optionLine({ name: "-V, --version", value: null, text: "the version" }),
    "",
    "Without any KSQL_FLOWNET_… or KSQL_FLOW_… connection variable the commands work in the embedded",
    "workspace of the data folder: a kintone-compatible server on this machine's own disk.",
    "",
    "Example:",
    "  flownet run-network examples/monthly-summary/network.yaml --scheduled-for 2026-09-01T00:00:00+09:00",
    "",
  ].join("\n");
}

/** The text of `flownet <command> --help`. */
export function commandHelp(spec: CommandSpec): string {
  const positional = spec.positional;
  const argument =
    positional === null ? [] : [`  ${`<${positional.name}>`.padEnd(WIDTH)} ${positional.text}`, ""];
  return [
    `Usage: flownet ${usageLine(spec)} [options]`,
    "",
    spec.summary,
    "",
    ...argument,
    ...[...spec.options, ...GLOBAL_OPTIONS].map(optionLine),
    "",
    "Example:",
    `  ${spec.example}`,
    "",
  ].join("\n");
}

function usageLine(spec: CommandSpec): string {
  return spec.positional === null ? spec.name : `${spec.name} <${spec.positional.name}>`;
}

function optionLine(option: OptionSpec): string {
  const required = option.required === true ? " (required)" : "";
  return `  ${usageOf(option).padEnd(WIDTH)} ${option.text}${required}`;
}
