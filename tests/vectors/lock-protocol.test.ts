import { describe, expect, it } from "vitest";
import { type Sleep, write } from "../../main/kintone-client/index.ts";
import { createFenceGateway } from "../../main/store/kintone/fence/gateway.ts";
import { createLockSession } from "../../main/store/kintone/fence/session.ts";
import type { AcquireOutcome, Clock, LockSession, WriteOutcome } from "../../main/store/ports.ts";
import type { TerminalStatus } from "../../shared/domain/model.ts";
import { type Fault, type FaultProxy, isInsert, isLonePut, startFaultProxy } from "../support/fault-proxy.ts";
import { type KintoneFixture, openStore, realSleep, startKintoneFixture } from "../support/store-fixture.ts";
import { DIFFERENCES } from "./differences.ts";
import { loadVectors, objectOrNull, text, type VectorCase } from "./load.ts";

type Input = VectorCase["input"];

/** Lock of every case (vectors README): profile `prod`, network `monthly_jobs`. */
const LOCK_KEY = "N1:qHIOiDpXKGNQQgdMg-Tj6wpfTbT3ulYfswSbkdJx2IQ";
const OWNER = "invoke_00000000-0000-4000-8000-0000000000aa";
const LEASE_MS = 180_000;

/** Pauses are not what the cases are about; they stay real but short. */
const shortly: Sleep = (ms, signal) => realSleep(Math.min(ms, 5), signal);

/** Wall clock of the case; elapsed time goes on, and can be made to jump. */
function clockOf(input: Input): Clock & { jump(ms: number): void } {
  let jumped = 0;
  return {
    nowMs: () => Date.parse(text(input, "now")),
    monotonicMs: () => performance.now() + jumped,
    jump(ms) {
      jumped += ms;
    },
  };
}

function statusOf(value: string): TerminalStatus {
  if (value === "SUCCESS" || value === "FAILED" || value === "CANCELLED" || value === "UNKNOWN") return value;
  throw new Error(`unexpected status ${value}`);
}

/** The case's faults as the proxy makes them; a status fault answers without asking the server. */
function setFaults(proxy: FaultProxy, input: Input): void {
  const list = Array.isArray(input.faults) ? input.faults : [];
  for (const entry of list) {
    const { method, kind, status, code, count } = entry;
    const body = JSON.stringify({ code, id: "x", message: "fault" });
    const fault: Fault =
      kind === "drop-after"
        ? { kind: "lose-answer" }
        : kind === "drop-before"
          ? { kind: "lose-request" }
          : { kind: "answer", status, body };
    proxy.on((request) => request.method === method, fault, count ?? 1);
  }
}

/** Puts the flat record of a vector into the state app, at its `$revision`. */
async function seed(
  kintone: KintoneFixture,
  flat: Readonly<Record<string, unknown>>,
  revision: number,
): Promise<string> {
  const transport = kintone.transport();
  const fields = Object.entries(flat).filter(([key]) => key !== "record_id" && key !== "revision_meta");
  const record = Object.fromEntries(fields.map(([key, value]) => [key, { value }]));
  const inserted = await transport.send(write({ kind: "addRecord", app: kintone.apps.state, record }));
  const id = inserted.kind === "ok" ? inserted.value.refs[0]?.recordId : undefined;
  if (id == null) throw new Error("the record of the vector was refused");
  for (let at = 1; at < revision; at += 1) {
    const entry = { id, record: { status: record.status ?? { value: "" } } };
    await transport.send(write({ kind: "updateRecord", app: kintone.apps.state, entry }));
  }
  await transport.dispose();
  return id;
}

interface Case {
  readonly kintone: KintoneFixture;
  readonly proxy: FaultProxy;
  readonly id: string;
  readonly session: LockSession;
}

/** The holder of the vector's reference, over the vector's record. */
async function withSession(input: Input, revision: number | null, use: (one: Case) => Promise<void>) {
  const kintone = await startKintoneFixture();
  const proxy = await startFaultProxy(kintone.port);
  const flat = objectOrNull(input, "server_record");
  const reference = objectOrNull(input, "reference") ?? {};
  const id = flat === null ? "50" : await seed(kintone, flat, revision ?? Number(flat.revision_meta));
  setFaults(proxy, input);
  const transport = kintone.transport(proxy.port);
  const clock = clockOf(input);
  const stamp = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  const session = createLockSession(
    {
      gateway: createFenceGateway({ transport, stateApp: kintone.apps.state, timeoutMs: 10_000 }),
      clock,
      sleep: shortly,
      apps: kintone.apps,
      requestTimeoutMs: 10_000,
    },
    {
      held: {
        recordId: id,
        revision: Number(reference.revision),
        businessRevision: Number(reference.business_revision),
        lockKey: LOCK_KEY,
        token: text(reference, "lease_token"),
      },
      lease: { stamp, expiresAtMs: stamp.wallMs + LEASE_MS },
      ownerInvocationId: OWNER,
      startedAt: "2026-09-01T00:00:00Z",
      leaseMs: LEASE_MS,
      heartbeatMs: LEASE_MS,
    },
  );
  try {
    await use({ kintone, proxy, id, session });
  } finally {
    await session.dispose();
    await transport.dispose();
    await proxy.dispose();
    await kintone.dispose();
  }
}

const puts = (proxy: FaultProxy) => proxy.requests().filter(isLonePut).map(({ body }) => JSON.parse(body));

function expectRefused(outcome: WriteOutcome, code: unknown): void {
  expect(outcome.kind).toBe("fence-lost");
  expect(outcome.kind === "applied" ? null : outcome.problem.code).toBe(code);
}

/** A token never changes without the revision: the peer's cases of another token are run one revision on. */
const TOKEN_CASES = new Set(["heartbeat-token-mismatch", "release-token-mismatch"]);

