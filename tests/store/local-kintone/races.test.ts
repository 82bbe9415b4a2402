import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

const CLIENTS = 100;
let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

const all = (send: (client: number) => Promise<RawAnswer>): Promise<RawAnswer[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, client) => send(client)));

/** Every answer by status and code. */
function tally(answers: readonly RawAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const name = `${status} ${typeof json.code === "string" ? json.code : "ok"}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe(`${CLIENTS} clients at once`, () => {
  it("on one unique key: one record, every other told which field is taken (kintone-rest §3, §8)", async () => {
    for (let round = 0; round < 5; round += 1) {
      const record = (client: number): unknown => keyed(`LOCK:${round}`, { run_id: { value: `${client}` } });
      const answers = await all((client) =>
        rig.send("POST", "/k/v1/record.json", { app: rig.app, record: record(client) }),
      );
      expect(tally(answers)).toEqual({ "200 ok": 1, "400 CB_VA01": CLIENTS - 1 });
      const refused = answers.filter(({ status }) => status === 400);
      for (const { json } of refused) expect(json.errors).toHaveProperty(["record.record_key.value"]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const { records } = await rig.client.record.getRecords({
        app: rig.app,
        query: `record_key in ("LOCK:${round}")`,
      });
      expect(records.map((each) => each.run_id?.value)).toEqual([`${winner}`]);
    }
  });

  it("on one unique key in batches: one batch whole, of the others nothing (kintone-rest §6)", async () => {
    const batch = (client: number): unknown => [keyed(`own ${client}`), keyed("shared")];
    const answers = await all((client) =>
      rig.send("POST", "/k/v1/records.json", { app: rig.app, records: batch(client) }),
    );
    expect(tally(answers)).toEqual({ "200 ok": 1, "400 CB_VA01": CLIENTS - 1 });
    const { records } = await rig.client.record.getRecords({ app: rig.app });
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(records.map((each) => each.record_key?.value).sort()).toEqual([`own ${winner}`, "shared"]);
  });

  it("on one revision: one write, every other told it is stale (kintone-rest §7)", async () => {
    await rig.client.record.addRecord({ app: rig.app, record: keyed("one") });
    for (let revision = 1; revision <= 5; revision += 1) {
      const answers = await all((client) =>
        rig.send("PUT", "/k/v1/record.json", {
          app: rig.app,
          updateKey: { field: "record_key", value: "one" },
          revision,
          record: { run_id: { value: `${revision} ${client}` } },
        }),
      );
      expect(tally(answers)).toEqual({ "200 ok": 1, "409 GAIA_CO02": CLIENTS - 1 });
      const winner = answers.findIndex(({ status }) => status === 200);
      const { record } = await rig.client.record.getRecord({ app: rig.app, id: 1 });
      expect([record.$revision?.value, record.run_id?.value]).toEqual([
        `${revision + 1}`,
        `${revision} ${winner}`,
      ]);
    }
  });
});
