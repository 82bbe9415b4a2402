/** Load generator, a process of its own so that server and clients do not share one core. Prints one JSON line. */
import { randomUUID } from "node:crypto";
import http from "node:http";

const [, , baseUrl = "", app = "", token = "", kind = "", countText = "0", lanesText = "1"] = process.argv;
const count = Number(countText);
const lanes = Number(lanesText);
const agent = new http.Agent({ keepAlive: true, maxSockets: lanes });

function call(method: string, path: string, body?: unknown): Promise<number> {
  const payload = body === undefined ? null : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${baseUrl}${path}`,
      {
        method,
        agent,
        headers: {
          "X-Cybozu-API-Token": token,
          ...(payload === null
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
        },
      },
      (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on("end", () =>
          response.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`${path} answered ${response.statusCode}`)),
        );
      },
    );
    request.on("error", reject);
    request.end(payload);
  });
}

const query = (text: string): string => `/k/v1/records.json?app=${app}&query=${encodeURIComponent(text)}`;
const jobs: Readonly<Record<string, (i: number) => Promise<number>>> = {
  insert: (i) =>
    call("POST", "/k/v1/record.json", {
      app,
      record: { key: { value: `K${i}` }, amount: { value: i }, note: { value: `note ${i}` } },
    }),
  // Keys in no order, new in every run.
  "insert-unordered": (i) =>
    call("POST", "/k/v1/record.json", {
      app,
      record: { key: { value: randomUUID() }, amount: { value: i }, note: { value: `note ${i}` } },
    }),
  walk: (i) => call("GET", query(`$id > ${i * PAGE} order by $id asc limit ${PAGE}`)),
  read: (i) => call("GET", query(`key in ("K${(i * 7919) % count}")`)),
  page: (i) => call("GET", query(`$id > ${(i * 500) % Math.max(1, count - 500)} order by $id asc limit 500`)),
};
/** Pages in the order of `$id`, as a client walks through a whole app. */
const PAGE = 500;
const job = jobs[kind];
if (job === undefined) throw new Error(`unknown load ${kind}`);

let next = 0;
const work = workOf();
function workOf(): number {
  if (kind === "walk") return count / PAGE;
  return kind === "page" ? Math.min(count, 400) : count;
}

const times: number[] = [];
async function timed(i: number): Promise<void> {
  const from = performance.now();
  await job?.(i);
  times.push(performance.now() - from);
}
// The program is made quick first; then the first pages of the walk are as cold as all that follow.
if (kind === "walk") {
  for (let i = 0; i < 200; i += 1) await timed(0);
  times.length = 0;
}
const FIRST_PAGES = 50;
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const startedAt = performance.now();
await Promise.all(
  Array.from({ length: lanes }, async () => {
    for (let i = next++; i < work; i = next++) await timed(i);
  }),
);
const ms = performance.now() - startedAt;
const firstMs = median(times.slice(1, 1 + FIRST_PAGES));
times.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    requests: work,
    ms,
    cpuMs: process.cpuUsage().user / 1000,
    firstMs,
    p95Ms: times[Math.floor(times.length * 0.95)] ?? 0,
    maxMs: times.at(-1) ?? 0,
  }),
);
agent.destroy();
