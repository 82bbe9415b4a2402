import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSwitches } from "../../../main/local-kintone/switches.ts";
import { basic, type HandClock, handClock } from "./preview-support.ts";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let clock: HandClock;
const switches = createSwitches();
beforeAll(async () => {
  clock = handClock(Date.UTC(2026, 8, 1, 23, 0));
  rig = await startRig({ clock, switches });
  rig.server.provision.createUser({ code: "admin", name: "admin" }, "pw");
});
afterAll(() => rig.close());

const admin = basic("admin", "pw");
const today = (): number => {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const rows = rig.server.provision.usage();
  return rows.find((row) => String(row.app) === rig.app && row.day === day)?.requests ?? 0;
};
async function counted(call: () => Promise<unknown>): Promise<number> {
  const before = today();
  await call();
  return today() - before;
}

describe("daily counters (kintone-rest §14)", () => {
  it.each([
    ["a read", "GET", "records.json", {}, 1],
    ["a write", "POST", "record.json", { record: keyed("q-1") }, 1],
    ["a refused write", "POST", "record.json", { record: {} }, 1],
    ["a batch", "POST", "records.json", { records: [keyed("q-2"), keyed("q-3")] }, 1],
    ["a form read", "GET", "app/form/fields.json", {}, 1],
  ])("count %s", async (_, method, path, body, times) => {
    const headers = { "X-Cybozu-API-Token": rig.token, "X-HTTP-Method-Override": method };
    const call = (): Promise<RawAnswer> =>
      rig.send("POST", `/k/v1/${path}`, { app: rig.app, ...body }, headers);
    expect(await counted(call)).toBe(times);
  });

  it("count the sub-requests of a bulk request, not the request itself", async () => {
    const sub = (key: string): object => ({
      method: "POST",
      api: "/k/v1/record.json",
      payload: { app: rig.app, record: keyed(key) },
    });
    const requests = [sub("b-1"), sub("b-2"), sub("b-3")];
    expect(await counted(() => rig.send("POST", "/k/v1/bulkRequest.json", { requests }))).toBe(3);
    expect(await counted(() => rig.send("POST", "/k/v1/bulkRequest.json", { requests: [] }))).toBe(0);
  });

  it("leave out apps.json, app creation, uploads and refused credentials", async () => {
    expect(await counted(() => rig.send("GET", "/k/v1/apps.json", undefined, admin))).toBe(0);
    expect(await counted(() => rig.send("POST", "/k/v1/preview/app.json", { name: "n" }, admin))).toBe(0);
    expect(await counted(() => rig.client.file.uploadFile({ file: { name: "f", data: "x" } }))).toBe(0);
    const path = `/k/v1/records.json?app=${rig.app}`;
    expect(await counted(() => rig.send("GET", path, undefined, {}))).toBe(0);
  });

  it("count the reads of a cursor for its app", async () => {
    const { json } = await rig.send("POST", "/k/v1/records/cursor.json", { app: rig.app });
    expect(await counted(() => rig.send("GET", `/k/v1/records/cursor.json?id=${String(json.id)}`))).toBe(1);
  });

  it("start anew at 09:00 Japan time", async () => {
    expect(today()).toBeGreaterThan(0);
    clock.advance(3_600_000);
    expect(today()).toBe(0);
    expect(await counted(() => rig.send("GET", `/k/v1/app.json?id=${rig.app}`))).toBe(1);
  });

  it("refuse only when told to, and again serve when the day is over", async () => {
    const read = (): Promise<RawAnswer> => rig.send("GET", `/k/v1/app.json?id=${rig.app}`);
    switches.dailyLimit = today() + 1;
    expect((await read()).status).toBe(200);
    const refused = await read();
    expect([refused.status, refused.json.code]).toEqual([429, "LOCAL_DAILY_LIMIT"]);
    clock.advance(86_400_000);
    expect((await read()).status).toBe(200);
    switches.dailyLimit = null;
  });
});

describe("the concurrency gate (kintone-rest §14)", () => {
  it("refuses the one too many with the captured answer, executes nothing, and recovers at once", async () => {
    const narrow = await startRig({ concurrencyLimit: 2, delayMs: 60 });
    try {
      const add = (index: number): Promise<RawAnswer> =>
        narrow.send("POST", "/k/v1/record.json", { app: narrow.app, record: keyed(`gate-${index}`) });
      const answers = await Promise.all([0, 1, 2, 3, 4].map(add));
      const refused = answers.filter((answer) => answer.status === 429);
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) {
        expect(answer.json).toMatchObject({
          code: "GAIA_TO04",
          message: "APIの同時リクエスト数が上限を超えています。",
        });
        expect(answer.headers.get("x-cybozu-error")).toBe("GAIA_TO04");
        expect(answer.headers.get("cache-control")).toBe("no-cache, no-store, must-revalidate");
        expect(answer.headers.get("x-concurrencylimit-limit")).toBe("2");
        expect(Number(answer.headers.get("x-concurrencylimit-running"))).toBeGreaterThan(2);
        expect(answer.headers.get("retry-after")).toBeNull();
      }
      const { totalCount } = await narrow.client.record.getRecords({ app: narrow.app, totalCount: true });
      expect(Number(totalCount)).toBe(5 - refused.length);
      expect((await add(9)).status).toBe(200);
    } finally {
      await narrow.close();
    }
  });

  it("says it in English where that is asked", async () => {
    const shut = await startRig({ concurrencyLimit: 0, defaultLocale: "en" });
    try {
      const answer = await shut.send("GET", `/k/v1/app.json?id=${shut.app}`);
      expect(answer.json.message).toBe("The number of concurrent API requests exceeds the limit.");
    } finally {
      await shut.close();
    }
  });
});

describe("maintenance (kintone-rest §15)", () => {
  it("answers 503 with a page for everything, and the official client reads its status line", async () => {
    switches.maintenance = "all";
    try {
      for (const path of [`records.json?app=${rig.app}`, "apps.json"]) {
        const answer = await rig.send("GET", `/k/v1/${path}`);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "text/html;charset=utf-8"]);
      }
      await expect(rig.client.record.getRecords({ app: rig.app })).rejects.toThrow(
        "503: Service Unavailable",
      );
    } finally {
      switches.maintenance = "off";
    }
    expect((await rig.send("GET", `/k/v1/app.json?id=${rig.app}`)).status).toBe(200);
  });

  it("closes one app alone, inside a bulk request too, which then stores nothing", async () => {
    const open = rig.server.provision.createApp({
      name: "open",
      fields: { t: { type: "SINGLE_LINE_TEXT" } },
    });
    const both = {
      "X-Cybozu-API-Token": `${rig.token},${rig.server.provision.createToken(open, ["view", "add"], "t")}`,
    };
    switches.maintenance = new Set([Number(rig.app)]);
    try {
      const at = (app: string): Promise<RawAnswer> =>
        rig.send("GET", `/k/v1/records.json?app=${app}`, undefined, both);
      expect([(await at(rig.app)).status, (await at(open)).status]).toEqual([503, 200]);
      const sub = (app: string, record: object): object => ({
        method: "POST",
        api: "/k/v1/record.json",
        payload: { app, record },
      });
      const requests = [sub(open, {}), sub(rig.app, keyed("never"))];
      expect((await rig.send("POST", "/k/v1/bulkRequest.json", { requests }, both)).status).toBe(503);
      expect((await at(open)).json.records).toEqual([]);
    } finally {
      switches.maintenance = "off";
    }
  });
});
