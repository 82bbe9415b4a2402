import { Buffer } from "node:buffer";
import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import {
  checkStore,
  type EnsuredKintone,
  ensureLocalKintone,
  kintonePaths,
} from "../../../main/local-kintone/index.ts";
import { seededRandom } from "../seeded.ts";

const LANES = 8;
const FIELDS = {
  key: { type: "SINGLE_LINE_TEXT", unique: true, required: true },
  n: { type: "NUMBER" },
  lane: { type: "SINGLE_LINE_TEXT" },
  file: { type: "FILE" },
} as const;

/** What may be stored under a key: the last acknowledged state, and what a request that was never answered wanted. */
type Possible = readonly (number | "absent")[];

export interface KillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Writes whose answer the kill took. */
  readonly unanswered: number;
  /** In words; empty when nothing was lost and nothing is damaged. */
  readonly wrongs: readonly string[];
}

interface Target {
  readonly client: KintoneRestAPIClient;
  readonly app: string;
}

interface Ledger {
  readonly possible: Map<string, Possible>;
  readonly files: Map<string, string>;
  /** Keys that were written by one request: all of them or none. */
  readonly together: string[][];
  acknowledged: number;
  unanswered: number;
}

async function targetOf(server: EnsuredKintone): Promise<Target> {
  const apps = await server.provisioner.createApps([{ name: "状態", code: "K", fields: FIELDS }]);
  const app = apps.get("K") ?? "";
  const [apiToken = ""] = await server.provisioner.createTokens([
    { appId: app, label: "load", rights: ["view", "add", "edit", "delete"] },
  ]);
  return {
    app,
    client: new KintoneRestAPIClient({ baseUrl: server.baseUrl, auth: { apiToken }, proxy: false }),
  };
}

/** Tells the ledger what is possible before the request goes out, and what is certain once it was answered. */
async function write<T>(
  ledger: Ledger,
  wanted: ReadonlyMap<string, number | "absent">,
  send: () => Promise<T>,
): Promise<T> {
  const before = new Map(Array.from(wanted.keys(), (key) => [key, ledger.possible.get(key) ?? ["absent"]]));
  for (const [key, state] of wanted) {
    ledger.possible.set(key, [...(before.get(key) ?? []), state] as Possible);
  }
  ledger.unanswered += 1;
  const answer = await send();
  ledger.unanswered -= 1;
  ledger.acknowledged += 1;
  for (const [key, state] of wanted) ledger.possible.set(key, [state]);
  return answer;
}

/** One lane of one round: inserts, updates under a revision, batches, attachments, deletes, until the server is gone. */
async function lane(
  { client, app }: Target,
  name: string,
  ledger: Ledger,
  random: () => number,
): Promise<void> {
  for (let step = 0; ; step += 1) {
    const key = `${name}-${step}`;
    const pick = random();
    if (pick < 0.2) {
      const keys = Array.from({ length: 5 }, (_, at) => `${key}-${at}`);
      ledger.together.push(keys);
      const records = keys.map((each) => ({ key: { value: each }, n: { value: 0 }, lane: { value: name } }));
      await write(ledger, new Map(keys.map((each) => [each, 0])), () =>
        client.record.addRecords({ app, records }),
      );
      continue;
    }
    const text = `${key} ${pick}`;
    const file =
      pick < 0.4 ? await client.file.uploadFile({ file: { name: "f", data: Buffer.from(text) } }) : null;
    if (file !== null) ledger.files.set(key, Buffer.from(text).toString("hex"));
    const attached = file === null ? {} : { file: { value: [{ fileKey: file.fileKey }] } };
    const record = { key: { value: key }, n: { value: 0 }, lane: { value: name }, ...attached };
    const made = await write(ledger, new Map([[key, 0]]), () => client.record.addRecord({ app, record }));
    const updates = Math.floor(random() * 3);
    for (let n = 1; n <= updates; n += 1) {
      await write(ledger, new Map([[key, n]]), () =>
        client.record.updateRecord({
          app,
          updateKey: { field: "key", value: key },
          revision: n,
          record: { n: { value: n } },
        }),
      );
    }
    if (pick > 0.9) {
      await write(ledger, new Map([[key, "absent"]]), () =>
        client.record.deleteRecords({ app, ids: [made.id] }),
      );
    }
  }
}

