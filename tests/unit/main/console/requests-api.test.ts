import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RequestWish } from "../../../../main/store/index.ts";
import type {
  AttentionPicture,
  ConsoleApi,
  Intent,
  RequestListRow,
  RequestView,
} from "../../../../shared/api/index.ts";
import { acted, confirmed } from "../../../support/acting-page.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";

const SLOW = 120_000;
let opened: EmbeddedConsole;
let api: ConsoleApi;

beforeAll(async () => {
  opened = await openConsole();
  api = opened.api;
  value(await api.runs.refresh({}));
}, SLOW);
afterAll(() => opened.close(), SLOW);

const wish = (change: Partial<RequestWish> = {}): RequestWish => ({
  type: "START",
  runId: null,
  networkId: "diamond",
  businessKey: "k1",
  scheduledFor: null,
  rerunFromNode: null,
  reason: "月次の起動",
  ...change,
});

function store() {
  const { requestStore } = opened.workspace;
  if (requestStore === null) throw new Error("no request app");
  return requestStore;
}

async function put(change: Partial<RequestWish> = {}) {
  const written = await store().insertRequest(wish(change));
  if (written.kind !== "applied") throw new Error(written.kind);
  return written.ref;
}

async function listed(view: "all" | "open" = "all") {
  value(await api.requests.refresh({}));
  return value(await api.requests.list({ view }));
}

const known = (rows: readonly RequestListRow[], id: string): RequestView => {
  const row = rows.find((each) => each.readable && each.request.id === id);
  if (row?.readable !== true) throw new Error(`request ${id} is not listed`);
  return row.request;
};

/** Does what a confirmed dialog does; the id of what was written. */
async function done(intent: Intent): Promise<string | null> {
  const { plan } = value(await api.acting.plan({ intent }));
  const operationId = randomUUID();
  const { seen, fingerprint } = plan;
  const consent = { kind: "none" } as const;
  value(await api.acting.execute({ operationId, intent, seen, fingerprint, typed: "", consent }));
  for await (const { operations } of await api.live.watch({}, { signal: AbortSignal.timeout(30_000) })) {
    if (operations.some((each) => each.operationId === operationId && each.endedAt !== null)) break;
    const now = value(await api.operations.get({ operationId }));
    if (now.endedAt !== null) break;
  }
  const ended = value(await api.operations.get({ operationId }));
  expect(ended.state).toBe("done");
  return ended.requestId;
}

async function attention(shows: (seen: AttentionPicture) => boolean): Promise<AttentionPicture> {
  const giveUp = AbortSignal.timeout(60_000);
  for await (const seen of await api.attention.watch({}, { signal: giveUp })) if (shows(seen)) return seen;
  throw new Error("the stream ended");
}

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

