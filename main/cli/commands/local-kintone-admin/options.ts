import type { OptionSpec, ParsedArguments } from "../../arguments.ts";
import type { CliContext } from "../../command.ts";

export const FALLBACK_CODE = "LOCAL_KINTONE_FAILED";

export const WORKSPACE: OptionSpec = {
  name: "--workspace",
  value: "name",
  text: "the workspace below http://localhost:<port>/<name>; without it the one at the root",
};
export const JSON_OUT: OptionSpec = { name: "--json", value: null, text: "print one JSON object" };

export async function workspaceOf(
  { values }: ParsedArguments,
  context: CliContext,
): Promise<{ readonly dataDir: string; readonly name: string | null }> {
  return { dataDir: await context.dataDir(), name: values["--workspace"] ?? null };
}

/** One JSON line, or the text for people. */
export function print(args: ParsedArguments, context: CliContext, value: unknown, text: string): void {
  context.out(args.flags.has("--json") ? `${JSON.stringify(value)}\n` : `${text}\n`);
}

export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

export const amounts = (counts: {
  readonly apps: number;
  readonly records: number;
  readonly files: number;
}): string => `${counts.apps} apps, ${counts.records} records, ${counts.files} files`;
