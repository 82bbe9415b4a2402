import { describe, expect, it } from "vitest";
import {
  aggregateRunStatus,
  NODE_STATUSES,
  type NodeStatus,
  nodeTransitionAllowed,
} from "../../shared/domain/index.ts";
import { loadVectors, text, textOrNull, texts } from "./load.ts";

function nodeStatus(value: string): NodeStatus {
  const status = NODE_STATUSES.find((known) => known === value);
  if (status === undefined) throw new Error(`unknown Node State status ${value}`);
  return status;
}

describe("the Run status follows from its Node States (wire-format §1.6)", () => {
  it.each(loadVectors("run-aggregate.json", ["aggregate"]))("$name", ({ input, expected }) => {
    const statuses = texts(input, "node_statuses").map(nodeStatus);
    expect({ status: aggregateRunStatus(statuses, textOrNull(input, "started_at")) }).toEqual(expected);
  });
});

describe("a Node State changes only along the allowed ways (wire-format §1.6)", () => {
  it.each(loadVectors("run-aggregate.json", ["node_transition"]))("$name", ({ input, expected }) => {
    const from = nodeStatus(text(input, "from"));
    const to = nodeStatus(text(input, "to"));
    // The idempotency rule is no part of this matrix.
    const allowed = (matchingResolution: boolean) =>
      nodeTransitionAllowed(from, to, { idempotent: true, matchingResolution });
    expect({ allowed: allowed(false), allowed_with_matching_resolution: allowed(true) }).toEqual(expected);
  });
});