/** Cases in which we succeed where the peer gives up (differences.ts says why). */
const SETTLED_BY_US = new Set([
  "acquire-request-lost-before-write",
  "acquire-http-500",
  "heartbeat-revision-mismatch",
  "heartbeat-put-409",
  "heartbeat-put-400-da02-is-unavailable",
  "heartbeat-put-request-lost",
  "heartbeat-get-fails",
  "heartbeat-put-response-lost-minute-truncated-peer-gives-up",
  "release-409-twice",
  "release-request-lost",
  "release-http-500",
]);

describe("vectors of the lock protocol (wire-format §4.5, §8)", () => {
  it("names a reason for every case in which we differ", () => {
    const named = [...SETTLED_BY_US, ...TOKEN_CASES, "acquire-duplicate-and-read-back-fails"];
    expect(named.filter((name) => !DIFFERENCES.has(name))).toEqual([]);
  });

  const heartbeats = loadVectors("lock-lease.json", ["heartbeat", "heartbeat_peer_weakness"]);
  it.each(heartbeats.map((one) => [one.name, one] as const))("%s", async (name, { input, expected }) => {
    await withSession(input, TOKEN_CASES.has(name) ? 4 : null, async ({ proxy, session, kintone }) => {
      const outcome = await session.beat();
      if (!SETTLED_BY_US.has(name) && expected.ok !== true) {
        expectRefused(outcome, expected.error_code);
        return;
      }
      expect(outcome.kind).toBe("applied");
      const put = puts(proxy).at(-1);
      const skipped = name === "heartbeat-revision-mismatch" ? 1 : 0;
      expect(put.app).toBe(kintone.apps.state);
      expect(put.revision).toBe(3 + skipped);
      expect(put.record).toEqual({
        heartbeat_at: { value: "2026-09-01T00:03:10.250Z" },
        lease_expires_at: { value: "2026-09-01T00:06:10.250Z" },
        revision: { value: 4 + skipped },
      });
      const store = openStore(kintone);
      const lock = await store.findLock({ profile: "prod", networkId: "monthly_jobs" });
      expect(lock).toMatchObject({ revision: 4 + skipped, ref: { revision: 4 + skipped } });
      await store.dispose();
    });
  });

  const releases = loadVectors("lock-lease.json", ["release"]);
  it.each(releases.map((one) => [one.name, one] as const))("%s", async (name, { input, expected }) => {
    await withSession(input, TOKEN_CASES.has(name) ? 4 : null, async ({ proxy, session, id }) => {
      const as = { status: statusOf(text(input, "status")), resultCode: text(input, "result_code") };
      const outcome = await session.release(as);
      if (!SETTLED_BY_US.has(name) && expected.released !== true) {
        expectRefused(outcome, expected.error_code);
        return;
      }
      expect(outcome.kind).toBe("applied");
      const sent = puts(proxy);
      const wanted = Array.isArray(expected.puts) ? expected.puts : null;
      if (wanted !== null) expect(sent).toEqual(wanted.map((put) => ({ ...put, app: 1, id })));
      // Repeats of one change set are byte-equal (fenced-writes R1).
      expect(new Set(sent.map((put) => JSON.stringify(put))).size).toBe(1);
      expect(session.state()).toBe("RELEASED");
    });
  });

  const acquisitions = loadVectors("lock-lease.json", ["acquire"]);
  it.each(acquisitions.map((one) => [one.name, one] as const))("%s", async (name, { input, expected }) => {
    const kintone = await startKintoneFixture();
    const proxy = await startFaultProxy(kintone.port);
    const existing = objectOrNull(input, "existing_record");
    if (existing !== null) await seed(kintone, existing, Number(existing.revision_meta));
    setFaults(proxy, input);
    const tokens = [text(input, "lease_token"), "second-token", "third-token"];
    const clock = clockOf(input);
    const ids = { uuid: () => tokens.shift() ?? "one-token-too-many" };
    const store = openStore(kintone, { port: proxy.port, clock, sleep: shortly, ids });
    try {
      const outcome: AcquireOutcome = await store.acquireLock({
        profile: text(input, "profile"),
        networkId: text(input, "network_id"),
        ownerInvocationId: text(input, "owner_invocation_id"),
        ownerInstanceId: "local-pid://host1/4321",
        leaseMs: Number(input.lease_duration_sec) * 1_000,
        heartbeatMs: 60_000,
      });
      if (!SETTLED_BY_US.has(name) && expected.acquired !== true) {
        const code = name === "acquire-duplicate-and-read-back-fails" ? "LOCK_CONFLICT" : expected.error_code;
        expect(outcome.kind === "acquired" ? null : outcome.problem.code).toBe(code);
        return;
      }
      expect(outcome.kind).toBe("acquired");
      const sent = JSON.parse(proxy.requests().filter(isInsert).at(-1)?.body ?? "{}").record;
      expect(sent).toMatchObject({
        record_key: { value: `LOCK:${LOCK_KEY}` },
        lock_key: { value: LOCK_KEY },
        lease_token: { value: SETTLED_BY_US.has(name) ? "second-token" : expected.lease_token },
        lease_expires_at: { value: "2026-09-01T00:05:00.000Z" },
        status: { value: "RUNNING" },
        revision: { value: 1 },
      });
      const lock = await store.findLock({ profile: "prod", networkId: "monthly_jobs" });
      expect(lock).toMatchObject({ leaseToken: sent.lease_token.value, revision: 1, ref: { revision: 1 } });
    } finally {
      // Lost copies are looked for until their time is over (fenced-writes R6).
      clock.jump(LEASE_MS);
      await store.dispose();
      await proxy.dispose();
      await kintone.dispose();
    }
  });
});
