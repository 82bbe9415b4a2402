import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { write } from "../../../main/kintone-client/index.ts";
import type { AuditRecord } from "../../../main/store/ports.ts";
import type { WireRecord } from "../../../shared/records/index.ts";
import {
  attemptCodec,
  invocationCodec,
  operationAuditCodec,
  resolutionCodec,
  runArchivedAudit,
} from "../../../shared/records/index.ts";
import { storedInvocation } from "../../support/entities.ts";
import { freshAttempt, freshState } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

const RUN = "netrun_00000000-0000-4000-8000-00000000000a";
const OTHER = "netrun_00000000-0000-4000-8000-00000000000b";
const ALL = ["operation", "resolution", "invocation"] as const;

let kintone: KintoneFixture;
let store: ReturnType<typeof openStore>;
const written: string[] = [];

const archived = (runId: string): WireRecord =>
  operationAuditCodec.encode(
    runArchivedAudit({
      eventId: `evt_${randomUUID()}`,
      runId,
      requestedBy: "ops1",
      reason: "訂正のため",
      archivedAt: "2026-09-01T00:00:00.123Z",
      previousStatus: "FAILED",
      runRevisionBefore: 4,
      servicePrincipal: "HOST-A",
    }),
  );

async function add(record: WireRecord): Promise<void> {
  const answer = await store.transport.send(write({ kind: "addRecord", app: kintone.apps.audit, record }));
  if (answer.kind !== "ok") throw new Error(JSON.stringify(answer));
  written.push(...answer.value.refs.flatMap(({ recordId }) => recordId ?? []));
}

beforeAll(async () => {
  kintone = await startKintoneFixture();
  store = openStore(kintone);
  const attempt = freshAttempt(freshState(RUN, "load"), "invoke_a", { attemptNo: 2 });
  await add(attemptCodec.encode(attempt));
  written.length = 0;
  await add(invocationCodec.encode(storedInvocation({ runId: RUN, invocationId: `invoke_${randomUUID()}` })));
  await add(archived(OTHER));
  await add(
    resolutionCodec.encode({
      attemptId: attempt.attemptId,
      outcome: "FAILED",
      evidenceRef: "ticket-1",
      servicePrincipal: "HOST-A",
      requestedBy: "ops1",
      approvedBy: "ops2",
      resolutionType: "OUTCOME_CONFIRMED",
      reason: "業務データで確認",
      stopConfirmedBy: "ops1",
      stopEvidenceRef: "pid 12",
      resolvedAt: "2026-09-01T00:01:00.456Z",
    }),
  );
  await add({ ...archived(RUN), reason: { value: "{not json" } });
  await add(archived(RUN));
});
afterAll(async () => {
  await store.dispose();
  await kintone.dispose();
});

const idOf = (record: AuditRecord): string => {
  switch (record.kind) {
    case "operation":
      return record.audit.ref.recordId;
    case "resolution":
      return record.resolution.ref.recordId;
    case "invocation":
      return record.invocation.ref.recordId;
    case "unreadable":
      return record.recordId;
  }
};

describe("the history is read page by page, newest record first (operator-ux §2.5, wire-format §4.2)", () => {
  it("goes on below the last record of the page before and ends at the first record", async () => {
    const found: string[] = [];
    let beforeId: string | null = null;
    let pages = 0;
    do {
      const page = await store.listAudits({ beforeId, limit: 2, kinds: ALL, runId: null });
      found.push(...page.records.map(idOf));
      beforeId = page.next;
      pages += 1;
    } while (beforeId !== null);
    expect(found).toEqual([...written].reverse());
    expect(pages).toBe(3);
  });

  it("keeps a record that cannot be read in its place, with id and revision", async () => {
    const { records } = await store.listAudits({ beforeId: null, limit: 10, kinds: ALL, runId: null });
    expect(records[1]).toMatchObject({
      kind: "unreadable",
      recordId: written[3],
      revision: 1,
      problem: { code: "RECORD_UNREADABLE" },
    });
  });

  it("brings the records of one Run, a resolution by its attempt", async () => {
    const { records } = await store.listAudits({ beforeId: null, limit: 10, kinds: ALL, runId: RUN });
    expect(records.map(idOf)).toEqual([written[4], written[3], written[2], written[0]]);
    expect(records.find(({ kind }) => kind === "resolution")).toMatchObject({
      attempt: { runId: RUN, attemptNo: 2 },
    });
  });

  it("asks one request a page, and a second one only where resolutions stand on it", async () => {
    kintone.seen.clear();
    await store.listAudits({ beforeId: null, limit: 10, kinds: ["operation"], runId: null });
    expect(kintone.seen.list()).toHaveLength(1);
    await store.listAudits({ beforeId: null, limit: 10, kinds: ["resolution"], runId: null });
    expect(kintone.seen.list()).toHaveLength(3);
  });

  it("finds one record by its id, and none where there is none", async () => {
    expect(await store.readAudit(written[4] ?? "")).toMatchObject({ kind: "operation" });
    expect(await store.readAudit("999999")).toBeNull();
  });
});
