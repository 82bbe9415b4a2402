import type { Run } from "../../../shared/domain/model.ts";
import type { ComparedInput } from "../../../shared/domain/operations/index.ts";
import { type IoRoot, mutatedInput, newestBaseline, readInputs, resolveIo } from "../csv/index.ts";
import { ioFactsOf, nodesToRun, type PlannedNodes } from "../file-needs.ts";

const STATES: Readonly<Record<string, ComparedInput["state"]>> = {
  INPUT_FILE_MISSING: "missing",
  INPUT_FILE_MUTATED: "changed",
};

/**
 * Each declared file of the nodes that would run, and whether it is the one an earlier Attempt read (orchestration
 * section 8.2). A file that no Attempt read yet is `same` as long as it is there.
 */
export async function comparedInputs(
  root: IoRoot,
  run: Run,
  planned: PlannedNodes,
): Promise<readonly ComparedInput[]> {
  const compared: ComparedInput[] = [];
  for (const node of nodesToRun(planned)) {
    const before = newestBaseline(planned.attempts.filter(({ nodeId }) => nodeId === node.id));
    for (const input of resolveIo(node, ioFactsOf(run), root.dir).inputs) {
      const { name } = input;
      const read = await readInputs(root, [input]);
      if (!read.ok) {
        const state = STATES[read.error.code] ?? "rejected";
        compared.push({ nodeId: node.id, name, state, detail: input.relative });
        continue;
      }
      const own = before.ok ? (before.value ?? []).filter(({ source }) => source === name) : [];
      const now = read.value.map(({ sha256, bytes }) => ({ source: name, sha256, bytes }));
      const state = mutatedInput(own, now) === null ? "same" : "changed";
      compared.push({ nodeId: node.id, name, state, detail: input.relative });
    }
  }
  return compared;
}
