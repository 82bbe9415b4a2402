import type { Command } from "../../command.ts";
import { FALLBACK_CODE, JSON_OUT, print } from "./options.ts";

/** `local-kintone status`: who serves the data folder, and which workspaces it has. Starts nothing. */
export const localKintoneStatus: Command = {
  spec: {
    name: "local-kintone status",
    summary: "Shows who serves the data folder's kintone and its workspaces; starts nothing.",
    positional: null,
    options: [JSON_OUT],
    example: "flownet local-kintone status",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { folderStatus } = await import("../../../local-kintone/index.ts");
    const status = await folderStatus(await context.dataDir(), context.signal);
    const { server, port, workspaces } = status;
    const lines = [
      server === null
        ? `Nobody serves ${status.dataDir}`
        : `Served by process ${server.pid} on ${server.baseUrl}, used by ${server.users}`,
      `Kept port: ${port ?? "none yet"}`,
      `Workspaces beside the root: ${workspaces.join(" ") || "none"}`,
    ];
    print(args, context, status, lines.join("\n"));
    return 0;
  },
};
