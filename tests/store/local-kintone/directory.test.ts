import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createProvisioner,
  type LocalKintoneProcess,
  type Provisioner,
  startLocalKintoneProcess,
} from "../../../main/local-kintone/index.ts";
import { systemClock } from "./support.ts";

let dataDir: string;
let running: LocalKintoneProcess;
let provisioner: Provisioner;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "local-kintone-directory-"));
  const started = await startLocalKintoneProcess({
    dataDir,
    clock: systemClock,
    port: null,
    idleMs: null,
    synchronous: "NORMAL",
    log: () => undefined,
  });
  if (started === null) throw new Error("another server holds the folder");
  running = started;
  provisioner = createProvisioner(running.server.controlUrl, running.server.controlToken);
});
afterAll(async () => {
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const as = (user: string): KintoneRestAPIClient =>
  new KintoneRestAPIClient({
    baseUrl: running.server.baseUrl,
    auth: { username: user, password: "password" },
    proxy: false,
  });

describe("people over the control port (kintone-rest §3, §4)", () => {
  it("have groups, organisations, a language and no more rights than told", async () => {
    await provisioner.createDirectory({
      groups: [{ code: "sales", name: "営業" }],
      organizations: [
        { code: "top", name: "本社" },
        { code: "tokyo", name: "東京", parent: "top" },
      ],
    });
    const user = { password: "password" } as const;
    await provisioner.createUser({ ...user, code: "admin", name: "admin" });
    await provisioner.createUser({
      ...user,
      code: "ito",
      name: "伊藤",
      profile: { administrator: false, language: "en", groups: ["sales"], organizations: ["tokyo"] },
    });
    const { app } = await as("admin").app.addApp({ name: "people" });
    const mentions = [
      { type: "GROUP", code: "sales" },
      { type: "ORGANIZATION", code: "tokyo" },
    ] as const;
    await as("admin").app.updateAppAcl({
      app,
      rights: mentions.map((entity) => ({ entity, recordViewable: true })),
    });
    const refused: unknown = await as("ito")
      .app.getAppSettings({ app, preview: true })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 403, code: "CB_NO02" });
    expect(String(refused)).toContain("No privilege to proceed.");
  });

  it("keep their profile when only the password is set anew", async () => {
    await provisioner.createUser({ code: "ito", name: "伊藤", password: "password" });
    await expect(as("ito").app.getAppSettings({ app: 999 })).rejects.toThrow("The app (ID: 999) not found.");
  });

  it("find the space that was made for them", async () => {
    const space = await provisioner.createSpace({ name: "社内", isGuest: false });
    expect(await as("admin").space.getSpace({ id: space })).toMatchObject({ id: space, name: "社内" });
  });
});
