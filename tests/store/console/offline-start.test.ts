import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createConsoleApi, openWorkspace, systemClock } from "../../../main/console/index.ts";
import { createClient, type LiveBatch } from "../../../shared/api/index.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { portPair } from "../../support/port-pair.ts";
import { openScriptedWorkspace, type ScriptedWorkspace } from "../../support/scripted-workspace.ts";
import { freshInvocation, freshRun } from "../../support/store-entities.ts";
import { openStore } from "../../support/store-fixture.ts";

let scripted: ScriptedWorkspace;
beforeAll(async () => {
  scripted = await openScriptedWorkspace();
});
afterAll(() => scripted.dispose());

const random = () => 0.5;

/** One window over a console on this workspace. */
function openWindow(workspace: ScriptedWorkspace["workspace"]) {
  const host = createConsoleApi({ workspace, clock: systemClock, random });
  const line = portPair();
  host.serve(line.served);
  return { host, api: createClient(() => line.client), close: line.close };
}

/** A port on which nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

describe("a start while kintone does not answer (electron-desktop N8, operator-ux §1.3)", () => {
  it("shows the picture of the day before, dated, refuses to change anything, and is cured by the return", async () => {
    const store = openStore(scripted.kintone);
    const session = await takeLock(store);
    const run = freshRun();
    await session.write([
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation: freshInvocation(run.runId) },
    ]);
    await session.release({ status: "SUCCESS", resultCode: "OK" });
    await session.dispose();
    await store.dispose();

    const before = openWindow(scripted.workspace);
    const seen = await before.api.runs.refresh({});
    if (!seen.ok) throw new Error(seen.error.message);
    before.close();
    await before.host.dispose();

    const data = path.join(scripted.folder, "data");
    const env = scripted.workspace.environment();
    const { proxy } = scripted;
    proxy.on(() => true, { kind: "answer", status: 503, body: "maintenance", type: "text/plain" }, 10_000);
    const offline = await openWorkspace({ dataDir: data, env, evenOffline: true });
    const window = openWindow(offline);

    const batches = await window.api.live.watch({});
    const told = async (fact: (batch: LiveBatch) => boolean): Promise<void> => {
      for await (const batch of batches) if (fact(batch)) return;
    };
    await told((batch) => batch.freshness.some((each) => each.source === "state" && each.origin === "kept"));
    const list = await window.api.runs.list({ limit: 10 });
    expect(list).toMatchObject({
      ok: true,
      value: { readAt: seen.value.readAt, rows: [{ runId: run.runId }] },
    });
    const order = {
      networkId: "any",
      operationId: crypto.randomUUID(),
      fingerprint: "x",
      reason: "offline start",
    };
    expect(await window.api.start.execute(order)).toMatchObject({
      ok: false,
      error: { code: "PICTURE_STALE" },
    });

    proxy.clear();
    await window.api.runs.refresh({});
    expect(await window.api.start.execute(order)).toMatchObject({
      ok: false,
      error: { code: "NETWORK_NOT_ALLOWED" },
    });
    expect(await window.api.workspace.setMode({ mode: "view" })).toMatchObject({ value: { mode: "view" } });
    expect(await window.api.start.execute(order)).toMatchObject({
      ok: false,
      error: { code: "MODE_VIEW_ONLY" },
    });
    window.close();
    await window.host.dispose();
    await offline.dispose();
  });

  it("still names a wrong token or a missing app at the start, and waits for no dead address for long", async () => {
    const data = path.join(scripted.folder, "data");
    const env = scripted.workspace.environment();
    const wrong = { ...env, KSQL_FLOWNET_STATE_API_TOKEN: "wrong" };
    await expect(openWorkspace({ dataDir: data, env: wrong, evenOffline: true })).rejects.toMatchObject({
      problem: { code: "TOKEN_REFUSED" },
    });
    const dead = { ...env, KSQL_FLOWNET_BASE_URL: `http://localhost:${await deadPort()}` };
    await expect(openWorkspace({ dataDir: data, env: dead })).rejects.toMatchObject({
      problem: { code: "KINTONE_UNREACHABLE" },
    });
    const workspace = await openWorkspace({ dataDir: data, env: dead, evenOffline: true });
    await expect(workspace.ready()).rejects.toMatchObject({ problem: { code: "KINTONE_UNREACHABLE" } });
    await workspace.dispose();
  });
});
