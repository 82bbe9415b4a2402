import { resolve } from "node:path";
import type { Command } from "../../command.ts";
import { amounts, FALLBACK_CODE, JSON_OUT, print, WORKSPACE, workspaceOf } from "./options.ts";

/** `local-kintone export`: a whole workspace as one file; it may be served meanwhile. */
export const localKintoneExport: Command = {
  spec: {
    name: "local-kintone export",
    summary: "Writes a whole workspace into one new file; it may be served meanwhile.",
    positional: { name: "file", text: "the file to make" },
    options: [
      WORKSPACE,
      { name: "--with-tokens", value: null, text: "API tokens, users and password hashes as well" },
      JSON_OUT,
    ],
    example: "flownet local-kintone export ./drill.kintone.gz --workspace drill",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { exportStore, readKeptPort, requireStore } = await import("../../../local-kintone/index.ts");
    const workspace = await workspaceOf(args, context);
    const result = await exportStore({
      source: requireStore(workspace),
      target: resolve(context.cwd, args.positional ?? ""),
      withTokens: args.flags.has("--with-tokens"),
      port: readKeptPort(workspace.dataDir),
      now: Date.now(),
      signal: context.signal,
    });
    print(args, context, result, `Exported ${amounts(result)} to ${result.path}`);
    return 0;
  },
};
