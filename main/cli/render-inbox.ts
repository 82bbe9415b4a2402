import type { AttentionEntry, AttentionPicture } from "../../shared/api/index.ts";
import { type NextAction, nextActionFor } from "../../shared/domain/next-action.ts";
import texts from "../../shared/text/operations.en.json" with { type: "json" };
import { shown } from "./shown.ts";

/** Where the definition of a network lies on this host; null when it is in no list. */
export type DefinitionOf = (networkId: string) => string | null;

interface Told {
  readonly item: AttentionEntry;
  readonly action: NextAction;
  readonly meaning: string;
  readonly next: string;
  /** The command that does it, or shows more; placeholders stand in `<…>`. */
  readonly command: string | null;
}

function told(item: AttentionEntry, definitionOf: DefinitionOf, profile: string): Told {
  const action = nextActionFor(item);
  const words = action.code === null ? texts.nextUnknown : texts.next[action.code];
  return { item, action, ...words, command: commandOf(item, action, definitionOf, profile) };
}

/** The exact next step as a command line (orchestration §11.4). */
function commandOf(
  item: AttentionEntry,
  { operation }: NextAction,
  definitionOf: DefinitionOf,
  profile: string,
): string | null {
  const { networkId, runId, nodeId, businessKey, requestId } = item;
  if (item.kind === "staleRequest" && requestId !== null) return settleCommand(requestId);
  const file = (networkId === null ? null : definitionOf(networkId)) ?? "<network.yaml>";
  const resume = `flownet run-network ${quoted(file)} --resume-run ${runId ?? "<run id>"}`;
  switch (operation) {
    case "RESUME":
      return `${resume} --dry-run`;
    case "RERUN_FROM":
      return `${resume} --rerun-from ${nodeId ?? "<node>"} --dry-run`;
    case "RESOLVE_NODE":
      return `flownet resolve-node --run-id ${runId ?? "<run id>"} --node-id ${nodeId ?? "<node>"} --to <outcome> --reason-file <why.txt> --evidence-ref <text> --stop-confirmed-by <name> --stop-evidence-ref <text> --dry-run`;
    case "FORCE_UNLOCK":
      return `flownet force-unlock-network ${networkId ?? "<network id>"} --profile ${profile} --expected-owner-invocation-id ${ownerOf(item)} --reason-file <why.txt> --evidence-ref <text> --stop-confirmed-by <name> --stop-evidence-ref <text> --stop-method <method> --dry-run`;
    case "RELEASE":
      return `flownet cancel-run --run-id ${runId ?? "<run id>"} --release --reason-file <why.txt> --dry-run`;
    case "START":
      return `flownet run-network ${quoted(file)} --business-key <new key> --dry-run`;
    default:
      if (networkId === null) return null;
      if (runId !== null) return `flownet status ${networkId} --run-id ${runId}`;
      return businessKey === null ? `flownet status ${networkId}` : `flownet plan ${quoted(file)}`;
  }
}

/** Its plan says first whether there is a Run, and refuses what may still be at work (W-10). */
const settleCommand = (requestId: string): string =>
  `flownet settle-request ${requestId} --reason-file <why.txt> --evidence-ref <text> --stop-confirmed-by <name> --dry-run`;

const quoted = (path: string): string => (/[\s"']/.test(path) ? JSON.stringify(path) : path);

const ownerOf = ({ facts }: AttentionEntry): string => {
  const fact = facts.find(({ name }) => name === "ownerInvocation");
  return fact?.kind === "text" && fact.value !== null ? fact.value : "<owner>";
};

/** `inbox --json`: the console's own picture, each item with its next action. */
export function inboxJson(picture: AttentionPicture, definitionOf: DefinitionOf, profile: string): string {
  const items = picture.items.map((item) => {
    const { action, meaning, next, command } = told(item, definitionOf, profile);
    return { ...item, next: { ...action, meaning, next, command } };
  });
  return `${JSON.stringify({ kind: "INBOX", formatVersion: 1, profile, ...picture, items }, null, 2)}\n`;
}

/** The same for people, most urgent first; silence is told only where every source was read. */
export function inboxText(picture: AttentionPicture, definitionOf: DefinitionOf, profile: string): string {
  const { items, total, calm, sources, judgedAt } = picture;
  const lines = [
    ...items.flatMap((item) => itemLines(told(item, definitionOf, profile))),
    ...(total > items.length ? [`${total - items.length} more, less urgent.`] : []),
    ...(calm ? ["Nothing to do."] : []),
    ...(!calm && total === 0 ? ["Nothing was found, but not every source could be read:"] : []),
    ...sources.map(({ source, readAt, problem, pending, absent }) => {
      const state = absent ? "none, nothing is expected" : `read ${readAt ?? "never"}`;
      const open = pending === 0 ? "" : `, ${pending} not read`;
      return `Source ${source}: ${state}${open}${problem === null ? "" : `, ${problem.code}: ${problem.message}`}`;
    }),
    `Judged ${judgedAt}`,
  ];
  return shown(`${lines.join("\n")}\n`, true);
}

function itemLines({ item, action, meaning, next, command }: Told): readonly string[] {
  const { networkId, businessKey, runId, nodeId, since, code } = item;
  const where = [networkId, businessKey, runId, nodeId].filter((part) => part !== null);
  const proofs = action.proofs.map((proof) => texts.evidence[proof]);
  return [
    `${item.urgency.toUpperCase()} ${item.kind}${code === null ? "" : ` ${code}`} | ${where.join(" | ")}${since === null ? "" : ` | since ${since.at}`}`,
    `  ${meaning} ${next}`,
    `  who: ${texts.who[action.who]}${proofs.length === 0 ? "" : `; at hand: ${proofs.join(", ")}`}`,
    ...(command === null ? [] : [`  do: ${command}`]),
  ];
}
