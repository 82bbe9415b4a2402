import { IO_AUDIT_MAX_UNITS, largestIoAudit } from "./io-audit-size.ts";
import { recordKeys, UNIQUE_KEY_MAX_UNITS } from "./keys.ts";
import type { NetworkDefinition, NetworkProblem, NodeDefinition } from "./network-definition.ts";

const BUNDLE_NAME = /^[A-Za-z0-9._-]+$/;
const CHILD_ARGUMENT = /^[A-Za-z0-9._:-]{1,128}$/;

function idProblems(node: NodeDefinition, path: string): NetworkProblem[] {
  const problems: NetworkProblem[] = [];
  if (!BUNDLE_NAME.test(node.id) || node.id.includes("..")) {
    problems.push({
      code: "NODE_ID_NOT_BUNDLABLE",
      message: `The node id "${node.id}" cannot be a file name in the execution bundle; no Run could be started.`,
      place: `${path}/id`,
      remedy: 'Use letters, digits, ".", "_" and "-", without "..".',
    });
  }
  if (!CHILD_ARGUMENT.test(node.jobId)) {
    problems.push({
      code: "JOB_ID_NOT_PASSABLE",
      message: `The job id "${node.jobId}" cannot be handed to the job runner; the node would fail when it starts.`,
      place: `${path}/job_id`,
      remedy: 'Use letters, digits, ".", "_" and "-", at most 128 of them.',
    });
  }
  return problems;
}

function jobLockProblems(node: NodeDefinition, path: string, profile: string): NetworkProblem[] {
  const key = recordKeys.jobKey(profile, node.jobId);
  if (key.ok) return [];
  const tooLong = `${profile}:${node.jobId}`.length > UNIQUE_KEY_MAX_UNITS;
  return [
    {
      ...key.error,
      code: tooLong ? "JOB_LOCK_KEY_TOO_LONG" : "JOB_LOCK_KEY_INVALID",
      place: `${path}/job_id`,
    },
  ];
}

function ioProblems(node: NodeDefinition, path: string): NetworkProblem[] {
  const inputs = Object.keys(node.inputs);
  const outputs = Object.keys(node.outputs);
  const size = largestIoAudit(inputs, outputs);
  if (size <= IO_AUDIT_MAX_UNITS) return [];
  return [
    {
      code: "IO_AUDIT_TOO_LONG",
      message: `With ${inputs.length} inputs and ${outputs.length} outputs the stored summary may need ${size} characters; ${IO_AUDIT_MAX_UNITS} fit. The node would fail after it was started.`,
      place: `${path}/${inputs.length > 0 ? "inputs" : "outputs"}`,
      remedy: "Split the node, or shorten the names.",
    },
  ];
}

/**
 * What the peer accepts and finds out only after side effects (wire-format §7 rows 9 and 10, W-12, W-33):
 * `:` in a key format, node ids that cannot be bundled, job ids that cannot be passed, job lock keys that do
 * not fit (only when the profile is known), and more CSV files than the Attempt's summary can hold.
 */
export function gapProblems(
  definition: NetworkDefinition,
  profile: string | undefined,
): readonly NetworkProblem[] {
  const problems: NetworkProblem[] = [];
  const policy = definition.businessKeyPolicy;
  if (policy.type === "scheduled_period" && policy.format.includes(":")) {
    problems.push({
      code: "FORMAT_SEPARATOR_NOT_ALLOWED",
      message: 'The format contains ":"; no Run could be recorded under such a key.',
      place: "$.business_key_policy.format",
      remedy: 'Use "-" instead.',
    });
  }
  definition.nodes.forEach((node, index) => {
    const path = `$.nodes/${index}`;
    problems.push(...idProblems(node, path));
    if (profile !== undefined) problems.push(...jobLockProblems(node, path, profile));
    problems.push(...ioProblems(node, path));
  });
  return problems;
}
