import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../../main/console/index.ts";
import type { AttentionPicture, ConsoleApi } from "../../../../shared/api/index.ts";
import { type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";
import { KILLED_LEASE_MS, KILLED_NETWORK, killRun } from "../../../support/killed-run.ts";

const SLOW = 120_000;

let opened: EmbeddedConsole;
let api: ConsoleApi;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { ...systemClock, nowMs: () => Date.now() + offsetMs };
  opened = await openConsole({ clock });
  api = opened.api;
}, SLOW);

afterAll(() => opened.close(), SLOW);

/** The first picture that shows the fact, pushed to whoever watches. */
async function picture(shows: (seen: AttentionPicture) => boolean): Promise<AttentionPicture> {
  const giveUp = AbortSignal.timeout(60_000);
  for await (const seen of await api.attention.watch({}, { signal: giveUp })) if (shows(seen)) return seen;
  throw new Error("the stream ended");
}

const kinds = (seen: AttentionPicture): readonly string[] => seen.items.map((item) => item.kind);

describe("要対応 over a real socket and the embedded workspace (operator-ux §1.1)", () => {
  it("is calm only once every source was read, and names them", async () => {
    const seen = await picture(({ calm }) => calm);
    expect(seen.items).toEqual([]);
    expect(seen.sources.map(({ source, problem, absent }) => [source, problem, absent])).toEqual([
      ["state", null, false],
      ["audit", null, false],
      ["request", null, false],
      ["jobLog", null, false],
      ["processes", null, false],
      ["schedules", null, true],
    ]);
    for (const { readAt } of seen.sources) expect(Date.parse(readAt ?? "")).toBeGreaterThan(0);
  });

  it("lists every allowed network as free", async () => {
    const { locks } = value(await api.locks.list({}));
    expect(locks.map(({ networkId, holder }) => [networkId, holder])).toEqual([
      ["diamond", null],
      ["failing_assert", null],
      ["monthly_summary", null],
    ]);
  });

  it(
    "tells of a failed Run with its node, its code and what it stops",
    async () => {
      const target = { networkId: "failing_assert", businessKey: "night" };
      const { fingerprint } = value(await api.start.preview(target));
      value(
        await api.start.execute({
          ...target,
          operationId: randomUUID(),
          fingerprint,
          reason: "a failing night",
        }),
      );
      const seen = await picture(({ items }) => items.some((item) => item.nodeId !== null));
      expect(seen.calm).toBe(false);
      expect(seen.items).toHaveLength(1);
      expect(seen.items[0]).toMatchObject({
        kind: "failed",
        businessKey: "night",
        nodeId: "amount_gate",
        code: "ASSERT_FAILED",
        responder: "first",
      });
      expect(seen.items[0]?.facts).toContainEqual({ name: "blockedNodes", kind: "count", value: 1 });
    },
    SLOW,
  );

  it(
    "calls a killed Run interrupted and its lock a candidate only after the lease and its margin",
    async () => {
      const pid = await killRun(opened.dataDir, "k");
      value(await api.runs.refresh({}));
      const before = value(await api.attention.list({}));
      expect(kinds(before)).not.toContain("staleLock");
      expect(kinds(before)).not.toContain("interrupted");
      const held = value(await api.locks.list({})).locks.find(
        ({ networkId }) => networkId === KILLED_NETWORK,
      );
      expect(held?.holder).toMatchObject({ pid, thisHost: true, staleCandidate: false, businessKey: "k" });

      // The minute that the stored time has lost, the margin, and the lease itself.
      offsetMs = KILLED_LEASE_MS + 60_000 + 60_001;
      value(await api.runs.refresh({}));
      const seen = await picture(
        (each) => kinds(each).includes("interrupted") && kinds(each).includes("staleLock"),
      );
      expect(kinds(seen)).toEqual(["staleLock", "interrupted", "failed"]);
      const [lock, run] = seen.items;
      expect(lock).toMatchObject({
        networkId: KILLED_NETWORK,
        runId: run?.runId,
        responder: "second",
        urgency: "high",
      });
      expect(run?.facts).toContainEqual({ name: "runStatus", kind: "text", value: "RUNNING" });
    },
    SLOW,
  );

  it("probes the holder on its own host: the process is gone, and nothing is concluded beyond that", async () => {
    const [held] = value(await api.locks.list({})).locks;
    const recordId = held?.holder?.recordId ?? "";
    const detail = value(await api.locks.detail({ recordId }));
    expect(detail.lock.holder).toMatchObject({ staleCandidate: true, thisHost: true });
    expect(detail.lock.holder).not.toHaveProperty("leaseToken");
    expect(detail.verdict).toEqual({ kind: "gone", by: "journal" });
    const results = Object.fromEntries(detail.probes.map(({ probe, result }) => [probe, result]));
    expect(results).toMatchObject({ lease: "ended", heartbeat: "ended", process: "ended", journal: "ended" });
    expect(detail.currentNodes.length).toBeLessThanOrEqual(1);
  });

  it("answers a problem for a lock nobody holds and refuses what is no record id", async () => {
    expect(await api.locks.detail({ recordId: "999999" })).toMatchObject({
      ok: false,
      error: { code: "LOCK_NOT_HELD" },
    });
    await expect(api.locks.detail({ recordId: "x" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("watches due times once the file is there, and says where the file is wrong", async () => {
    const file = join(opened.dataDir, "schedules.json");
    const networks = [
      {
        networkId: "diamond",
        zone: "Asia/Tokyo",
        from: new Date(Date.now() + offsetMs).toISOString().slice(0, 10),
        repeat: { every: "day" },
        businessKey: "diamond@{yyyy}-{MM}-{dd}",
        existsBy: "00:00",
      },
    ];
    await writeFile(file, JSON.stringify({ kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks }));
    value(await api.runs.refresh({}));
    const seen = await picture((each) => kinds(each).includes("lateMissing"));
    expect(seen.items.at(-1)).toMatchObject({ kind: "lateMissing", networkId: "diamond", runId: null });

    await writeFile(file, "{");
    value(await api.runs.refresh({}));
    const broken = await picture(({ sources }) => sources.some((each) => each.problem !== null));
    expect(broken.sources.at(-1)?.problem).toMatchObject({ code: "SCHEDULES_INVALID", place: `${file} $` });
    expect(broken.calm).toBe(false);
  });

  it("refuses a call with more than the contract knows (electron-desktop I3)", async () => {
    const input = { recordId: "1", surprise: true };
    await expect(api.locks.detail(input)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
