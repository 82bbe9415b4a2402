import { IO_AUDIT_MAX_UNITS, largestIoAudit, type NodeDefinition } from "../../../shared/domain/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { encodeInputBaseline, encodeIoAudit, type InputBaseline } from "../../../shared/records/index.ts";
import type { AttemptConclusion } from "../../attempt/index.ts";
import { mutated, mutatedInput } from "./baselines.ts";
import { type InputFile, readInputs } from "./input-files.ts";
import { type IoFacts, resolveIo } from "./io-paths.ts";
import type { IoRoot } from "./io-root.ts";
import { type OutputTarget, prepareOutputs } from "./output-files.ts";

/** The files of one attempt, checked; both lists empty where the node declares none. */
export interface NodeFiles {
  readonly imports: readonly InputFile[];
  readonly exports: readonly OutputTarget[];
  /** Stored with the Attempt's insert (wire-format section 1.5); null without inputs. */
  readonly baseline: string | null;
}

const NONE: NodeFiles = { imports: [], exports: [], baseline: null };

/** Whether a node reads or writes files at all. */
export const usesFiles = ({ inputs, outputs }: Pick<NodeDefinition, "inputs" | "outputs">): boolean =>
  Object.keys(inputs).length + Object.keys(outputs).length > 0;

export interface NodeFilesInput {
  /** Null only where no node of the network uses files. */
  readonly root: IoRoot | null;
  readonly node: NodeDefinition;
  readonly facts: IoFacts;
  /** What the node was started with before in this Run; null for the first time. */
  readonly before: readonly InputBaseline[] | null;
}

/**
 * Everything about a node's files that can fail without a child, before its start is written (orchestration section
 * 4.2 S2b, section 8; fenced-writes R5). Errors: `INPUT_FILE_MISSING`, `INPUT_FILE_MUTATED`, `INPUT_PATH_REJECTED`,
 * `OUTPUT_PATH_REJECTED`, `IO_AUDIT_TOO_LONG`.
 */
export async function prepareNodeFiles({
  root,
  node,
  facts,
  before,
}: NodeFilesInput): Promise<Result<NodeFiles>> {
  if (!usesFiles(node)) return ok(NONE);
  if (root === null) throw new Error(`node ${node.id} uses files and no root was opened`);
  const units = largestIoAudit(Object.keys(node.inputs), Object.keys(node.outputs));
  // Only a definition that somebody else stored comes this far (W-33).
  if (units > IO_AUDIT_MAX_UNITS) return fail(tooLong(node.id, units));
  const { inputs, outputs } = resolveIo(node, facts, root.dir);
  const imports = await readInputs(root, inputs);
  if (!imports.ok) return imports;
  const files = imports.value.map(({ name: source, sha256, bytes }) => ({ source, sha256, bytes }));
  const changed = before === null ? null : mutatedInput(before, files);
  if (changed !== null) return fail(mutated(node.id, changed.source, "The job was not started."));
  const exports = await prepareOutputs(root, outputs);
  if (!exports.ok) return exports;
  if (files.length === 0) return ok({ ...NONE, exports: exports.value });
  const baseline = encodeInputBaseline(files);
  if (!baseline.ok) return baseline;
  return ok({ imports: imports.value, exports: exports.value, baseline: baseline.value });
}

const tooLong = (nodeId: string, units: number) => ({
  code: "IO_AUDIT_TOO_LONG",
  message: `The record of this node's files may need ${units} characters; ${IO_AUDIT_MAX_UNITS} fit. The job was not started.`,
  place: `node ${nodeId}`,
  remedy: "Split the node, or shorten the names, and start a Run under a new key.",
});

/**
 * What the Attempt's `error_message` holds in the end (orchestration section 4.2, last paragraph): the audit of its
 * files when it has inputs, or outputs and a believed result; else the error text. The text itself stands in the
 * JOB log then (W-17b).
 */
export function finalErrorMessage(
  { imports, exports, baseline }: NodeFiles,
  { receipts = null, errorMessage }: Pick<AttemptConclusion, "receipts" | "errorMessage">,
): string | null {
  const inputs = {
    baseline: imports.map(({ name: source, sha256, bytes }) => ({ source, sha256, bytes })),
    files: (receipts?.inputs ?? []).map(({ name: source, ...receipt }) => ({ source, ...receipt })),
  };
  const outputs = receipts?.outputs.map(({ name: sink, ...receipt }) => ({ sink, ...receipt })) ?? null;
  const audit = encodeIoAudit({
    inputs: imports.length === 0 ? null : inputs,
    outputs: exports.length === 0 ? null : outputs,
  });
  // A runner's receipt that breaks the format must not cost the outcome; what was hashed here stays told.
  return (audit.ok ? audit.value : baseline) ?? errorMessage;
}
