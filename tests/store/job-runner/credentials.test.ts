import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalKintone } from "../../../main/local-kintone/index.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture();
});
afterEach(() => fixture.dispose());

const SECRET = "correct-horse-battery";

/** What a domain is told of a caller; it refuses everything. */
async function listening() {
  const heads: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((message, to) => {
    heads.push({ ...message.headers, path: message.url });
    to.writeHead(401, { "content-type": "application/json" });
    to.end(JSON.stringify({ code: "CB_WA01", id: "x", message: `who is ${SECRET}?` }));
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { heads, port: address.port, close: () => new Promise<void>((done) => server.close(() => done())) };
}

describe("credentials (execution-contract §8, §11, §12)", () => {
  it("send a user's login, Basic authentication and the guest space, and never show a secret", async () => {
    const domain = await listening();
    fixture.writeConfig((profile) => {
      Object.assign(profile, {
        auth: {
          type: "basic",
          username: "sato",
          password: "env:PASSWORD",
          basicUsername: "gate",
          basicPassword: "env:PASSWORD",
        },
        guestSpaceId: 7,
      });
    }, domain.port);
    const job = fixture.writeJob("ASSERT 1 = 1, 'x';");
    const ended = await fixture.runHere(job, { env: { PASSWORD: SECRET } });
    await domain.close();
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({ resultCode: "LOCK_UNAVAILABLE" });
    const base64 = (name: string): string => Buffer.from(`${name}:${SECRET}`).toString("base64");
    expect(domain.heads[0]).toMatchObject({
      "x-cybozu-authorization": base64("sato"),
      authorization: `Basic ${base64("gate")}`,
      path: expect.stringMatching(/^\/k\/guest\/7\/v1\/app\/form\/fields\.json/),
    });
    expect(domain.heads[0]).not.toHaveProperty("x-cybozu-api-token");
    expect(JSON.stringify(ended)).not.toContain(SECRET);
    expect(JSON.stringify(ended)).toContain("***");
  });

  it("send an app's own tokens only", async () => {
    const domain = await listening();
    fixture.writeConfig(() => undefined, domain.port);
    await fixture.runHere(fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;"));
    await domain.close();
    const tokens = new Set(domain.heads.map((head) => head["x-cybozu-api-token"]));
    expect(tokens).toEqual(new Set([fixture.logToken]));
  });

  it("run a job with a user's login against a kintone", async () => {
    const kintone = createLocalKintone({
      databasePath: ":memory:",
      clock: { now: () => Date.now() },
      ids: { random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)) },
    });
    kintone.provision.createUser({ code: "sato", name: "佐藤" }, SECRET);
    const app = kintone.provision.createApp({
      name: "a",
      code: "A",
      fields: { 名前: { type: "SINGLE_LINE_TEXT" } },
    });
    const { port, close } = await kintone.listen({ port: 0 });
    fixture.writeConfig((profile) => {
      Object.assign(profile, {
        auth: { type: "password", username: "sato", password: SECRET },
        apps: { a: { id: Number(app) } },
        logApp: undefined,
      });
    }, port);
    const job = fixture.writeJob("ASSERT (SELECT COUNT(*) FROM LAPP_a) = 0, 'empty';");
    const where = ["--config", join(fixture.folder, "ksql.config.json"), "--lock", "local-only"];
    const ended = await fixture.commandHere(["run", "-f", job, ...where]);
    await close();
    await kintone.dispose();
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
  });
});

describe("masked keys (execution-contract §11)", () => {
  it("hide the last written key of an UPSERT by a masked field, in result, record and journal", async () => {
    await fixture.dispose();
    fixture = await startRunnerFixture({ rights: ["view", "add", "edit"] });
    const job = fixture.writeJob("UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ('S-77', 1) KEY (注文番号);");
    const plain = await fixture.runHere(job);
    expect(plain.result).toMatchObject({ resultCode: "OK", writtenCount: 1, lastWrittenKey: "S-77" });
    fixture.writeConfig((profile) =>
      Object.assign(profile, { logging: { localDir: "logs", maskFields: ["注文番号"] } }),
    );
    const hidden = await fixture.runHere(job);
    expect(hidden.result).toMatchObject({ resultCode: "OK", lastWrittenKey: "***" });
    expect((await fixture.jobRecords())[0]).toMatchObject({ last_written_key: "***" });
    const chunks = fixture.events().filter(({ event }) => event === "write_chunk");
    expect(chunks.map(({ lastKeyValue }) => lastKeyValue).sort()).toEqual(["***", "S-77"]);
  });
});
