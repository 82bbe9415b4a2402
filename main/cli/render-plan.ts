import type { OperationPlan, PlannedNode, PlannedWrite } from "../../shared/domain/operations/index.ts";
import texts from "../../shared/text/operations.en.json" with { type: "json" };
import { placeAndRemedy } from "./problem-text.ts";
import { shown } from "./shown.ts";

/** Puts values into the `{{name}}` places of a text. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}

/** `--dry-run --json`: the plan as it can be kept and given back with `--seen`. */
export const planJson = (plan: OperationPlan): string => `${JSON.stringify(plan, null, 2)}\n`;

/** The same for people: what would be done and why not, in the order in which it is decided. */
export function planText(plan: OperationPlan): string {
  const lines = [
    `${plan.operation} of ${subjectText(plan)} (danger ${plan.danger})`,
    ...(plan.available ? ["Possible now. Nothing was written."] : refusalLines(plan)),
    ...consequenceLines(plan),
    ...nodeLines(plan),
    ...inputLines(plan),
    ...writeLines(plan),
    ...evidenceLine(plan),
    `Fingerprint: ${plan.fingerprint} (records read ${plan.readAt})`,
  ];
  return shown(`${lines.join("\n")}\n`, true);
}

function subjectText({ subject }: OperationPlan): string {
  const { networkId, businessKey, runId, nodeId, requestId, jobKey } = subject;
  const parts = [
    networkId === null ? null : `network ${networkId}`,
    businessKey === null ? null : `key ${businessKey}`,
    runId === null ? null : `Run ${runId}`,
    nodeId === null ? null : `node ${nodeId}`,
    requestId === null ? null : `request ${requestId}`,
    jobKey === null ? null : `job ${jobKey}`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

const refusalLines = ({ refusals }: OperationPlan): readonly string[] => [
  "Not possible now:",
  ...refusals.flatMap((problem) => [`- [${problem.code}] ${problem.message}`, ...placeAndRemedy(problem)]),
];

const consequenceLines = ({ consequences }: OperationPlan): readonly string[] =>
  consequences.map(({ name, params }) => `* ${filled(texts.consequence[name], params)}`);

function nodeLines({ nodes, counts }: OperationPlan): readonly string[] {
  if (nodes.length === 0) return [];
  const { run, keep, blocked, refused, left } = counts;
  const beside = left === 0 ? "" : `, ${left} left alone`;
  return [
    `Nodes: ${run} run, ${keep} kept, ${blocked} blocked, ${refused} refused${beside}`,
    ...nodes.map(nodeLine),
  ];
}

function nodeLine({ nodeId, does, why, status, attempts, by, streak, idempotent }: PlannedNode): string {
  const parts = [
    `  ${nodeId}`,
    by.length === 0 ? `${does} (${why})` : `${does} (${why}: ${by.join(", ")})`,
    status,
    `attempts ${attempts}`,
    ...(streak === null ? [] : [`${streak.code} x${streak.count}`]),
    ...(idempotent ? [] : ["must not run twice"]),
  ];
  return parts.join(" | ");
}

const inputLines = ({ inputs }: OperationPlan): readonly string[] =>
  inputs === null || inputs.length === 0
    ? []
    : [
        "Input files:",
        ...inputs.map(
          ({ nodeId, name, state, detail }) => `  ${nodeId} | ${name} | ${state} | ${detail ?? "-"}`,
        ),
      ];

const writeLines = ({ writes }: OperationPlan): readonly string[] =>
  writes.length === 0 ? [] : [`Writes (${writes.length}):`, ...writes.map(writeLine)];

function writeLine({ action, record, id, changes }: PlannedWrite): string {
  const moved = changes.map(({ field, from, to }) =>
    action === "insert" ? `${field} ${to ?? "-"}` : `${field} ${from ?? "-"} -> ${to ?? "-"}`,
  );
  return `  ${action} ${record}${id === null ? "" : ` ${id}`}: ${moved.join(", ")}`;
}

function evidenceLine({ evidence }: OperationPlan): readonly string[] {
  if (evidence.length === 0) return [];
  const fields = evidence.map(({ field, required }) => (required ? field : `${field} (optional)`));
  return [`Needs: ${fields.join(", ")}`];
}
