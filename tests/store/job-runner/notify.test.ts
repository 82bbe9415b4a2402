import http from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

interface Told {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

let fixture: RunnerFixture;
let receiver: http.Server;
let told: Told[];
let status = 200;

beforeEach(async () => {
  told = [];
  status = 200;
  fixture = await startRunnerFixture();
  receiver = http.createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      told.push({ path: request.url ?? "", body: { ...JSON.parse(text) } });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, "localhost", done));
  const address = receiver.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  fixture.writeConfig((profile) => {
    profile.notifications = {
      onFailure: { webhook: `http://localhost:${port}/failure-secret` },
      heartbeat: { url: `http://localhost:${port}/alive` },
    };
  });
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise<void>((done) => receiver.close(() => done()));
  await fixture.dispose();
});

describe("notifications (execution-contract §10)", () => {
  it("a success is told to the heartbeat receiver alone", async () => {
    const ended = await fixture.runHere(fixture.writeJob("SELECT 1;"));
    expect(told.map(({ path }) => path)).toEqual(["/alive"]);
    expect(told[0]?.body).toMatchObject({
      source: "ksql-flow",
      profile: "prod",
      batch_id: ended.result?.executionId,
      status: "SUCCESS",
    });
  });

  it("a failure is told to the webhook, with job, status and error", async () => {
    await fixture.runHere(fixture.writeJob("ASSERT 1 = 2, 'x';"));
    expect(told.map(({ path }) => path)).toEqual(["/failure-secret"]);
    expect(told[0]?.body).toMatchObject({
      kind: "job",
      status: "ABORTED",
      exit_code: 2,
      as_of: "2026-04-01T01:00:00+09:00",
      jobs: [{ name: "job", script: "job.sql", status: "ABORTED" }],
    });
  });

  it("a job that never had a record is told to nobody", async () => {
    await fixture.runHere(fixture.writeJob("MERGE INTO LAPP_注文 AS t;"));
    expect(told).toEqual([]);
  });

  it("a receiver that fails changes nothing, and its address stays unsaid", async () => {
    status = 500;
    const ended = await fixture.runHere(fixture.writeJob("ASSERT 1 = 2, 'x';"));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("The failure webhook was not reached: HTTP 500.");
    expect(ended.stderr).not.toContain("failure-secret");
  });
});
