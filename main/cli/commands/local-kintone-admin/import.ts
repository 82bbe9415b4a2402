import { resolve } from "node:path";
import type { Command } from "../../command.ts";
import { amounts, FALLBACK_CODE, JSON_OUT, print, WORKSPACE, workspaceOf } from "./options.ts";

/** `local-kintone import`: a workspace from an export; into an empty one, served by nobody. */
export const localKintoneImport: Command = {
  spec: {
    name: "local-kintone import",
    summary:
      "Makes a workspace from an export; only where there is none, and while nobody serves the folder.",
    positional: { name: "file", text: "a file that `local-kintone export` wrote" },
    options: [WORKSPACE, JSON_OUT],
    example: "flownet local-kintone import ./drill.kintone.gz --workspace drill",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { importWorkspace } = await import("../../../local-kintone/index.ts");
    const source = resolve(context.cwd, args.positional ?? "");
    const result = await importWorkspace(await workspaceOf(args, context), source, context.signal);
    print(args, context, result, `Imported ${amounts(result)} into ${result.path}`);
    return 0;
  },
};
