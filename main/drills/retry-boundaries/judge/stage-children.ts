import type { Busy } from "../cases/model.ts";
import type { Observation } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import type { ChildResult } from "../documents/results-schema.ts";

export type StoredStage = StoredCase["stages"][number];

interface Growing {
  exit: ChildResult["exit"];
  readonly points: string[];
  readonly busy: number[];
}

/** What the children of a stage must do, one entry a child, in the order they appear in the plan. */
export function expectedChildren(stage: StoredStage): readonly ChildResult[] {
  const children = new Map<string, Growing>();
  for (const move of stage.moves) {
    const child = growing(children, move.child);
    child.exit = move.do === "hold" ? "held" : move.exit;
    child.points.push(...move.points);
    const busy: Busy | null = move.do === "hold" ? null : move.busy;
    if (busy !== null) child.busy.push(busy.code);
  }
  return results(children);
}

/** What the children of a stage did, from the lines of that stage. */
export function observedChildren(lines: readonly Observation[]): readonly ChildResult[] {
  const children = new Map<string, Growing>();
  for (const line of lines) {
    if (line.kind === "child_started") growing(children, line.child);
    if (line.kind === "point") growing(children, line.child).points.push(line.point);
    if (line.kind === "busy") {
      const child = growing(children, line.child);
      child.points.push("busy");
      child.busy.push(line.code);
    }
    if (line.kind === "child_exited") growing(children, line.child).exit = line.exit_code;
  }
  return results(children);
}

function growing(children: Map<string, Growing>, name: string): Growing {
  const known = children.get(name);
  if (known !== undefined) return known;
  // Until its end is seen, a child is waiting.
  const fresh: Growing = { exit: "held", points: [], busy: [] };
  children.set(name, fresh);
  return fresh;
}

function results(children: ReadonlyMap<string, Growing>): readonly ChildResult[] {
  return [...children].map(([child, { exit, points, busy }]) => ({ child, exit, points, busy }));
}
