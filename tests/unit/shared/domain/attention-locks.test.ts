import { describe, expect, it } from "vitest";
import type { AttentionItem } from "../../../../shared/domain/attention.ts";
import { attentionList, nextLeaseEnd } from "../../../../shared/domain/attention-list.ts";
import { LEASE_END, lockPicture, NOW } from "./attention-samples.ts";

describe("locks whose lease ended (wire-format §4.5, the 60 s margin)", () => {
  const at = (ms: number): readonly AttentionItem[] =>
    attentionList(
      {
        profile: "local",
        runs: [],
        records: new Map(),
        locks: [lockPicture({})],
        expectations: [],
        requests: null,
      },
      Date.parse(LEASE_END) + ms,
    );
  it.each([
    [-1, 0],
    [0, 0],
    [59_999, 0],
    [60_000, 0],
    [60_001, 1],
  ])("%i ms after the lease end there are %i candidates", (ms, count) => {
    expect(at(ms)).toHaveLength(count);
  });

  it("names network, Run, margin end and holder, and calls it a candidate for the second responder", () => {
    const [item] = at(120_000);
    expect(item).toMatchObject({
      kind: "staleLock",
      id: "staleLock:9",
      networkId: "monthly_summary",
      runId: "run-1",
      lockRecordId: "9",
      urgency: "high",
      responder: "second",
      since: { at: new Date(Date.parse(LEASE_END) + 60_000).toISOString(), precision: "minute" },
    });
    expect(item?.facts).toContainEqual({
      name: "ownerInstance",
      kind: "text",
      value: "local-pid://HOST-A/8812",
    });
  });

  it("knows when time alone will change the list", () => {
    const end = Date.parse(LEASE_END);
    expect(nextLeaseEnd([lockPicture({})], end)).toBe(end + 60_001);
    expect(nextLeaseEnd([lockPicture({})], end + 60_001)).toBeNull();
    expect(nextLeaseEnd([lockPicture({ leaseExpiresAt: "?" })], end)).toBeNull();
  });

  it("makes no candidate of an expiry that cannot be read", () => {
    const locks = [lockPicture({ leaseExpiresAt: "?" })];
    expect(
      attentionList(
        { profile: "local", runs: [], records: new Map(), locks, expectations: [], requests: null },
        NOW,
      ),
    ).toEqual([]);
  });
});
