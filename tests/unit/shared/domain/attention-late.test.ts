import { describe, expect, it } from "vitest";
import type { AttentionItem } from "../../../../shared/domain/attention.ts";
import { attentionList } from "../../../../shared/domain/attention-list.ts";
import type { RunInPicture } from "../../../../shared/domain/attention-picture.ts";
import type { Expectation } from "../../../../shared/domain/expectation.ts";
import { NOW, runInPicture } from "./attention-samples.ts";

const kinds = (items: readonly AttentionItem[]): readonly string[] => items.map((item) => item.kind);

describe("lateness among the rest (decisions §5)", () => {
  const daily: Expectation = {
    networkId: "monthly_summary",
    zone: "Asia/Tokyo",
    from: "2026-09-05",
    recurrence: { every: "day" },
    businessKey: "monthly_summary@{yyyy}-{MM}-{dd}",
    existsBy: 60,
    successBy: 120,
  };
  const key = "monthly_summary@2026-09-05";
  const late = (runs: readonly RunInPicture[]): readonly AttentionItem[] =>
    attentionList(
      { profile: "local", runs, records: new Map(), locks: [], expectations: [daily], requests: null },
      NOW,
    );

  it.each<[string, readonly RunInPicture[], readonly string[]]>([
    ["no Run at all", [], ["lateMissing"]],
    [
      "a Run of another profile is no Run of ours",
      [runInPicture({ businessKey: key, profile: "other", status: "SUCCESS" })],
      ["lateMissing"],
    ],
    [
      "a Run at work past its due time",
      [runInPicture({ businessKey: key, status: "RUNNING", activity: "LIVE" })],
      ["lateUnfinished"],
    ],
    [
      "a failed Run is late because it failed: one row",
      [runInPicture({ businessKey: key, status: "FAILED" })],
      ["failed"],
    ],
    ["a success", [runInPicture({ businessKey: key, status: "SUCCESS" })], []],
    [
      "a closed Run is settled",
      [runInPicture({ businessKey: key, status: "FAILED", lifecycle: "ARCHIVED" })],
      [],
    ],
  ])("%s", (_, runs, expected) => {
    expect(kinds(late(runs))).toEqual(expected);
  });

  it("adds the due time to the evidence of the row that says why", () => {
    const [item] = late([runInPicture({ businessKey: key, status: "FAILED" })]);
    expect(item?.facts).toContainEqual({
      name: "lateSince",
      kind: "time",
      value: "2026-09-04T17:00:00.000Z",
      precision: "exact",
    });
  });

  it("keeps the row of a missing Run when the Run appears and is late itself", () => {
    const [before] = late([]);
    const [after] = late([runInPicture({ businessKey: key, status: "RUNNING", activity: "LIVE" })]);
    expect(after?.id).toBe(before?.id);
  });
});
