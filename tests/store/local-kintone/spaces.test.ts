import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, type HandClock, handClock, userClient } from "./preview-support.ts";
import { type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
let guestSpace: string;
let openSpace: string;
let guest: KintoneRestAPIClient;
let admin: KintoneRestAPIClient;
let guestApp: string;
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock });
  guestSpace = rig.server.provision.createSpace("取引先", true);
  openSpace = rig.server.provision.createSpace("社内", false);
  admin = userClient(rig, "admin");
  guest = userClient(rig, "admin", Number(guestSpace));
  guestApp = (await guest.app.addApp({ name: "guest", space: guestSpace })).app;
  await guest.app.addFormFields({
    app: guestApp,
    properties: { t: { type: "SINGLE_LINE_TEXT", code: "t", label: "t" } },
  });
  await guest.app.deployApp({ apps: [{ app: guestApp }] });
  clock.advance(1_000);
});
afterAll(() => rig.close());

const get = (path: string): Promise<RawAnswer> =>
  rig.send("GET", path, undefined, basic("admin", "password"));

describe("spaces and guest paths (kintone-rest §4)", () => {
  it("makes apps in a space by the official client, which asks the space for its thread", async () => {
    expect(await guest.app.getApp({ id: guestApp })).toMatchObject({
      spaceId: guestSpace,
      threadId: guestSpace,
      name: "guest",
    });
    const { app } = await admin.app.addApp({ name: "open", space: openSpace });
    await admin.app.deployApp({ apps: [{ app }] });
    clock.advance(1_000);
    expect(await admin.app.getApp({ id: app })).toMatchObject({ spaceId: openSpace });
    const space = await admin.space.getSpace({ id: openSpace });
    expect(space).toMatchObject({ id: openSpace, name: "社内", isGuest: false, defaultThread: openSpace });
    expect(space.attachedApps).toMatchObject([{ appId: app }]);
  });

  it("serves records, previews and settings of a guest app on its path", async () => {
    const { id } = await guest.record.addRecord({ app: guestApp, record: { t: { value: "v" } } });
    expect((await guest.record.getRecord({ app: guestApp, id })).record.t?.value).toBe("v");
    expect((await guest.app.getAppSettings({ app: guestApp, preview: true })).name).toBe("guest");
    const { results } = await guest.bulkRequest({
      requests: [
        {
          method: "POST",
          api: `/k/guest/${guestSpace}/v1/record.json`,
          payload: { app: guestApp, record: { t: { value: "bulk" } } },
        },
      ],
    });
    expect(results).toHaveLength(1);
  });

  it.each(["records.json?app=", "app.json?id=", "preview/app/settings.json?app="])(
    "sends %s on the ordinary path back with 400 GAIA_IL23",
    async (path) => {
      const answer = await get(`/k/v1/${path}${guestApp}`);
      expect([answer.status, answer.json.code]).toEqual([400, "GAIA_IL23"]);
      expect(answer.json.message).toContain(`/k/guest/${guestSpace}/v1/`);
    },
  );

  it("refuses an app that is not in the space of the path with 403 CB_NO02", async () => {
    for (const path of [
      `/k/guest/99/v1/records.json?app=${guestApp}`,
      `/k/guest/${guestSpace}/v1/records.json?app=${rig.app}`,
    ]) {
      const answer = await get(path);
      expect([answer.status, answer.json.code]).toEqual([403, "CB_NO02"]);
    }
  });

  it("refuses a bulk request that leaves the space of its path (§9)", async () => {
    const bulk = (path: string, api: string, app: string): Promise<RawAnswer> => {
      const requests = [{ method: "POST", api, payload: { app, record: {} } }];
      return rig.send("POST", path, { requests }, basic("admin", "password"));
    };
    const inside = `/k/guest/${guestSpace}/v1`;
    const out = await bulk(`${inside}/bulkRequest.json`, "/k/v1/record.json", rig.app);
    const into = await bulk("/k/v1/bulkRequest.json", `${inside}/record.json`, guestApp);
    const key = (answer: RawAnswer): string =>
      Object.keys(JSON.parse(JSON.stringify(answer.json.errors))).join();
    expect([out.status, key(out), into.status, key(into)]).toEqual([
      400,
      "requests[0].api",
      400,
      "requests[0].api",
    ]);
  });

  it("makes no app in a guest space from outside, nor in one that is not there", async () => {
    const make = (path: string, space: string): Promise<RawAnswer> =>
      rig.send("POST", path, { name: "n", space }, basic("admin", "password"));
    expect((await make("/k/v1/preview/app.json", guestSpace)).json.code).toBe("GAIA_IL23");
    expect((await make(`/k/guest/${guestSpace}/v1/preview/app.json`, openSpace)).json.code).toBe("CB_NO02");
    expect((await make("/k/v1/preview/app.json", "999")).status).toBe(404);
  });

  it("lists apps of a guest space on its path only", async () => {
    const ids = async (on: KintoneRestAPIClient): Promise<readonly string[]> =>
      (await on.app.getApps({})).apps.map(({ appId }) => appId);
    expect(await ids(guest)).toEqual([guestApp]);
    expect(await ids(admin)).not.toContain(guestApp);
    expect((await guest.app.getApps({ spaceIds: [guestSpace] })).apps).toHaveLength(1);
  });
});
