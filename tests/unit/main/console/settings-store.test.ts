import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decideSession, mayChangeRoles } from "../../../../main/console/roles.ts";
import { createFileSecretStore } from "../../../../main/console/settings/file-secret-store.ts";
import {
  openSettingsFile,
  openSettingsHost,
  proxyFromEnv,
  type SecretStore,
  type SettingsHost,
} from "../../../../main/console/settings/index.ts";
import type { RolesFile } from "../../../../shared/api/index.ts";
import { FlowError, type Problem } from "../../../../shared/domain/problem.ts";
import { connectionSample, rolesSample, settingsSample } from "../../../support/settings-samples.ts";
import { systemClock } from "../../../support/store-fixture.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "flownet-settings-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function problemOf(work: Promise<unknown>): Promise<Problem | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof FlowError) return error.problem;
    throw error;
  }
}

const TOKEN = "abcdefghijklmnopqrstuvwxyz0123456789ABCD";

describe("the settings file (decisions §1)", () => {
  it("is absent at first, and reads back what was saved, for this account alone", async () => {
    const file = openSettingsFile(root);
    expect(await file.read()).toEqual({ revision: "none", value: null, readOnly: null });
    await file.save("none", settingsSample());
    expect(await file.read()).toMatchObject({ value: settingsSample(), readOnly: null });
    expect((await stat(join(root, "settings.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(root)).toEqual(["settings.json"]);
  });

  it("saves only on top of what was read", async () => {
    const file = openSettingsFile(root);
    await file.save("none", settingsSample());
    const { revision } = await file.read();
    await file.save(revision, settingsSample({ hosts: ["A"] }));
    const late = await problemOf(file.save(revision, settingsSample({ hosts: ["B"] })));
    expect(late?.code).toBe("SETTINGS_CHANGED_ELSEWHERE");
    expect((await file.read()).value?.hosts).toEqual(["A"]);
  });

  it("lets one of two savings at the same moment win and tells the other", async () => {
    const file = openSettingsFile(root);
    const answers = await Promise.all(
      ["A", "B"].map((host) => problemOf(file.save("none", settingsSample({ hosts: [host] })))),
    );
    expect(answers.map((problem) => problem?.code ?? "saved")).toEqual([
      "saved",
      "SETTINGS_CHANGED_ELSEWHERE",
    ]);
  });

  it.each([
    ["an unknown key", { ...settingsSample(), surprise: 1 }, "$.surprise"],
    [
      "an unknown key deep inside",
      { ...settingsSample(), connections: [{ ...connectionSample(), token: "x" }] },
      "$.connections.0.token",
    ],
    ["another kind", { ...settingsSample(), kind: "OTHER" }, "$.kind"],
  ])("refuses %s with its place and is not written over", async (_, content, place) => {
    await writeFile(join(root, "settings.json"), JSON.stringify(content));
    const file = openSettingsFile(root);
    const { value, readOnly, revision } = await file.read();
    expect(value).toBeNull();
    expect(readOnly).toMatchObject({
      code: "SETTINGS_FILE_INVALID",
      place: `${join(root, "settings.json")} ${place}`,
    });
    expect((await problemOf(file.save(revision, settingsSample())))?.code).toBe("SETTINGS_FILE_INVALID");
    expect(JSON.parse(await readFile(join(root, "settings.json"), "utf8"))).toEqual(content);
  });

  it("reads a newer version as far as it is understood and never writes it", async () => {
    const newer = { ...settingsSample({ hosts: ["A"] }), formatVersion: 2, more: { deep: true } };
    await writeFile(join(root, "settings.json"), JSON.stringify(newer));
    const file = openSettingsFile(root);
    const { value, readOnly, revision } = await file.read();
    expect(value).toEqual(settingsSample({ hosts: ["A"] }));
    expect(readOnly).toMatchObject({ code: "SETTINGS_VERSION_NEWER", details: { found: 2, known: 1 } });
    expect((await problemOf(file.save(revision, settingsSample())))?.code).toBe("SETTINGS_VERSION_NEWER");
    expect(JSON.parse(await readFile(join(root, "settings.json"), "utf8"))).toEqual(newer);
  });
});

describe("tokens in a file of a host without a desktop", () => {
  const store = (platform: NodeJS.Platform = process.platform): SecretStore =>
    createFileSecretStore({ path: join(root, "secrets.json"), platform, uid: process.getuid?.() ?? null });

  it("keeps, replaces and removes a value, with no right for anybody else", async () => {
    await chmod(root, 0o700);
    const secrets = store();
    await secrets.set("connection.prod.state", "one");
    await Promise.all([
      secrets.set("connection.prod.audit", "two"),
      secrets.set("connection.prod.state", "three"),
    ]);
    expect(await secrets.get("connection.prod.state")).toBe("three");
    expect(await store().get("connection.prod.audit")).toBe("two");
    expect((await stat(join(root, "secrets.json"))).mode & 0o777).toBe(0o600);
    await secrets.remove("connection.prod.audit");
    expect([await secrets.has("connection.prod.audit"), await secrets.get("connection.prod.audit")]).toEqual([
      false,
      null,
    ]);
  });

  it.each<[string, () => Promise<SecretStore>]>([
    ["a folder others may read", () => chmod(root, 0o750).then(() => store())],
    [
      "a file others may read",
      async () => {
        await store().set("a", "b");
        await chmod(join(root, "secrets.json"), 0o640);
        return store();
      },
    ],
    [
      "a link that leads elsewhere",
      async () => {
        await symlink(join(root, "other.json"), join(root, "secrets.json"));
        return store();
      },
    ],
    ["Windows, where modes prove nothing", async () => store("win32")],
  ])("is unavailable with %s", async (_, open) => {
    const secrets = await open();
    expect(await secrets.state()).toBe("unavailable");
    expect((await problemOf(secrets.set("a", "b")))?.code).toBe("SECRET_STORE_UNAVAILABLE");
    expect(await secrets.get("a")).toBeNull();
  });
});

describe("what a session may do (decisions §5)", () => {
  const unread = { code: "SETTINGS_FILE_INVALID", message: "m" };
  it.each<[string, string, RolesFile | null, Problem | null, string]>([
    ["no roles at all", "sato", null, null, "operate noRoles"],
    ["a listed account", "suzuki", rolesSample(), null, "approve roles"],
    ["its name in other letters", "SUZUKI", rolesSample(), null, "approve roles"],
    ["an account that is not listed", "tanaka", rolesSample(), null, "view otherAccounts"],
    ["roles that cannot be read", "suzuki", null, unread, "view unreadable"],
    ["roles of a newer version", "sato", rolesSample(), unread, "operate roles"],
  ])("%s", (_, account, value, readOnly, expected) => {
    const { mode, source } = decideSession(account, { value, readOnly });
    expect(`${mode} ${source}`).toBe(expected);
  });

  it("leaves the roles to approvers as soon as there is one", () => {
    const session = (mode: "view" | "operate" | "approve") => ({
      account: "a",
      mode,
      source: "roles" as const,
    });
    const operators = rolesSample({ accounts: [{ account: "sato", mode: "operate" }] });
    expect(mayChangeRoles(session("operate"), null)).toBe(true);
    expect(mayChangeRoles(session("operate"), operators)).toBe(true);
    expect(mayChangeRoles(session("operate"), rolesSample())).toBe(false);
    expect(mayChangeRoles(session("approve"), rolesSample())).toBe(true);
    expect(mayChangeRoles(session("view"), operators)).toBe(false);
  });
});

describe("the settings of a running console", () => {
  function memorySecrets(
    broken: readonly string[] = [],
  ): SecretStore & { readonly all: Map<string, string> } {
    const all = new Map<string, string>();
    return {
      all,
      state: async () => "available",
      set: async (name, value) => void all.set(name, value),
      remove: async (name) => void all.delete(name),
      has: async (name) => all.has(name) || broken.includes(name),
      get: async (name) => all.get(name) ?? null,
      undecryptable: async () => broken,
    };
  }
  const open = (secrets: SecretStore, account = "sato"): Promise<SettingsHost> =>
    openSettingsHost({
      root,
      secrets,
      systemProxy: proxyFromEnv({}),
      env: {},
      clock: systemClock,
      host: "HOST-A",
      account,
      opened: { source: "embedded", connectionId: null, problem: null },
      log: () => ({ file: "/data/log/flownet.jsonl", dropped: 0 }),
    });

  it("tells of a token whether it is there and how it ends, and of one that cannot be decrypted that it is needed again", async () => {
    const host = await open(memorySecrets(["connection.prod.audit"]));
    await host.save("none", settingsSample());
    await host.setToken("prod", "state", TOKEN);
    await host.setToken("prod", "jobLog", "short");
    const { tokens } = await host.view();
    expect(tokens.map(({ slot, state, ending }) => [slot, state, ending])).toEqual([
      ["state", "set", "ABCD"],
      ["audit", "undecryptable", null],
      ["request", "unset", null],
      ["jobLog", "set", null],
    ]);
  });

  it("asks for the tokens the runner's configuration names", async () => {
    const configPath = join(root, "ksql.config.json");
    await writeFile(
      configPath,
      JSON.stringify({ profiles: { p: { apps: { deals: { tokens: ["env:T_DEALS"] } } } } }),
    );
    const host = await open(memorySecrets());
    const runner = { ...connectionSample().runner, configPath };
    await host.save("none", settingsSample({ connections: [connectionSample({ runner })] }));
    await host.setToken("prod", "runner/T_DEALS", TOKEN);
    expect((await host.view()).tokens.at(-1)).toMatchObject({ slot: "runner/T_DEALS", state: "set" });
    expect((await problemOf(host.setToken("prod", "runner/OTHER", TOKEN)))?.code).toBe("TOKEN_SLOT_UNKNOWN");
    expect((await problemOf(host.setToken("gone", "state", TOKEN)))?.code).toBe("CONNECTION_UNKNOWN");
  });

  it("takes the tokens of a connection away before it leads to another address, and keeps them otherwise", async () => {
    const secrets = memorySecrets();
    const host = await open(secrets);
    await host.save("none", settingsSample());
    await host.setToken("prod", "state", TOKEN);
    const renamed = settingsSample({ connections: [connectionSample({ name: "新" })] });
    await host.save((await host.view()).revision, renamed);
    expect(secrets.all.size).toBe(1);
    const moved = settingsSample({ connections: [connectionSample({ baseUrl: "https://evil.test" })] });
    await problemOf(host.save("stale", moved));
    expect(secrets.all.size).toBe(1);
    await host.save((await host.view()).revision, moved);
    expect(secrets.all.size).toBe(0);
    await host.setToken("prod", "state", TOKEN);
    await host.save(
      (await host.view()).revision,
      settingsSample({ activeConnection: null, connections: [] }),
    );
    expect(secrets.all.size).toBe(0);
  });

  it("lets what it is read by count at once, tells of it, and finds it again at the next start", async () => {
    const first = await open(memorySecrets());
    const told: string[] = [];
    const end = first.onChange((change) => told.push(change));
    expect(first.reading()).toEqual({ requestsPerAppAndDay: 10_000, schedulesPath: null });
    const budget = { requestsPerAppAndDay: 100_000 };
    const next = { requestsPerAppAndDay: 100_000, schedulesPath: "/srv/schedules.json" };
    await first.save("none", settingsSample({ budget, schedulesPath: "/srv/schedules.json" }));
    expect(first.reading()).toEqual(next);
    await problemOf(first.save("stale", settingsSample()));
    await first.saveRoles((await first.view()).roles.revision, rolesSample());
    end();
    await first.save((await first.view()).revision, settingsSample());
    expect(told).toEqual(["settings", "roles"]);
    expect((await open(memorySecrets())).reading().requestsPerAppAndDay).toBe(10_000);
  });

  it("lets a new role count at once and refuses what it does not allow", async () => {
    const host = await open(memorySecrets(), "tanaka");
    expect(host.session()).toMatchObject({ mode: "operate", source: "noRoles" });
    await host.saveRoles("none", rolesSample());
    expect(host.session()).toMatchObject({ mode: "view", source: "otherAccounts" });
    expect(await host.view()).toMatchObject({ may: { settings: false, roles: false } });
    for (const refused of [
      host.save("none", settingsSample()),
      host.saveRoles((await host.view()).roles.revision, rolesSample()),
      host.setToken("prod", "state", TOKEN),
    ]) {
      expect((await problemOf(refused))?.code).toBe("MODE_TOO_LOW");
    }
  });

  describe("the role of now (decisions §5)", () => {
    const write = (text: string) => writeFile(join(root, "roles.json"), text);
    const roles = (change: Parameters<typeof rolesSample>[0]) => JSON.stringify(rolesSample(change));

    it("counts what a hand wrote into the roles, and tells of it with what changed", async () => {
      await write(roles({}));
      const host = await open(memorySecrets(), "SATO");
      expect(host.session()).toMatchObject({ mode: "operate", source: "roles" });
      const told: unknown[] = [];
      host.onChange((change, found) => told.push([change, found]));
      await write(roles({ accounts: [{ account: "suzuki", mode: "approve" }] }));
      expect(await host.sessionNow()).toMatchObject({ mode: "view", source: "otherAccounts" });
      expect((await problemOf(host.save("none", settingsSample())))?.code).toBe("MODE_TOO_LOW");
      expect(await host.sessionNow()).toEqual(host.session());
      const changes = [{ account: "sato", before: "operate", after: null }];
      expect(told).toEqual([["roles", { from: "file", changes, problem: null }]]);
    });

    it("gives nobody more by a file that cannot be used, or that is gone", async () => {
      await write(roles({}));
      const [sato, tanaka] = [await open(memorySecrets(), "sato"), await open(memorySecrets(), "tanaka")];
      const told: unknown[] = [];
      tanaka.onChange((_, found) => told.push(found?.problem));
      await write("{ not");
      expect(await sato.sessionNow()).toMatchObject({ mode: "view", source: "unreadable" });
      expect(await tanaka.sessionNow()).toMatchObject({ mode: "view", source: "unreadable" });
      await write(roles({}));
      expect(await sato.sessionNow()).toMatchObject({ mode: "operate", source: "roles" });
      await tanaka.sessionNow();
      await rm(join(root, "roles.json"));
      expect((await sato.sessionNow()).mode).toBe("operate");
      expect((await tanaka.sessionNow()).mode).toBe("view");
      expect((await problemOf(tanaka.saveRoles("none", rolesSample())))?.code).toBe("MODE_TOO_LOW");
      expect((await open(memorySecrets(), "tanaka")).session()).toMatchObject({ source: "noRoles" });
      expect(told).toEqual(["SETTINGS_FILE_INVALID", null, null]);
    });

    it("writes a change down before it counts, and keeps the roles where that fails", async () => {
      const host = await open(memorySecrets(), "suzuki");
      const written: unknown[] = [];
      await host.saveRoles("none", rolesSample(), async (change) => void written.push(change));
      expect(written).toEqual([
        {
          from: "console",
          changes: [
            { account: null, before: null, after: "view" },
            { account: "sato", before: null, after: "operate" },
            { account: "suzuki", before: null, after: "approve" },
          ],
          problem: null,
        },
      ]);
      const { revision } = (await host.view()).roles;
      const wide = rolesSample({ otherAccounts: "approve" });
      const failing = host.saveRoles(revision, wide, () => Promise.reject(new Error("the disk is full")));
      await expect(failing).rejects.toThrow("the disk is full");
      expect((await host.view()).roles.file).toEqual(rolesSample());
      await problemOf(host.saveRoles("stale", wide, async (change) => void written.push(change)));
      expect(written).toHaveLength(1);
    });
  });

  it("allows nobody to act on a workspace that stands in for another, and lets the settings be repaired", async () => {
    const host = await openSettingsHost({
      root,
      secrets: memorySecrets(),
      systemProxy: proxyFromEnv({}),
      env: {},
      clock: systemClock,
      host: "HOST-A",
      account: "sato",
      log: () => ({ file: "/data/log/flownet.jsonl", dropped: 0 }),
      opened: { source: "fallback", connectionId: null, problem: { code: "TOKEN_MISSING", message: "m" } },
    });
    expect(host.session()).toMatchObject({ mode: "view", source: "fallback" });
    await host.save("none", settingsSample());
    expect((await host.view()).settings).toEqual(settingsSample());
  });
});

describe("the system's proxy", () => {
  it.each([
    [{}, null],
    [{ HTTPS_PROXY: "http://p:1" }, "http://p:1"],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "other.test,example.test" }, null],
    [{ https_proxy: "http://p:1", no_proxy: ".test" }, null],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, null],
  ])("%j", async (env, expected) => {
    expect(await proxyFromEnv(env)("https://example.test")).toBe(expected);
  });
});
