import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConsoleApi, Intent } from "../../../../../shared/api/index.ts";
import { acted, confirmationOf } from "../../../../support/acting-page.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../../support/console-fixture.ts";
import { type LockTaker, openLockTaker } from "../../../../support/held-locks.ts";

const SLOW = 120_000;

let opened: EmbeddedConsole;
let api: ConsoleApi;
let locks: LockTaker;
let jobKey = "";
let runId = "";
let nodeId = "";

beforeAll(async () => {
  opened = await openConsole({
    async prepare({ orchestrator, networks }) {
      const definitionPath =
        networks.find(({ networkId }) => networkId === "failing_assert")?.definitionPath ?? "";
      const run = await orchestrator.runNetwork({
        definitionPath,
        businessKey: "night",
        requestedBy: "test",
      });
      runId = run.runId ?? "";
    },
  });
  api = opened.api;
  locks = await openLockTaker(opened.dataDir);
}, SLOW);
afterAll(async () => {
  await locks.dispose();
  await opened.close();
}, SLOW);

const unlock = (over: Partial<Extract<Intent, { kind: "jobUnlock" }>> = {}): Intent => ({
  kind: "jobUnlock",
  jobKey,
  runId: null,
  nodeId: null,
  stopConfirmedBy: "田中",
  evidenceText: "tasklist に該当なし",
  evidenceFiles: [],
  reason: "ジョブは終わっています",
  ...over,
});

/** Confirmed without an approver, as a one-person site does (operator-ux §2.4). */
async function confirmedAlone(intent: Intent) {
  const planned = value(await api.acting.plan({ intent }));
  const sentence = planned.friction.breakGlassSentence?.ja ?? "";
  return acted(api, intent, { consent: { kind: "breakGlass", sentence } });
}

describe("job locks through the runner of the workspace (execution-contract §2.4, §2.5)", () => {
  it("lists the jobs of the allowed networks with their keys, and asks nothing for it", async () => {
    const { jobs, unreadable } = value(await api.jobLocks.list({}));
    expect(unreadable).toEqual([]);
    const used = jobs.find(({ nodes }) => nodes.some(({ networkId }) => networkId === "failing_assert"));
    jobKey = used?.jobKey ?? "";
    nodeId = used?.nodes.find(({ networkId }) => networkId === "failing_assert")?.nodeId ?? "";
    expect(jobKey).toBe(`${opened.workspace.profile}:${used?.jobId}`);
  });

  it(
    "says that a lock is free, and plans no release of it",
    async () => {
      const lock = value(await api.jobLocks.inspect({ jobKey }));
      expect(lock).toMatchObject({ locked: false, record: null });
      expect(lock.runs).toMatchObject([{ runId, nodeId, businessKey: "night" }]);
      const { plan } = value(await api.acting.plan({ intent: unlock() }));
      expect(plan.refusals.map((each) => each.code)).toEqual(["JOB_LOCK_FREE"]);
    },
    SLOW,
  );

  it(
    "tells who holds it, and releases it with its audit at the node it belongs to (orchestration §5.5)",
    async () => {
      await locks.holdJob(jobKey, hostname());
      const held = value(await api.jobLocks.inspect({ jobKey }));
      expect(held).toMatchObject({ locked: true, thisHost: true, record: { host: hostname() } });
      const intent = unlock({ runId, nodeId });
      const planned = value(await api.acting.plan({ intent }));
      expect(planned.friction).toMatchObject({ identifier: jobKey, secondPerson: true });
      const noConsent = await api.acting.execute(confirmationOf(intent, planned));
      expect(code(noConsent)).toBe("CONSENT_REQUIRED");
      const end = await confirmedAlone(intent);
      expect(end).toMatchObject({
        state: "done",
        jobKey,
        resultCode: "JOB_LOCK_RELEASED",
        detail: { outcome: "RELEASED", host: hostname(), audit: "RECORDED" },
        consent: { kind: "breakGlass" },
      });
      expect(end.detail.eventId).toMatch(/^job_unlock_/);
      expect(value(await api.jobLocks.inspect({ jobKey })).locked).toBe(false);
    },
    SLOW,
  );

  it(
    "refuses to release another holder than the one that was seen (operator-ux D6)",
    async () => {
      await locks.holdJob(jobKey, "HOST-B");
      const intent = unlock();
      const planned = value(await api.acting.plan({ intent }));
      const sentence = planned.friction.breakGlassSentence?.ja ?? "";
      const first = await api.acting.execute(
        confirmationOf(intent, planned, { consent: { kind: "breakGlass", sentence } }),
      );
      expect(code(first)).toBeNull();
      const again = confirmationOf(intent, planned, {
        operationId: randomUUID(),
        consent: { kind: "breakGlass", sentence },
      });
      await expect
        .poll(async () => (await locks.jobStates(jobKey)).at(-1), { timeout: 60_000 })
        .toContain("FAILED");
      expect(code(await api.acting.execute(again))).toBe("PLAN_STALE");
    },
    SLOW,
  );
});
