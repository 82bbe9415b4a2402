import type { Command } from "../command.ts";
import { inboxJson, inboxText } from "../render-inbox.ts";
import { withWorkspace } from "./acting.ts";

/**
 * `inbox`: what needs a person now, with the next action (orchestration sections 11.3 and 11.4). Exit code 1 when a
 * source could not be read: then nobody knows whether there is something.
 */
export const inbox: Command = {
  spec: {
    name: "inbox",
    summary: "Lists what needs a person now, and what to do about it. Writes nothing.",
    positional: null,
    options: [{ name: "--json", value: null, text: "JSON on stdout" }],
    example: "flownet inbox",
  },
  fallbackCode: "INBOX_FAILED",
  async run({ flags }, context) {
    return withWorkspace(context, async (workspace) => {
      const { clockFor, readAttentionOnce } = await import("../../console/index.ts");
      const { nowMs } = clockFor(workspace.baseUrl, context.env);
      const picture = await readAttentionOnce({ ...workspace, nowMs }, context.signal);
      const definitionOf = (networkId: string): string | null =>
        workspace.networks.find((network) => network.networkId === networkId)?.definitionPath ?? null;
      const render = flags.has("--json") ? inboxJson : inboxText;
      context.out(render(picture, definitionOf, workspace.profile));
      return picture.sources.some(({ problem, pending }) => problem !== null || pending > 0) ? 1 : 0;
    });
  },
};