/** The server is killed once this round has this many answers: at whatever it is doing then. */
async function round(target: Target, pid: number, ledger: Ledger, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const until = ledger.acknowledged + 10 + Math.floor(random() * 120);
  let alive = true;
  const lanes = Array.from({ length: LANES }, (_, at) =>
    lane(target, `r${seed}-${at}`, ledger, random).catch((error: unknown) => {
      if (alive) throw error;
    }),
  );
  const killer = (async () => {
    while (ledger.acknowledged < until) await new Promise(setImmediate);
    alive = false;
    process.kill(pid, "SIGKILL");
  })();
  await Promise.all([killer, ...lanes]);
}

async function verify({ client, app }: Target, ledger: Ledger): Promise<string[]> {
  const wrongs: string[] = [];
  const stored = new Map<string, { n: number; revision: number; fileKey: string | null }>();
  for (const record of await client.record.getAllRecordsWithId({ app })) {
    const file = record.file?.type === "FILE" ? record.file.value[0] : undefined;
    stored.set(String(record.key?.value), {
      n: Number(record.n?.value),
      revision: Number(record.$revision?.value),
      fileKey: file?.fileKey ?? null,
    });
  }
  for (const [key, possible] of ledger.possible) {
    const found = stored.get(key);
    if (!possible.includes(found?.n ?? "absent")) {
      wrongs.push(`${key}: stored ${found?.n ?? "absent"}, possible ${possible.join(" or ")}`);
    }
    if (found !== undefined && found.revision !== found.n + 1)
      wrongs.push(`${key}: revision ${found.revision}`);
  }
  for (const key of stored.keys()) if (!ledger.possible.has(key)) wrongs.push(`${key}: nobody wrote it`);
  for (const keys of ledger.together) {
    const there = keys.filter((key) => stored.has(key)).length;
    if (there !== 0 && there !== keys.length)
      wrongs.push(`${keys[0]}: ${there} of ${keys.length} of a batch`);
  }
  for (const [key, content] of ledger.files) {
    const fileKey = stored.get(key)?.fileKey;
    if (stored.has(key) === false || fileKey === undefined) continue;
    if (fileKey === null) wrongs.push(`${key}: its attachment is gone`);
    else {
      const bytes = Buffer.from(await client.file.downloadFile({ fileKey })).toString("hex");
      if (bytes !== content) wrongs.push(`${key}: its attachment is another`);
    }
  }
  return wrongs;
}

/**
 * Kills a server of its own process again and again while eight clients write, and compares at the end what is stored
 * with what was acknowledged (kintone-rest F29). After every kill the file itself is checked.
 */
export async function killUnderLoad(options: {
  readonly dataDir: string;
  readonly seed: number;
  readonly rounds: number;
  readonly signal: AbortSignal;
}): Promise<KillReport> {
  const { dataDir, seed, rounds, signal } = options;
  const ledger: Ledger = {
    possible: new Map(),
    files: new Map(),
    together: [],
    acknowledged: 0,
    unanswered: 0,
  };
  const wrongs: string[] = [];
  const start = (at: number): Promise<EnsuredKintone> =>
    ensureLocalKintone({
      dataDir,
      execPath: process.execPath,
      signal,
      extraArguments: ["--synchronous", at % 2 === 0 ? "FULL" : "NORMAL"],
    });
  for (let at = 0; at < rounds; at += 1) {
    const server = await start(at);
    await round(await targetOf(server), server.pid, ledger, seed + at);
    for (const { rule, text } of checkStore(kintonePaths(dataDir).database).findings) {
      wrongs.push(`round ${at}: [${rule}] ${text}`);
    }
  }
  const server = await start(rounds);
  try {
    wrongs.push(...(await verify(await targetOf(server), ledger)));
  } finally {
    await server.provisioner.stop();
    await server.release();
  }
  return { rounds, acknowledged: ledger.acknowledged, unanswered: ledger.unanswered, wrongs };
}
