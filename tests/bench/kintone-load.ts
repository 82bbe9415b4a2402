/** Load generator, a process of its own so that server and clients do not share one core. Prints one JSON line. */
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
  read: (i) => call("GET", query(`key in ("K${(i * 7919) % count}")`)),
  page: (i) => call("GET", query(`$id > ${(i * 500) % Math.max(1, count - 500)} order by $id asc limit 500`)),
};
const job = jobs[kind];
if (job === undefined) throw new Error(`unknown load ${kind}`);

let next = 0;
const work = kind === "page" ? Math.min(count, 400) : count;
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: lanes }, async () => {
    for (let i = next++; i < work; i = next++) await job(i);
  }),
);
console.log(
  JSON.stringify({
    requests: work,
    ms: performance.now() - startedAt,
    cpuMs: process.cpuUsage().user / 1000,
  }),
);
agent.destroy();
