import { FlowError } from "../../../shared/domain/problem.ts";
import type { OpenedWorkspace } from "../../console/index.ts";
import { invalid } from "../arguments.ts";
import type { Command } from "../command.ts";
import { untilAborted } from "../until-aborted.ts";

/**
 * `local-kintone`: the data folder's kintone and everything a FlowNet program needs to work in it, until
 * Ctrl+C. With `--json` the first line, printed once the server listens, is the whole environment.
 */
export const localKintone: Command = {
  spec: {
    name: "local-kintone",
    summary: "Serves the embedded kintone of the data folder, until Ctrl+C.",
    positional: null,
    options: [
      { name: "--port", value: "port", text: "its port, for a data folder that has none yet" },
      { name: "--json", value: null, text: "first line: address and environment, with tokens, as JSON" },
    ],
    example: "flownet local-kintone --data-dir ./sandbox --json",
  },
  fallbackCode: "LOCAL_KINTONE_FAILED",
  async run({ values, flags }, context) {
    const port = values["--port"];
    const { openEmbedded } = await import("../../console/index.ts");
    const workspace = await openEmbedded({
      dataDir: await context.dataDir(),
      env: context.env,
      signal: context.signal,
      endServer: true,
      ...(port === undefined ? {} : { port: portOf(port) }),
    });
    try {
      context.out(flags.has("--json") ? listeningJson(workspace) : listeningText(workspace));
      await untilAborted(context.signal);
      return 0;
    } finally {
      await workspace.dispose();
    }
  },
};

function listeningJson(workspace: OpenedWorkspace): string {
  const { baseUrl } = workspace;
  return `${JSON.stringify({ event: "listening", baseUrl, env: workspace.environment() })}\n`;
}

/** Names only: tokens are shown to whoever asks for them with `--json`. */
function listeningText(workspace: OpenedWorkspace): string {
  const names = Object.keys(workspace.environment()).join(" ");
  return [
    `Listening on ${workspace.baseUrl}`,
    `Variables for other programs (values with --json): ${names}`,
    "Ctrl+C ends the server.",
    "",
  ].join("\n");
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw new FlowError(invalid(`Not a port: ${text}`, "--port", "Give a number from 1 to 65535."));
}
