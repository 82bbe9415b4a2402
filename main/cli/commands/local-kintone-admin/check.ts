import type { Command } from "../../command.ts";
import { shown } from "../../shown.ts";
import { amounts, FALLBACK_CODE, JSON_OUT, print, WORKSPACE, workspaceOf } from "./options.ts";

/** `local-kintone check`: is the file sound, and do its tables agree with each other. */
export const localKintoneCheck: Command = {
  spec: {
    name: "local-kintone check",
    summary:
      "Checks a workspace's database; exit code 1 when something is wrong. It may be served meanwhile.",
    positional: null,
    options: [WORKSPACE, JSON_OUT],
    example: "flownet local-kintone check",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { checkStore, requireStore } = await import("../../../local-kintone/index.ts");
    const result = checkStore(requireStore(await workspaceOf(args, context)));
    const findings = result.findings.map(({ rule, text }) => `[${rule}] ${shown(text)}`);
    const verdict = findings.length === 0 ? "sound" : `${findings.length} findings`;
    print(args, context, result, [`${result.path}: ${amounts(result)}: ${verdict}`, ...findings].join("\n"));
    return findings.length === 0 ? 0 : 1;
  },
};
