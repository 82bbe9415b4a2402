import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentText, provisionRemote } from "../../../main/console/provision-remote/index.ts";
import {
  createSettingsClient,
  type Reply,
  type SettingsClient,
  type SetUpAuth,
} from "../../../main/console/provision-remote/settings-client.ts";
import { createSwitches } from "../../../main/local-kintone/switches.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { APP_NAMES, APP_ROLES, type AppRole, appTemplate } from "../../../shared/records/index.ts";
import { type Rig, startRig } from "../local-kintone/support.ts";

let rig: Rig;
const ADMIN: SetUpAuth = { kind: "user", user: "admin", password: "a long password" };
const signal = new AbortController().signal;
beforeEach(async () => {
  rig = await startRig({ switches: { ...createSwitches(), deployMs: 0 } });
  rig.server.provision.createUser({ code: "admin", name: "管理者" }, "a long password");
});
afterEach(() => rig.close());

const clientOf = (auth: SetUpAuth = ADMIN): SettingsClient =>
  createSettingsClient({ baseUrl: rig.baseUrl, guestSpaceId: null, auth, signal, timeoutMs: 10_000 });

type More = Partial<Parameters<typeof provisionRemote>[0]>;
const run = (more: More = {}): ReturnType<typeof provisionRemote> =>
  provisionRemote({
    client: clientOf(),
    guestSpaceId: null,
    ids: {},
    dryRun: false,
    applyDifferences: false,
    timing: { sleep: async () => undefined, pauseMs: 0, looks: 10_000 },
    ...more,
  });

const asAdmin = { "X-Cybozu-Authorization": Buffer.from("admin:a long password").toString("base64") };
const actions = (report: Awaited<ReturnType<typeof run>>): string[] =>
  report.apps.map(({ action }) => action);
const appNames = async (): Promise<unknown[]> => {
  const { json } = await rig.send("GET", "/k/v1/apps.json", undefined, asAdmin);
  const apps = Array.isArray(json.apps) ? json.apps : [];
  return apps.map((app: { name: string }) => app.name).sort();
};
const OURS = [...Object.values(APP_NAMES), "実行管理"].sort();

