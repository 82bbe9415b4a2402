import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultRig, startFaultRig } from "./fault-support.ts";
import { keyed } from "./support.ts";

let rig: FaultRig;
beforeAll(async () => {
  rig = await startFaultRig();
});
afterEach(() => rig.control.clear());
afterAll(() => rig.close());

const PUT = { methods: ["PUT" as const] };

/** Code of a broken connection, or the answer's status. */
async function outcome(answer: Promise<{ readonly status: number }>): Promise<string | number> {
  try {
    return (await answer).status;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  }
}

describe("faults of the line (kintone-rest §19)", () => {
  it("F5 commits and resets the connection before any byte", async () => {
    const id = rig.insert("f5");
    await rig.control.add({ id: "lost", match: PUT, effect: { kind: "lose-response" } });
    const call = rig.client.record.updateRecord({
      app: rig.app,
      id,
      record: { status: { value: "RUNNING" } },
    });
    await expect(call).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await rig.lastRequest()).toMatchObject({ delivery: "reset", status: 200, rules: ["lost"] });
    expect(await rig.stored(id)).toEqual({ revision: "2", status: "RUNNING" });
  });

  it("F6 commits and cuts the answer in its body", async () => {
    const id = rig.insert("f6");
    await rig.control.add({ id: "cut", match: PUT, effect: { kind: "cut-response" } });
    const response = await fetch(`${rig.baseUrl}/k/v1/record.json`, {
      method: "PUT",
      headers: { "X-Cybozu-API-Token": rig.token, "Content-Type": "application/json" },
      body: JSON.stringify({ app: rig.app, id, record: { status: { value: "RUNNING" } } }),
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(await rig.lastRequest()).toMatchObject({ delivery: "cut", parts: [{ revisionAfter: 2 }] });
    expect((await rig.stored(id)).revision).toBe("2");
  });

  it("F7 resets without executing", async () => {
    const id = rig.insert("f7");
    await rig.control.add({ id: "gone", match: PUT, effect: { kind: "lose-request" } });
    expect(await outcome(rig.putStatus(id))).toBe("ECONNRESET");
    expect(await rig.lastRequest()).toMatchObject({ delivery: "reset", status: null, rules: ["gone"] });
    expect((await rig.stored(id)).revision).toBe("1");
  });

  it.each([
    ["first", 200],
    ["second", 409],
  ] as const)("F8 executes twice and answers with the %s", async (answer, status) => {
    const id = rig.insert(`f8-${answer}`);
    await rig.control.add({ id: "twice", match: PUT, effect: { kind: "duplicate", answer } });
    expect((await rig.putStatus(id, 1)).status).toBe(status);
    expect((await rig.stored(id)).revision).toBe("2");
    expect(await rig.lastRequest()).toMatchObject({ rules: ["twice"], parts: [{ revisionAfter: 2 }] });
  });

  it("F8 doubles an insert without a unique key, and a unique key stops the second", async () => {
    const { provision } = rig.server;
    const open = provision.createApp({ name: "open", fields: { note: { type: "SINGLE_LINE_TEXT" } } });
    const token = provision.createToken(open, ["view", "add"], "open");
    const match = { methods: ["POST" as const] };
    await rig.control.add({ id: "twice", match, when: { times: 2 }, effect: { kind: "duplicate" } });
    const auth = { "X-Cybozu-API-Token": token };
    const rows = async (app: string, headers?: Record<string, string>): Promise<unknown> =>
      (
        await rig.send(
          "GET",
          `/k/v1/records.json?app=${app}&query=limit%205&fields[0]=$id`,
          undefined,
          headers,
        )
      ).json.records;
    await rig.send("POST", "/k/v1/record.json", { app: open, record: { note: { value: "x" } } }, auth);
    expect((await rig.lastRequest("POST")).rules).toEqual(["twice"]);
    expect(await rows(open, auth)).toHaveLength(2);
    const keyedInsert = await rig.send("POST", "/k/v1/record.json", { app: rig.app, record: keyed("f8") });
    expect(keyedInsert.status).toBe(200);
    const { records } = await rig.client.record.getRecords({ app: rig.app, query: 'record_key = "f8"' });
    expect(records).toHaveLength(1);
  });

  it("F9 delays fixed, growing and by the seed, and says how long a request was held", async () => {
    const id = rig.insert("f9");
    await rig.control.add({ id: "late", match: PUT, effect: { kind: "delay", ms: 100, growMs: 50 } });
    for (const ms of [100, 150, 200]) {
      const answer = rig.putStatus(id);
      await rig.pausing(ms);
      expect(rig.passTime()).toEqual([ms]);
      expect((await answer).status).toBe(200);
    }
    const held = await rig.lastRequest();
    expect(held.rules).toEqual(["late"]);
    expect(held.heldMs).toBeGreaterThan(0);
  });

  it("F9 draws random delays from the seed: the same seed gives the same delays", async () => {
    const id = rig.insert("f9-random");
    const delays = async (seed: number): Promise<readonly number[]> => {
      const rule = { id: "random", match: PUT, effect: { kind: "delay", ms: 1, upToMs: 1_000_000 } } as const;
      await rig.control.add(rule, seed);
      const seen: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const answer = rig.putStatus(id);
        const before = seen.length;
        await expect.poll(() => seen.push(...rig.passTime()), { interval: 2 }).toBe(before + 1);
        await answer;
      }
      await rig.control.clear();
      return seen;
    };
    const first = await delays(7);
    expect(new Set(first).size).toBe(3);
    expect(await delays(7)).toEqual(first);
    expect(await delays(8)).not.toEqual(first);
  });

  it("F9 sends a body in pieces", async () => {
    const id = rig.insert("f9-slow");
    const effect = { kind: "slow-body", chunkBytes: 10, pauseMs: 77 } as const;
    await rig.control.add({ id: "slow", match: PUT, when: { times: 1 }, effect });
    const answer = rig.putStatus(id);
    await rig.pausing(77);
    expect(await rig.lastRequest()).toMatchObject({ delivery: "slow", rules: ["slow"] });
    rig.passTime();
    expect((await answer).json).toEqual({ revision: "2" });
  });
});

