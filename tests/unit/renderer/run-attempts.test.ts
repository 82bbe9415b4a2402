import { describe, expect, it } from "vitest";
import { attemptScope } from "../../../renderer/run/run-view.ts";
import { withAttempts, withFirstPage } from "../../../renderer/state/run-attempts.ts";
import { attempt } from "./run-facts.ts";

describe("whose attempts a view of a Run asks for (operator-ux U8)", () => {
  it.each([
    [{}, { kind: "first" }],
    [{ tab: "overview" }, { kind: "first" }],
    [{ tab: "graph" }, { kind: "first" }],
    [
      { tab: "graph", nodeId: "a" },
      { kind: "node", nodeId: "a" },
    ],
    [
      { tab: "log", nodeId: "a" },
      { kind: "node", nodeId: "a" },
    ],
    [{ tab: "log" }, { kind: "all" }],
    [{ tab: "attempts", nodeId: "a" }, { kind: "all" }],
    [{ tab: "timeline" }, { kind: "all" }],
    [{ tab: "events" }, { kind: "all" }],
  ] as const)("%j asks for %j", (view, scope) => {
    expect(attemptScope(view)).toEqual(scope);
  });
});

describe("a page of attempts among those already known (operator-ux U4)", () => {
  const old = attempt({ recordId: "11", recordRevision: 1, status: "RUNNING" });
  const ended = attempt({ recordId: "11", recordRevision: 2, status: "SUCCESS" });
  const later = attempt({ recordId: "101", attemptId: "att-2" });

  it("stands in the order of the records, each once, the newest revision of each", () => {
    expect(withAttempts([later, old], [ended])).toEqual([ended, later]);
  });

  it("brings nothing back that is older than what is known", () => {
    expect(withAttempts([ended], [old])).toEqual([ended]);
  });

  it.each([
    ["of a record that went back", [ended, later], [old], 2, [old]],
    ["that counts fewer than are known", [old, later], [old], 1, [old]],
    ["that goes on from what is known", [old, later], [ended], 2, [ended, later]],
  ])(
    "is the truth where a Run is read again from its first page %s (operator-ux U7)",
    (_, list, fresh, total, left) => {
      expect(withFirstPage(list, fresh, total)).toEqual(left);
    },
  );
});