describe("the set-up of a kintone (wire-format §1, kintone-rest §12)", () => {
  it("makes the four apps as the template says, and finds nothing to do the second time", async () => {
    const first = await run();
    expect(first).toMatchObject({ complete: true, dryRun: false });
    expect(actions(first)).toEqual(["created", "created", "created", "created"]);
    expect(await appNames()).toEqual(OURS);
    const second = await run();
    expect(second.apps.map(({ action, differences }) => [action, differences])).toEqual(
      APP_ROLES.map(() => ["unchanged", []]),
    );
    expect(await appNames()).toEqual(OURS);
  });

  it("lets the state app show rows of its neighbours (wire-format §1.1)", async () => {
    const { apps } = await run();
    const idOf = (role: AppRole): string => apps.find((app) => app.role === role)?.appId ?? "";
    const { json } = await rig.send(
      "GET",
      `/k/v1/app/form/fields.json?app=${idOf("state")}`,
      undefined,
      asAdmin,
    );
    expect(json.properties).toMatchObject({
      related_audit_events: { referenceTable: { relatedApp: { app: idOf("audit") } } },
      related_requests: { referenceTable: { relatedApp: { app: idOf("request") } } },
      related_job_logs: { referenceTable: { relatedApp: { app: idOf("jobLog") } } },
    });
  });

  it("changes nothing with --dry-run", async () => {
    const report = await run({ dryRun: true });
    expect(actions(report)).toEqual(APP_ROLES.map(() => "would create"));
    expect(report.complete).toBe(false);
    expect(await appNames()).toEqual(["実行管理"]);
  });

  it("tells how an existing app differs, and changes it only when told", async () => {
    const older = rig.server.provision.createApp({
      name: APP_NAMES.jobLog,
      fields: {
        status: { type: "DROP_DOWN", options: { RUNNING: { label: "RUNNING", index: "0" } } },
        job_key: { type: "SINGLE_LINE_TEXT" },
        mine: { type: "SINGLE_LINE_TEXT" },
        host: { type: "NUMBER" },
      },
    });
    rig.server.provision.insertRecords(older, [{ job_key: { value: "local:a" }, mine: { value: "x" } }]);
    const told = await run();
    const report = told.apps.find(({ role }) => role === "jobLog");
    expect(report).toMatchObject({ action: "differs", appId: older });
    const seen = report?.differences.map(({ name, kind, applicable }) => [name, kind, applicable]);
    expect(seen).toContainEqual(["batch_id", "missing", true]);
    expect(seen).toContainEqual(["status", "option", true]);
    expect(seen).toContainEqual(["job_key", "unique", true]);
    expect(seen).toContainEqual(["host", "type", false]);
    const form = async (): Promise<Record<string, unknown>> =>
      (await rig.send("GET", `/k/v1/app/form/fields.json?app=${older}`, undefined, asAdmin)).json;
    expect((await form()).properties).not.toHaveProperty("batch_id");

    const applied = await run({ applyDifferences: true });
    // The type of a field cannot be changed without losing its values: that stays told.
    expect(applied.apps.find(({ role }) => role === "jobLog")?.action).toBe("differs");
    const left = await run();
    expect(left.apps.find(({ role }) => role === "jobLog")?.differences).toMatchObject([
      { name: "host", kind: "type" },
    ]);
    expect((await form()).properties).toMatchObject({
      mine: { type: "SINGLE_LINE_TEXT" },
      job_key: { unique: true },
      status: { options: { RUNNING: { index: "0" }, SUCCESS: { label: "SUCCESS" } } },
    });
    const token = rig.server.provision.createToken(older, ["view"], "test");
    const { json } = await rig.send("GET", `/k/v1/record.json?app=${older}&id=1`, undefined, {
      "X-Cybozu-API-Token": token,
    });
    expect(json.record).toMatchObject({ job_key: { value: "local:a" }, mine: { value: "x" } });
  });

  it("leaves alone what somebody else has not made live yet", async () => {
    const { apps } = await run();
    const audit = apps.find(({ role }) => role === "audit")?.appId ?? "";
    const half = { app: audit, properties: { half: { type: "NUMBER", code: "half", label: "half" } } };
    await rig.send("POST", "/k/v1/preview/app/form/fields.json", half, asAdmin);
    const views = { app: audit, views: {} };
    expect((await run({ applyDifferences: true })).complete).toBe(true);
    await rig.send("PUT", "/k/v1/preview/app/views.json", views, asAdmin);
    await rig.send("POST", "/k/v1/preview/app/deploy.json", { apps: [{ app: audit }] }, asAdmin);
    await expect
      .poll(async () => (await run()).apps.find(({ role }) => role === "audit")?.action)
      .toBe("differs");
    await rig.send(
      "POST",
      "/k/v1/preview/app/form/fields.json",
      {
        app: audit,
        properties: { third: { type: "NUMBER", code: "third", label: "third" } },
      },
      asAdmin,
    );
    await expect(run({ applyDifferences: true })).rejects.toMatchObject({
      problem: { code: "APP_HAS_UNDEPLOYED_CHANGES" },
    });
  });

  it("refuses to choose between two apps of one name", async () => {
    for (const code of ["A", "B"])
      rig.server.provision.createApp({ name: APP_NAMES.audit, code, fields: {} });
    await expect(run()).rejects.toMatchObject({ problem: { code: "APP_AMBIGUOUS" } });
  });

  it("compares with API tokens of the apps alone, whose ids have to be given", async () => {
    const { apps } = await run();
    const ids = Object.fromEntries(apps.map(({ role, appId }) => [role, appId ?? ""]));
    const tokens = Object.values(ids).map((id) =>
      rig.server.provision.createToken(id, ["view", "manage"], "m"),
    );
    const client = clientOf({ kind: "tokens", tokens: tokens.join(",") });
    expect((await run({ client, ids })).complete).toBe(true);
    await expect(run({ client })).rejects.toMatchObject({ problem: { code: "APP_IDS_MISSING" } });
  });

  it("says so when the password is wrong, without showing it", async () => {
    const client = clientOf({ kind: "user", user: "admin", password: "wrong secret" });
    const failure = await run({ client }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FlowError);
    expect(JSON.stringify(failure instanceof FlowError ? failure.problem : null)).toContain("CB_WA01");
    expect(JSON.stringify(failure instanceof FlowError ? failure.problem : null)).not.toContain(
      "wrong secret",
    );
  });

  it.each(["http://example.com", "https://user:pass@example.com", "ftp://localhost", "localhost"])(
    "sends no password to %s",
    (baseUrl) => {
      const make = (): unknown =>
        createSettingsClient({ baseUrl, guestSpaceId: null, auth: ADMIN, signal, timeoutMs: 1 });
      expect(make).toThrow("The base URL is https");
    },
  );
});

