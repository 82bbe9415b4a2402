import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkspace } from "../../../main/console/index.ts";
import { checkSettings } from "../../../main/console/settings/check/index.ts";
import { openSettingsFile, proxyFromEnv } from "../../../main/console/settings/index.ts";
import type { CheckEvent, ConnectionSettings } from "../../../shared/api/index.ts";
import { settingsSample } from "../../support/settings-samples.ts";
import { systemClock } from "../../support/store-fixture.ts";
import { CA_FILE, type CheckBench, startCheckBench, told } from "./support.ts";

let bench: CheckBench;
beforeAll(async () => {
  bench = await startCheckBench();
});
afterAll(() => bench.dispose());

const withApps = (change: Partial<ConnectionSettings["apps"]>): Partial<ConnectionSettings> => ({
  apps: { ...bench.connection.apps, ...change },
});

describe("the check of a connection against a kintone", () => {
  it("confirms a complete connection, item by item, and writes nothing", async () => {
    const items = await bench.check({ runner: bench.runner });
    expect([...items.values()].filter(({ blocks }) => blocks)).toEqual([]);
    for (const id of ["dns", "tcp", "tls", "clock", "authentication", "runnerCapabilities", "workFolder"]) {
      expect(items.get(id)?.result, id).toBe("confirmed");
    }
    for (const slot of ["state", "audit", "request", "jobLog"]) {
      expect(told(items, `app/${slot}`)).toBe("confirmed APP_OK");
      expect(told(items, `rights/${slot}`)).toBe("confirmed RIGHTS_OK");
    }
    expect(told(items, "runnerProfile")).toBe("confirmed RUNNER_PROFILE_OK");
    const { state, audit, request, jobLog } = bench.connection.apps;
    for (const app of [state, audit, request, jobLog]) {
      expect(bench.kintone.provision.hasRecords(String(app))).toBe(false);
    }
  });

  it("names each item before it looks and says how many there are", async () => {
    const events: CheckEvent[] = [];
    for await (const event of checkSettings(
      {
        connection: bench.connection,
        secrets: bench.secrets,
        systemProxy: proxyFromEnv({}),
        env: process.env,
        clock: systemClock,
        host: "HOST-A",
        hosts: [],
        schedulesPath: join(bench.folder, "none.json"),
      },
      new AbortController().signal,
    )) {
      events.push(event);
    }
    const [planned, ...rest] = events;
    const items = rest.filter((event) => event.kind === "item");
    expect(planned).toEqual({ kind: "planned", total: items.length / 2 });
    expect(items.map(({ item }) => item.result === null)).toEqual(items.map((_, index) => index % 2 === 0));
    expect(rest.at(-1)).toMatchObject({ kind: "ended" });
  });

  it("ends at once when nobody waits for it any more", async () => {
    const stop = new AbortController();
    const events: CheckEvent[] = [];
    const secrets = bench.secrets;
    const deps = {
      connection: { ...bench.connection, runner: bench.runner },
      secrets,
      systemProxy: proxyFromEnv({}),
      env: process.env,
      clock: systemClock,
      host: "HOST-A",
      hosts: [],
      schedulesPath: join(bench.folder, "none.json"),
    };
    for await (const event of checkSettings(deps, stop.signal)) {
      events.push(event);
      if (event.kind === "item" && event.item.id === "runnerCapabilities") stop.abort();
    }
    expect(events.at(-1)).toMatchObject({ kind: "item", item: { id: "runnerCapabilities", result: null } });
  });

  it.each<[string, () => Partial<ConnectionSettings>, string, string]>([
    ["an app that is not there", () => withApps({ state: 9999 }), "app/state", "person APP_NOT_FOUND blocks"],
    [
      "the id of another app",
      () => withApps({ audit: bench.connection.apps.jobLog }),
      "app/audit",
      "person APP_FORM_MISMATCH blocks",
    ],
    [
      "a port where nobody listens",
      () => ({ baseUrl: "http://localhost:1" }),
      "tcp",
      "unreadable TCP_FAILED blocks",
    ],
    [
      "a certificate file that is none",
      () => ({ caFile: bench.connection.runner.configPath }),
      "tls",
      "person CA_FILE_NOT_PEM blocks",
    ],
    [
      "a certificate file that is not there",
      () => ({ caFile: join(bench.folder, "nothing.pem") }),
      "tls",
      "person CA_FILE_UNREADABLE blocks",
    ],
    [
      "a runner that is not there",
      () => ({ runner: { ...bench.runner, bin: join(bench.folder, "nothing") } }),
      "runnerCapabilities",
      "unreadable RUNNER_NO_ANSWER blocks",
    ],
    [
      "a runner's profile of another kintone",
      () => ({
        ...withApps({ jobLog: bench.connection.apps.audit, audit: bench.connection.apps.jobLog }),
        runner: bench.runner,
      }),
      "runnerProfile",
      "person RUNNER_OTHER_KINTONE blocks",
    ],
    [
      "a work folder that cannot be",
      () => ({ runner: { ...bench.connection.runner, workDir: join(CA_FILE, "work") } }),
      "workFolder",
      "person FOLDER_UNWRITABLE blocks",
    ],
    [
      "a guest space the apps are not in",
      () => ({ guestSpaceId: 9 }),
      "app/state",
      "person APP_NOT_IN_GUEST_SPACE blocks",
    ],
    [
      "an allow list that is not there",
      () => ({ allowListPath: join(bench.folder, "nothing.yaml") }),
      "allowList",
      "unreadable ALLOW_LIST_INVALID blocks",
    ],
  ])("finds %s", async (_, change, id, expected) => {
    expect(told(await bench.check(change()), id)).toBe(expected);
  });

  it("does not ask what rests on something that could not be reached", async () => {
    const items = await bench.check({ baseUrl: "http://localhost:1" });
    expect(items.get("app/state")).toMatchObject({ result: "unreadable", code: "NOT_ASKED" });
    expect(told(items, "workFolder")).toBe("confirmed FOLDER_OK");
  });
});

