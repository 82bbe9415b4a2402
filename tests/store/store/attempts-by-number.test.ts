import { afterAll, beforeAll, expect, it } from "vitest";
import type { Change, FlowStore } from "../../../main/store/ports.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { freshAttempt, freshState } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let store: FlowStore;
beforeAll(async () => {
  kintone = await startKintoneFixture();
  store = openStore(kintone);
});
afterAll(async () => {
  await store.dispose();
  await kintone.dispose();
});

it("reads the named Attempts of many Runs, a hundred with one request, and no other (operator-ux U2)", async () => {
  const session = await takeLock(store);
  const nodes = Array.from({ length: 60 }, (_, at) => freshState(`netrun_many_${at}`, "load"));
  const attempts = nodes.flatMap((state) =>
    [1, 2].map((attemptNo) =>
      freshAttempt(state, "invoke_1", { attemptNo, status: "FAILED", resultCode: "SQL_ERROR" }),
    ),
  );
  const changes = attempts.map((attempt): Change => ({ kind: "attempt.insert", attempt }));
  expect(await session.write(changes)).toMatchObject({ kind: "applied" });
  await session.dispose();

  kintone.seen.clear();
  const named = (attemptNo: number) => nodes.map(({ runId, nodeId }) => ({ runId, nodeId, attemptNo }));
  // The third was never made, and a number of none names nothing.
  const wanted = [...named(2), ...named(3), ...named(0)];
  const found = await store.listAttemptsByNumber(wanted);
  expect(found.map(({ runId, attemptNo }) => [runId, attemptNo])).toEqual(
    nodes.map(({ runId }) => [runId, 2]),
  );
  expect(kintone.seen.list()).toHaveLength(2);
});