/** Loses the n-th write: either its answer after it was carried out, or the request itself. */
function losing(
  client: SettingsClient,
  at: number,
  what: "answer" | "request",
): SettingsClient & { writes(): number } {
  let writes = 0;
  const lost: Reply = { kind: "unknown", reason: "ECONNRESET" };
  return {
    ...client,
    writes: () => writes,
    async send(method, name, body) {
      writes += 1;
      if (writes !== at) return client.send(method, name, body);
      if (what === "answer") await client.send(method, name, body);
      return lost;
    },
  };
}

describe("an answer that is lost during the set-up", () => {
  it("is read back: an app's, a part's, a deploy's, and no app is made twice", async () => {
    const counting = losing(clientOf(), 0, "answer");
    await run({ client: counting });
    const writes = counting.writes();
    expect(writes).toBeGreaterThan(15);
    for (const at of [1, 2, 3, 5, 6, 9, 13, 16, 17, writes]) {
      await rig.close();
      rig = await startRig({ switches: { ...createSwitches(), deployMs: 0 } });
      rig.server.provision.createUser({ code: "admin", name: "管理者" }, "a long password");
      const report = await run({ client: losing(clientOf(), at, "answer") });
      expect([at, report.complete, (await run()).apps.map(({ action }) => action)]).toEqual([
        at,
        true,
        APP_ROLES.map(() => "unchanged"),
      ]);
      expect(await appNames()).toEqual(OURS);
    }
  });

  it("is told when it was the making of an app and none is seen; the next run goes on", async () => {
    await expect(run({ client: losing(clientOf(), 1, "request") })).rejects.toMatchObject({
      problem: { code: "APP_CREATION_UNKNOWN" },
    });
    expect((await run()).complete).toBe(true);
    expect(await appNames()).toEqual(OURS);
  });

  it.each([2, 3, 4, 5, 8])("is repeated under its revision when write %i never arrived", async (at) => {
    const report = await run({ client: losing(clientOf(), at, "request") });
    expect(report.complete || at === 8).toBe(true);
    expect(await appNames()).toEqual(OURS);
  });

  it("leaves drafts that the next run finds by name and completes", async () => {
    for (const at of [2, 6]) {
      const dying: SettingsClient = {
        ...clientOf(),
        send: (() => {
          let writes = 0;
          return async (method, name, body) => {
            writes += 1;
            if (writes >= at) return { kind: "refused", status: 503, code: "", message: "" };
            return clientOf().send(method, name, body);
          };
        })(),
      };
      await expect(run({ client: dying })).rejects.toMatchObject({ problem: { code: "KINTONE_REFUSED" } });
    }
    expect(actions(await run())).toEqual(APP_ROLES.map(() => "created"));
    expect(await appNames()).toEqual(OURS);
  });
});

describe("the variables a host needs", () => {
  it("names each token's page, rights and variable; no token is made up", async () => {
    const report = await run();
    const [state, audit, request, jobLog] = APP_ROLES.map((role) => appTemplate(role, null));
    if (!state || !audit || !request || !jobLog) throw new Error("four templates");
    const text = environmentText(report, { state, audit, request, jobLog });
    const stateId = report.apps.find(({ role }) => role === "state")?.appId ?? "";
    expect(text).toContain(`KSQL_FLOWNET_STATE_APP_ID=${stateId}\n`);
    expect(text).toContain("\nKSQL_FLOWNET_STATE_API_TOKEN=\n");
    expect(text).toContain(
      `FlowNet: ${rig.baseUrl}/k/admin/app/apitoken?app=${stateId}  レコード閲覧, レコード追加, レコード編集`,
    );
    expect(text).toContain("\nKSQL_FLOW_LOG_API_TOKEN=\n");
  });
});
