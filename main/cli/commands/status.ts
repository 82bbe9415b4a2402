import { canonicalIdentifier } from "../../../shared/domain/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { Command } from "../command.ts";
import { statusJson, statusText } from "../render-status.ts";
import { shown } from "../shown.ts";

/**
 * `status`: what the records say about a network, never writing (orchestration sections 6 and 9). The
 * profile defaults to the workspace's own; the peer demands it every time.
 */
export const status: Command = {
  spec: {
    name: "status",
    summary: "Shows the lock and the Runs of a network, or one Run in detail. Writes nothing.",
    positional: { name: "network id", text: "the network's id, as in its definition" },
    options: [
      { name: "--profile", value: "profile", text: "default: the workspace's profile" },
      { name: "--run-id", value: "run id", text: "one Run in detail", excludes: ["--business-key"] },
      { name: "--business-key", value: "key", text: "one Run in detail, by its key" },
      { name: "--json", value: null, text: "JSON on stdout" },
    ],
    example: "flownet status monthly_summary --json",
  },
  fallbackCode: "STATUS_FAILED",
  async run({ positional, values, flags }, context) {
    const networkId = positional ?? "";
    const usable = canonicalIdentifier(networkId, "networkId", "RECORD_KEY_IDENTIFIER");
    if (!usable.ok) throw new FlowError({ ...usable.error, place: "argument <network id>" });
    const { openWorkspace } = await import("../../console/index.ts");
    const workspace = await openWorkspace({
      dataDir: await context.dataDir(),
      env: context.env,
      signal: context.signal,
    });
    try {
      const runId = values["--run-id"];
      const businessKey = values["--business-key"];
      const report = await workspace.orchestrator.status({
        networkId,
        profile: values["--profile"] ?? workspace.profile,
        signal: context.signal,
        ...(runId === undefined ? {} : { runId }),
        ...(businessKey === undefined ? {} : { businessKey }),
      });
      if (report.runs.length === 0 && !workspace.networks.some(({ networkId: id }) => id === networkId)) {
        context.err(unknownHint(networkId));
      }
      context.out(flags.has("--json") ? statusJson(report) : statusText(report));
      // Found, but not all of it: whoever reads only the exit code must not take it for the whole picture.
      return report.unreadable.length === 0 ? 0 : 1;
    } finally {
      await workspace.dispose();
    }
  },
};

/** No Run and in no list: most likely a slip of the pen, and still no error (orchestration section 6). */
const unknownHint = (networkId: string): string =>
  `Hint: ${shown(networkId)} has no Run and is not in this host's list of networks; give the network_id of a definition, not its path.\n`;
