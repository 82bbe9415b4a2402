import type { RequestStore, RequestWish } from "../../../main/store/index.ts";

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const wish = (change: Partial<RequestWish>): RequestWish => ({
  type: "START",
  runId: null,
  networkId: null,
  businessKey: null,
  scheduledFor: null,
  rerunFromNode: null,
  reason: "月次の締めの前に必要です",
  ...change,
});

/** One request of every fate: done, rejected, stale, taken back, broken, claimed and silent, two about the same. */
export async function writeQueue(store: RequestStore): Promise<void> {
  const add = async (change: Partial<RequestWish>) => {
    const written = await store.insertRequest(wish(change));
    if (written.kind !== "applied") throw new Error(written.kind);
    return written.ref;
  };
  const end = async (
    change: Partial<RequestWish>,
    state: "DONE" | "REJECTED",
    resultCode: string,
    resultMessage: string,
  ) => store.end(await add(change), { state, resultCode, resultMessage });
  const run = "netrun_6f1d2c34-0000-4000-8000-00000000c41f";
  await end({ type: "RERUN", runId: run }, "DONE", "OK", "aggregate=SUCCESS; invocation_id=invoke_1");
  await end(
    { networkId: "diamond", businessKey: "d@1" },
    "REJECTED",
    "RUN_ALREADY_EXISTS",
    "この業務キーの Run があります",
  );
  await end({ type: "STOP", runId: run }, "REJECTED", "STALE", "execution and result unknown");
  await store.tickCancel(await add({ type: "CLOSE", runId: run }));
  await add({ type: "RERUN" });
  const silent = await add({ type: "RERUN", runId: `${run}-2`, rerunFromNode: "load" });
  await store.claim(silent, { host: "HOST-B", at: minutesAgo(47) });
  await add({ networkId: "monthly_summary", scheduledFor: "2026-09-01T00:00:00+09:00" });
  await add({ networkId: "monthly_summary", scheduledFor: "2026-09-01T00:00:00+09:00" });
}
