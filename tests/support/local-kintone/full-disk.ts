import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  checkStore,
  createLocalKintone,
  type FieldInputs,
  type LocalKintone,
} from "../../../main/local-kintone/index.ts";
import { seededRandom } from "../seeded.ts";

const FIELDS: FieldInputs = {
  key: { type: "SINGLE_LINE_TEXT", unique: true, required: true },
  note: { type: "MULTI_LINE_TEXT" },
};

export interface FullDiskReport {
  readonly acknowledged: number;
  /** Writes refused for want of space. */
  readonly refused: number;
  readonly wrongs: readonly string[];
}

/**
 * Fills a store up to a page limit that is hit at another place with every seed, goes on writing against the full
 * disk, opens it anew without the limit, and compares what is stored with what was acknowledged.
 */
export async function fillTheDisk(folder: string, seed: number): Promise<FullDiskReport> {
  const random = seededRandom(seed);
  const databasePath = join(folder, `${seed}.sqlite`);
  const open = (maxPageCount?: number): LocalKintone =>
    createLocalKintone({
      databasePath,
      clock: { now: () => Date.now() },
      ids: { random: (bytes) => randomBytes(bytes) },
      synchronous: "NORMAL",
      ...(maxPageCount === undefined ? {} : { maxPageCount }),
    });
  const stored = new Map<string, string>();
  const wrongs: string[] = [];
  let refused = 0;
  const first = open();
  const app = first.provision.createApp({ name: "状態", code: "D", fields: FIELDS });
  const token = first.provision.createToken(app, ["view", "add", "edit", "delete"], "load");
  await first.dispose();

  async function send(server: LocalKintone, method: string, name: string, body: unknown): Promise<boolean> {
    const headers = { host: "localhost", "x-cybozu-api-token": token, "accept-language": "en" };
    const answer = await server.handle({
      method,
      target: `/k/v1/${name}`,
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status === 200) return true;
    refused += 1;
    if (answer.status !== 500 || !String(answer.body).includes('"LOCAL_DISK_FULL"')) {
      wrongs.push(`${method} ${name} answered ${answer.status} ${String(answer.body)}`);
    }
    return false;
  }

  const full = open(70 + Math.floor(random() * 60));
  for (let step = 0; refused < 30 && step < 4_000; step += 1) {
    const note = "x".repeat(Math.floor(random() * 3_000));
    const keys = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) => `${step}-${at}`);
    const pick = random();
    const [known] = [...stored.keys()].slice(-1);
    if (pick < 0.3 && known !== undefined) {
      const change = { app, updateKey: { field: "key", value: known }, record: { note: { value: note } } };
      if (await send(full, "PUT", "record.json", change)) stored.set(known, note);
    } else {
      const records = keys.map((key) => ({ key: { value: key }, note: { value: note } }));
      if (await send(full, "POST", "records.json", { app, records }))
        for (const key of keys) stored.set(key, note);
    }
  }
  await full.dispose();

  for (const { rule, text } of checkStore(databasePath).findings) wrongs.push(`[${rule}] ${text}`);
  const again = open();
  const headers = { host: "localhost", "x-cybozu-api-token": token };
  const found = new Map<string, string>();
  for (let last = 0; ; ) {
    const query = encodeURIComponent(`$id > ${last} order by $id asc limit 500`);
    const answer = await again.handle({
      method: "GET",
      target: `/k/v1/records.json?app=${app}&query=${query}`,
      headers,
    });
    const { records } = JSON.parse(Buffer.from(answer.body).toString("utf8")) as {
      records: Record<string, { value: string }>[];
    };
    for (const record of records) found.set(record.key?.value ?? "", record.note?.value ?? "");
    last = Number(records.at(-1)?.$id?.value ?? 0);
    if (records.length < 500) break;
  }
  for (const [key, note] of stored) if (found.get(key) !== note) wrongs.push(`${key} was lost`);
  if (found.size !== stored.size) wrongs.push(`${found.size} stored, ${stored.size} acknowledged`);
  if (!(await send(again, "POST", "record.json", { app, record: { key: { value: "after" } } }))) {
    wrongs.push("it takes nothing with space again");
  }
  await again.dispose();
  return { acknowledged: stored.size, refused, wrongs };
}