describe("blocks (kintone-rest §19, F4)", () => {
  it("resets writes of one app and lets reads through", async () => {
    const id = rig.insert("f4-writes");
    const effect = { kind: "block", how: "reset", calls: "writes" } as const;
    await rig.control.add({ id: "drain", match: { app: rig.app }, effect });
    for (let turn = 0; turn < 2; turn += 1) expect(await outcome(rig.putStatus(id))).toBe("ECONNRESET");
    expect(await rig.lastRequest()).toMatchObject({ status: null, delivery: "reset", rules: ["drain"] });
    expect((await rig.stored(id)).revision).toBe("1");
    await rig.control.clear("drain");
    expect((await rig.putStatus(id)).status).toBe(200);
  });

  it("swallows requests without a word until the client gives up", async () => {
    const effect = { kind: "block", how: "black-hole", calls: "reads" } as const;
    await rig.control.add({ id: "hole", match: { app: rig.app }, effect });
    const gone = new AbortController();
    const call = fetch(`${rig.baseUrl}/k/v1/records.json?app=${rig.app}`, {
      headers: { "X-Cybozu-API-Token": rig.token },
      signal: gone.signal,
    });
    const ended = expect(call).rejects.toThrow("given up");
    await expect
      .poll(async () => (await rig.control.rules()).map((rule) => rule.fired), { interval: 5 })
      .toEqual([1]);
    expect(await rig.lastRequest("GET")).toMatchObject({ delivery: "silent", status: null });
    gone.abort(new Error("given up"));
    await ended;
  });

  it("refuses connections on the port of one client, and serves the others", async () => {
    const port = await rig.control.openPort("poller-a");
    const read = (to: number): Promise<string | number> =>
      outcome(
        fetch(`http://localhost:${to}/k/v1/records.json?app=${rig.app}`, {
          headers: { "X-Cybozu-API-Token": rig.token, Connection: "close" },
        }),
      );
    expect(await read(port)).toBe(200);
    expect((await rig.lastRequest("GET")).client).toBe("poller-a");
    const effect = { kind: "block", how: "refuse" } as const;
    await rig.control.add({ id: "closed", match: { client: "poller-a" }, effect });
    expect(await read(port)).toBe("ECONNREFUSED");
    expect(await read(rig.port)).toBe(200);
    await rig.control.clear();
    expect(await read(port)).toBe(200);
  });
});
