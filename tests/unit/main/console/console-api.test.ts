import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConsoleApi, LiveBatch, Operation, StartPreview } from "../../../../shared/api/index.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";

const TARGET = { networkId: "monthly_summary", scheduledFor: "2026-09-01T00:00:00+09:00" };
const KEY = "monthly_summary@2026-09";
const SLOW = 120_000;

let opened: EmbeddedConsole;
let api: ConsoleApi;

beforeAll(async () => {
  opened = await openConsole();
  api = opened.api;
}, SLOW);

afterAll(() => opened.close(), SLOW);

const preview = async (): Promise<StartPreview> => value(await api.start.preview(TARGET));

describe("the console API over a real socket and the embedded workspace (architecture §4)", () => {
  it("says where one works", async () => {
    expect(value(await api.workspace.get({}))).toMatchObject({ kind: "embedded", timeZone: "Asia/Tokyo" });
  });

  it("lists the networks with their naming and their nodes in order", async () => {
    const { networks } = value(await api.networks.list({}));
    const network = networks.find((each) => each.networkId === TARGET.networkId);
    expect(network).toMatchObject({ naming: "scheduled", problems: [] });
    const ids = network?.nodes.map((node) => node.id) ?? [];
    for (const node of network?.nodes ?? []) {
      for (const upstream of node.dependsOn) {
        expect(ids.indexOf(upstream)).toBeLessThan(ids.indexOf(node.id));
      }
    }
    expect(ids.length).toBeGreaterThan(1);
  });

  it("answers a problem, not an error, where a thing does not exist", async () => {
    expect(code(await api.runs.detail({ runId: "netrun_nobody" }))).toBe("RECORD_NOT_FOUND");
    expect(code(await api.operations.get({ operationId: randomUUID() }))).toBe("OPERATION_UNKNOWN");
    expect(code(await api.start.preview({ networkId: "nobody" }))).toBe("NETWORK_NOT_ALLOWED");
  });

  it("refuses what the contract does not know before a handler sees it (electron-desktop I3)", async () => {
    const extra = { limit: 10, surprise: true };
    await expect(api.runs.list(extra)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(api.runs.list({ limit: 501 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const fingerprint = (await preview()).fingerprint;
    const order = { ...TARGET, operationId: randomUUID(), fingerprint, reason: "abc" };
    await expect(api.start.execute(order)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("puts each problem of a target beside its field", async () => {
    const bare = value(await api.start.preview({ networkId: TARGET.networkId }));
    expect(bare.problems.map(({ field, problem }) => [field, problem.code])).toEqual([
      ["scheduledFor", "SCHEDULED_FOR_REQUIRED"],
    ]);
    const bad = value(await api.start.preview({ networkId: TARGET.networkId, businessKey: "a:b" }));
    expect(bad.problems.map(({ field }) => field)).toEqual(["businessKey"]);
  });

  it("refuses a start whose preview no longer holds and says what changed (operator-ux D6)", async () => {
    const seen = value(await api.start.preview({ ...TARGET, scheduledFor: "2026-10-01T00:00:00+09:00" }));
    const answer = await api.start.execute({
      ...TARGET,
      operationId: randomUUID(),
      fingerprint: seen.fingerprint,
      reason: "moved world",
    });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "PREVIEW_STALE", details: { changed: ["key"] } },
    });
    expect(value(await api.runs.list({ limit: 10 })).total).toBe(0);
  });

  it(
    "starts a Run once per operation id, tells of it live and shows every record of it",
    async () => {
      const news = new AbortController();
      const heard: LiveBatch[] = [];
      const ended = Promise.withResolvers<Operation>();
      const listening = (async () => {
        for await (const batch of await api.live.watch({}, { signal: news.signal })) {
          heard.push(batch);
          for (const operation of batch.operations) if (operation.endedAt !== null) ended.resolve(operation);
        }
      })().catch(() => undefined);

      const { businessKey, fingerprint } = await preview();
      expect(businessKey).toBe(KEY);
      const order = { ...TARGET, operationId: randomUUID(), fingerprint, reason: "the first month" };
      const [first, second] = await Promise.all([api.start.execute(order), api.start.execute(order)]);
      expect(value(second)).toEqual(value(first));

      const operation = await ended.promise;
      expect(operation).toMatchObject({
        state: "done",
        outcome: "NEW",
        aggregateStatus: "SUCCESS",
        reason: order.reason,
      });
      const runId = operation.runId ?? "";
      const { total } = value(await api.runs.list({ limit: 10 }));
      expect(total).toBe(1);

      const detail = value(await api.runs.detail({ runId }));
      expect(detail.run).toMatchObject({ businessKey: KEY, status: "SUCCESS", activity: null });
      expect(detail.nodes.map((node) => node.status)).toEqual(detail.nodes.map(() => "SUCCESS"));
      expect(detail.attempts).toHaveLength(detail.nodes.length);
      expect(detail.invocations).toHaveLength(1);
      expect(detail.inconsistencies).toEqual([]);
      expect(detail.nodes[0]).not.toHaveProperty("ref");

      const told = heard.flatMap((batch) => batch.nodes).filter((node) => node.runId === runId);
      for (const node of detail.nodes) {
        expect(told.filter((each) => each.nodeId === node.nodeId).at(-1)?.status).toBe("SUCCESS");
      }
      expect(heard[0]?.resync).toBe(true);
      news.abort();
      await listening;

      expect(code(await api.start.execute({ ...order, operationId: randomUUID() }))).toBe("PREVIEW_STALE");
      const again = await preview();
      expect(again.existing).toMatchObject({ runId, status: "SUCCESS" });
      const twice = { ...order, operationId: randomUUID(), fingerprint: again.fingerprint };
      expect(code(await api.start.execute(twice))).toBe("RUN_ALREADY_EXISTS");
    },
    SLOW,
  );

  it("reads the state app at once when asked to", async () => {
    const before = Date.now();
    expect(Date.parse(value(await api.runs.refresh({})).readAt)).toBeGreaterThanOrEqual(before);
  });
});