describe("操作要求 over a real socket and the embedded workspace (orchestration §7)", () => {
  it("is empty at first and says that nobody polls here", async () => {
    const page = await listed();
    expect(page).toMatchObject({ configured: true, rows: [], next: null, openCount: 0 });
    expect(page.poller).toMatchObject({ here: false, waiting: 0, oldestWaiting: null, silent: false });
  });

  it("makes a request as an action, lists it as 要求, and takes it back before its claim", async () => {
    const intent: Intent = {
      kind: "request",
      type: "START",
      runId: "",
      networkId: "diamond",
      businessKey: "k0",
      scheduledFor: "",
      rerunFromNode: "",
      reason: "月次の起動",
    };
    const id = await done(intent);
    if (id === null) throw new Error("the request has no number");
    expect(known((await listed("open")).rows, id)).toMatchObject({
      type: "START",
      state: "REQUESTED",
      networkId: "diamond",
      businessKey: "k0",
      cancelProblem: null,
      duplicates: [],
      claim: null,
    });
    await done({ kind: "requestCancel", requestId: id });
    expect(known((await listed()).rows, id)).toMatchObject({
      cancelRequested: true,
      cancelProblem: "CANCEL_ALREADY_REQUESTED",
    });
  });

  it("warns of requests about the same, and only of those", async () => {
    const first = await put();
    const second = await put();
    const other = await put({ businessKey: "k2" });
    const { rows } = await listed();
    expect(known(rows, first.recordId).duplicates).toEqual([second.recordId]);
    expect(known(rows, second.recordId).duplicates).toEqual([first.recordId]);
    expect(known(rows, other.recordId).duplicates).toEqual([]);
  });

  it("shows a record that breaks the rules as one that cannot be judged, with number and revision", async () => {
    const broken = await put({ type: "RERUN", networkId: null, businessKey: null, runId: null });
    const { rows } = await listed();
    expect(rows.find((row) => !row.readable)).toMatchObject({
      record: {
        id: broken.recordId,
        revision: 1,
        state: "REQUESTED",
        issues: [{ code: "REQUIRED", field: "run_id" }],
      },
    });
  });

  it("cannot be taken back once claimed, and needs somebody when the claim shows no life any more", async () => {
    const ref = await put({ businessKey: "k3" });
    const claimed = await store().claim(ref, { host: "HOST-B", at: minutesAgo(30) });
    expect(claimed.kind).toBe("applied");
    const { rows, poller } = await listed();
    expect(known(rows, ref.recordId)).toMatchObject({
      state: "ACCEPTED",
      cancelProblem: "REQUEST_CLAIMED",
      silent: true,
      claim: { host: "HOST-B", thisHost: false },
    });
    expect(poller.lastClaim?.host).toBe("HOST-B");
    const seen = await attention(({ items }) => items.some(({ kind }) => kind === "staleRequest"));
    expect(seen.items.find(({ kind }) => kind === "staleRequest")).toMatchObject({ requestId: ref.recordId });
    const { row } = value(await api.requests.detail({ requestId: ref.recordId }));
    expect(row).toMatchObject({ readable: true, request: { silent: true } });
  });

  it("ends a silent claim on a person's word alone, and starts nothing (orchestration §7.4, W-10)", async () => {
    const ref = await put({ businessKey: "k5" });
    const settle: Intent = {
      kind: "requestSettle",
      requestId: ref.recordId,
      stopConfirmedBy: "佐藤",
      evidenceText: "HOST-B のプロセス一覧",
      evidenceFiles: [],
      reason: "受付したホストは撤去済み",
    };
    const early = value(await api.acting.plan({ intent: settle }));
    expect(early.plan.refusals[0]?.code).toBe("REQUEST_NOT_CLAIMED");
    await store().claim(ref, { host: "HOST-B", at: minutesAgo(30) });
    const { plan, friction } = value(await api.acting.plan({ intent: settle }));
    expect(plan).toMatchObject({ available: true, danger: "L3", operation: "REQUEST_SETTLE" });
    expect(friction).toMatchObject({ identifier: ref.recordId, armMs: 3_000, secondPerson: false });
    expect(code(await confirmed(api, { ...settle, evidenceText: " " }))).toBe("EVIDENCE_REQUIRED");
    expect(code(await confirmed(api, { ...settle, stopConfirmedBy: "" }))).toBe("STOP_CONFIRMED_BY_REQUIRED");
    expect(code(await confirmed(api, settle, { typed: "0" }))).toBe("IDENTIFIER_MISMATCH");
    expect(await acted(api, settle)).toMatchObject({ state: "done", requestId: ref.recordId });
    const { row } = value(await api.requests.detail({ requestId: ref.recordId }));
    expect(row).toMatchObject({ request: { state: "REJECTED", resultCode: "STALE", silent: false } });
    expect(row.readable && row.request.resultMessage).toContain("stop_confirmed_by=佐藤");
  });

  it("tells the result of one that has ended, and knows no other number", async () => {
    const ref = await put({ businessKey: "k4" });
    await store().end(ref, { state: "REJECTED", resultCode: "STALE", resultMessage: "unknown" });
    const detail = value(await api.requests.detail({ requestId: ref.recordId }));
    expect(detail).toMatchObject({
      row: { request: { state: "REJECTED", resultCode: "STALE", cancelProblem: "REQUEST_ENDED" } },
      run: null,
    });
    expect(code(await api.requests.detail({ requestId: "99999" }))).toBe("REQUEST_NOT_FOUND");
  });

  it("pages newest first, each row once", async () => {
    for (let at = 0; at < 55; at += 1) await put({ businessKey: `page-${at}` });
    const first = await listed();
    expect(first.rows).toHaveLength(50);
    const ids = first.rows.map((row) => Number(row.readable ? row.request.id : row.record.id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    if (first.next === null) throw new Error("there are older ones");
    const second = value(await api.requests.list({ view: "all", before: first.next }));
    const older = second.rows.map((row) => Number(row.readable ? row.request.id : row.record.id));
    expect(older.every((id) => id < Math.min(...ids))).toBe(true);
    expect(second.next).toBeNull();
    expect(first.openCount).toBeGreaterThan(50);
  });
});
