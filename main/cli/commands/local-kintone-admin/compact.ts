import type { Command } from "../../command.ts";
import { FALLBACK_CODE, JSON_OUT, mebibytes, print, WORKSPACE, workspaceOf } from "./options.ts";

/** `local-kintone compact`: gives unused space back to the disk. */
export const localKintoneCompact: Command = {
  spec: {
    name: "local-kintone compact",
    summary: "Gives a workspace's unused space back; a server that runs answers nothing meanwhile.",
    positional: null,
    options: [WORKSPACE, JSON_OUT],
    example: "flownet local-kintone compact",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { compactWorkspace } = await import("../../../local-kintone/index.ts");
    const result = await compactWorkspace(await workspaceOf(args, context), context.signal);
    const [before, after] = [mebibytes(result.bytesBefore), mebibytes(result.bytesAfter)];
    print(args, context, result, `${result.path}: ${before} -> ${after}`);
    return 0;
  },
};
