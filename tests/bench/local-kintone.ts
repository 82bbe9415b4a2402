import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createLocalKintone } from "../../main/local-kintone/index.ts";
import { benchMillion } from "./local-kintone-million.ts";
import { perSecond, printTable } from "./machine.ts";

const RECORDS = 20_000;
const LANES = 16;
const LOAD = path.join(import.meta.dirname, "kintone-load.ts");

interface Load {
  readonly requests: number;
  readonly ms: number;
  readonly cpuMs: number;
}

async function load(baseUrl: string, app: string, token: string, kind: string): Promise<Load> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    LOAD,
    baseUrl,
    app,
    token,
    kind,
    String(RECORDS),
    String(LANES),
  ]);
  return JSON.parse(stdout) as Load;
}

/** Inserts, keyed reads and 500-record pages per second over HTTP, with both durabilities beside each other. */
export async function benchLocalKintone(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const synchronous of ["NORMAL", "FULL"] as const) {
    const folder = await mkdtemp(path.join(os.tmpdir(), "bench-kintone-"));
    const server = createLocalKintone({
      databasePath: path.join(folder, "kintone.sqlite"),
      clock: { now: () => Date.now() },
      ids: { random: (bytes) => randomBytes(bytes) },
      synchronous,
    });
    try {
      const app = server.provision.createApp({
        code: "BENCH",
        name: "bench",
        fields: {
          key: { type: "SINGLE_LINE_TEXT", code: "key", label: "key", unique: true },
          amount: { type: "NUMBER", code: "amount", label: "amount" },
          note: { type: "MULTI_LINE_TEXT", code: "note", label: "note" },
        },
      });
      const token = server.provision.createToken(app, ["view", "add"], "bench");
      const { port } = await server.listen({ port: 0 });
      for (const kind of ["insert", "read", "page"]) {
        const before = process.cpuUsage();
        const { requests, ms, cpuMs } = await load(`http://localhost:${port}`, app, token, kind);
        const used = process.cpuUsage(before);
        rows.push({
          load: kind,
          synchronous,
          requests,
          "per second": perSecond(requests, ms),
          "server CPU %": Math.round((used.user + used.system) / 10 / ms),
          "client CPU %": Math.round((cpuMs * 100) / ms),
        });
      }
    } finally {
      await server.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  }
  printTable(
    `local kintone over HTTP, ${LANES} connections, ${RECORDS} records (100 % = one core; what is near 100 bounds it)`,
    rows,
  );
  await benchMillion();
}
