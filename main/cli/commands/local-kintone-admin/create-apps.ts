import type { Command } from "../../command.ts";
import { FALLBACK_CODE, print, WORKSPACE, workspaceOf } from "./options.ts";

/** `local-kintone create-apps`: the four apps of a workspace, from the template real ones are made from. */
export const localKintoneCreateApps: Command = {
  spec: {
    name: "local-kintone create-apps",
    summary: "Makes the four apps in a workspace, or completes those that are there.",
    positional: null,
    options: [
      WORKSPACE,
      { name: "--json", value: null, text: "print the environment, with tokens, as JSON" },
    ],
    example: "flownet local-kintone create-apps --workspace drill --json",
  },
  fallbackCode: FALLBACK_CODE,
  async run(args, context) {
    const { createLocalApps } = await import("../../../console/index.ts");
    const made = await createLocalApps(await workspaceOf(args, context), context.signal);
    const ids = Object.entries(made.env).filter(([name]) => !name.includes("TOKEN"));
    print(args, context, made, ids.map(([name, value]) => `${name}=${value}`).join("\n"));
    return 0;
  },
};
