import { describe, expect, it } from "vitest";
import { inboxJson, inboxText } from "../../../../main/cli/render-inbox.ts";
import { type AttentionItem, attentionItem } from "../../../../shared/domain/attention.ts";

/** The inbox with one thing in it. */
function pictureOf(item: AttentionItem): Parameters<typeof inboxText>[0] {
  return { items: [item], total: 1, sources: [], calm: false, judgedAt: "2026-09-01T00:00:00.000Z" };
}
const parts = { id: "x", since: null, facts: [], networkId: "monthly", runId: "netrun_1" } as const;
const definitionOf = (networkId: string): string | null =>
  networkId === "monthly" ? "/networks/monthly job/network.yaml" : null;

describe("what the inbox offers to do, as a command that only shows its plan (orchestration §11.4)", () => {
  it.each<[string, AttentionItem, string]>([
    [
      "a silent claim, which no poller ends (W-10)",
      attentionItem("staleRequest", { ...parts, requestId: "42" }),
      "flownet settle-request 42 --reason-file <why.txt> --evidence-ref <text> --stop-confirmed-by <name> --dry-run",
    ],
    [
      "a failed Run",
      attentionItem("failed", { ...parts, code: "NODE_FAILED_OR_BLOCKED" }),
      'flownet run-network "/networks/monthly job/network.yaml" --resume-run netrun_1 --dry-run',
    ],
    [
      "a Run of a network that is in no list of this host",
      attentionItem("failed", { ...parts, networkId: "other", code: "NODE_FAILED_OR_BLOCKED" }),
      "flownet run-network <network.yaml> --resume-run netrun_1 --dry-run",
    ],
    [
      "a braked node",
      attentionItem("retryBrake", { ...parts, nodeId: "load" }),
      'flownet run-network "/networks/monthly job/network.yaml" --resume-run netrun_1 --rerun-from load --dry-run',
    ],
  ])("%s", (_what, item, command) => {
    const picture = pictureOf(item);
    expect(inboxText(picture, definitionOf, "prod")).toContain(`  do: ${command}\n`);
    expect(JSON.parse(inboxJson(picture, definitionOf, "prod")).items[0].next.command).toBe(command);
  });
});
