import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { createRequestStore } from "../../../main/store/index.ts";
import type { RequestStore } from "../../../main/store/ports.ts";
import { badLineForTests } from "../../support/bad-line.ts";
import { isInsert, isLonePut } from "../../support/fault-proxy.ts";
import { refOf, SETTLED_FAULTS } from "../../support/lone-faults.ts";
import { realSleep } from "../../support/store-fixture.ts";

const line = badLineForTests();

describe("requests (orchestration §7.3)", () => {
  const claim = { host: "poller1", at: "2026-09-04T02:00:00.000Z" };
  let requests: RequestStore;
  let past: RequestStore;
  beforeAll(() => {
    const through = line().kintone.transport(line().proxy.port);
    requests = createRequestStore({ transport: through, sleep: realSleep }, line().kintone.requestApp);
    past = createRequestStore({ transport: line().person, sleep: realSleep }, line().kintone.requestApp);
    return () => through.dispose();
  });
  const wish = (reason: string) => ({
    type: "RERUN" as const,
    runId: "netrun_1",
    networkId: null,
    businessKey: null,
    scheduledFor: null,
    rerunFromNode: null,
    reason,
  });

  it.each(SETTLED_FAULTS)("claimed, renewed and ended once when %s", async (_name, fault, count) => {
    const ref = await refOf(past.insertRequest(wish(randomUUID())));
    line().proxy.on(isLonePut, fault, count);
    const claimed = await refOf(requests.claim(ref, claim));
    line().proxy.on(isLonePut, fault, count);
    const renewed = await refOf(requests.beat(claimed, "2026-09-04T02:01:00.000Z"));
    line().proxy.on(isLonePut, fault, count);
    const ending = { state: "DONE", resultCode: "OK", resultMessage: "aggregate=SUCCESS" } as const;
    expect((await refOf(requests.end(renewed, ending))).revision).toBe(4);
    expect(await past.read(ref.recordId)).toMatchObject({
      valid: true,
      request: { state: "DONE", resultCode: "OK", revision: 4 },
    });
  });

  it("of two pollers one claims a request, and the other learns it", async () => {
    const ref = await refOf(past.insertRequest(wish(randomUUID())));
    const outcomes = await Promise.all([
      requests.claim(ref, claim),
      past.claim(ref, { ...claim, host: "poller2" }),
    ]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["applied", "conflict"]);
  });

  it("a cancellation before the claim makes the claim lose, and after it comes too late", async () => {
    const ref = await refOf(past.insertRequest(wish(randomUUID())));
    const ticked = await refOf(past.tickCancel(ref));
    expect(await requests.claim(ref, claim)).toMatchObject({ kind: "conflict" });
    await refOf(requests.claim(ticked, claim));
    expect(await past.tickCancel(ticked)).toMatchObject({ kind: "conflict" });
  });

  it("a request is never added twice: a lost answer is settled by what is to be seen", async () => {
    const seen = wish(randomUUID());
    line().proxy.on(isInsert, { kind: "lose-answer" });
    expect(await requests.insertRequest(seen)).toMatchObject({ kind: "applied" });
    const unseen = wish(randomUUID());
    line().proxy.on(isInsert, { kind: "lose-request" });
    expect(await requests.insertRequest(unseen)).toMatchObject({ kind: "unsettled" });
    expect(line().proxy.requests().filter(isInsert)).toHaveLength(2);
    const recent = await past.listRecent({ limit: 10, beforeId: null });
    const reasons = recent.flatMap((request) => (request.valid ? [request.request.reason] : []));
    expect(reasons.filter((reason) => reason === seen.reason)).toHaveLength(1);
    expect(reasons).not.toContain(unseen.reason);
  });

  it("what is open comes in one question, oldest first, whatever is already taken", async () => {
    const older = await refOf(past.insertRequest(wish(randomUUID())));
    const newer = await refOf(past.insertRequest(wish(randomUUID())));
    await refOf(past.claim(older, claim));
    const open = await past.listOpen(500);
    const ids = open.flatMap((entry) => (entry.valid ? [[entry.request.id, entry.request.state]] : []));
    const ours = ids.filter(([id]) => id === older.recordId || id === newer.recordId);
    expect(ours).toEqual([
      [older.recordId, "ACCEPTED"],
      [newer.recordId, "REQUESTED"],
    ]);
  });
});
