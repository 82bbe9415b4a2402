import { resolve } from "node:path";
import type { Command } from "../../command.ts";
import { amounts, FALLBACK_CODE, JSON_OUT, mebibytes, print, WORKSPACE, workspaceOf } from "./options.ts";

/** `local-kintone backup`: a copy of the database file that can take its place; made while serving. */
export const localKintoneBackup: Command = {
  spec: {
    name: "local-kintone backup",
    summary: "Copies a workspace's database to a new file, with its tokens; it may be served meanwhile.",
    positional: { name: "file", text: "the file to make" },
    options: [WORKSPACE, JSON_OUT],
    example: "flownet local-kintone backup ./kintone-2026-09-01.sqlite",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { backupStore, requireStore } = await import("../../../local-kintone/index.ts");
    const source = requireStore(await workspaceOf(args, context));
    const result = await backupStore(source, resolve(context.cwd, args.positional ?? ""));
    const text = `Copied ${amounts(result)} (${mebibytes(result.bytes)}) to ${result.path}`;
    print(args, context, result, text);
    return 0;
  },
};