describe("a connection of the settings", () => {
  it("is opened with its tokens when no variable is set, and checked before anything rests on it", async () => {
    const file = openSettingsFile(bench.folder);
    const connection = { ...bench.connection, runner: bench.runner };
    await file.save("none", settingsSample({ connections: [connection] }));
    const workspace = await openWorkspace({ dataDir: bench.folder, env: {} });
    const opened = await workspace.settings?.view();
    const runs = await workspace.reads.listAllRuns();
    await workspace.dispose();
    expect([workspace.kind, workspace.baseUrl]).toEqual(["configured", bench.connection.baseUrl]);
    expect(opened?.opened).toMatchObject({ source: "settings", connectionId: "prod", problem: null });
    expect(runs).toEqual([]);
    await file.save(
      (await file.read()).revision,
      settingsSample({ connections: [{ ...connection, apps: { ...connection.apps, state: 9999 } }] }),
    );
    await expect(openWorkspace({ dataDir: bench.folder, env: {} })).rejects.toMatchObject({
      problem: { code: "APP_NOT_FOUND", place: "settings connections.prod.apps.state" },
    });
  });
});

describe("forms and tokens", () => {
  const appWith = (
    code: string,
    fields: Parameters<typeof bench.kintone.provision.createApp>[0]["fields"],
  ) => {
    const { provision } = bench.kintone;
    const app = provision.createApp({ name: code, code, fields });
    return { id: Number(app), token: provision.createToken(app, ["view", "add", "edit"], "t") };
  };

  it("lists every field that is missing, of another type, or not unique (wire-format §1)", async () => {
    const { auditFields } = await import("../../../shared/records/app-fields.ts");
    const { invocation_id: _gone, node_attempt_id: nodeAttemptId, ...rest } = auditFields();
    if (nodeAttemptId === undefined) throw new Error("the audit app has lost a field");
    const broken = appWith("broken", {
      ...rest,
      started_at: { type: "SINGLE_LINE_TEXT" },
      node_attempt_id: { ...nodeAttemptId, type: "SINGLE_LINE_TEXT", unique: false },
    });
    const before = await bench.secrets.get("connection.prod.audit");
    await bench.setToken("audit", broken.token);
    const items = await bench.check(withApps({ audit: broken.id }));
    await bench.setToken("audit", before ?? "");
    const differences = items.get("app/audit")?.differences ?? [];
    expect(differences.map(({ field, kind }) => `${field} ${kind}`).sort()).toEqual([
      "invocation_id missing",
      "node_attempt_id unique",
      "started_at type",
    ]);
    expect(items.get("app/audit")?.facts.count).toBe("3");
    expect(told(items, "rights/audit")).toBe("unreadable NOT_ASKED blocks");
  });

  it.each<[string, readonly ("view" | "add" | "edit")[], string]>([
    ["add", ["view", "edit"], "add"],
    ["add and edit", ["view"], "add, edit"],
  ])("names the right a token lacks: %s", async (_, rights, missing) => {
    const before = await bench.secrets.get("connection.prod.state");
    const { provision } = bench.kintone;
    await bench.setToken(
      "state",
      provision.createToken(String(bench.connection.apps.state), [...rights], `only ${missing}`),
    );
    const items = await bench.check();
    await bench.setToken("state", before ?? "");
    expect(told(items, "rights/state")).toBe("person RIGHTS_MISSING blocks");
    expect(items.get("rights/state")?.facts.missing).toBe(missing);
  });

  it("tells a token nobody knows from one that is not there", async () => {
    const before = await bench.secrets.get("connection.prod.state");
    await bench.setToken("state", "x".repeat(40));
    const unknown = await bench.check();
    await bench.secrets.remove("connection.prod.state");
    const absent = await bench.check();
    await bench.setToken("state", before ?? "");
    expect(told(unknown, "authentication")).toBe("person TOKEN_UNKNOWN blocks");
    expect(told(absent, "authentication")).toBe("person TOKEN_MISSING blocks");
    expect(told(absent, "app/audit")).toBe("confirmed APP_OK");
  });
});
