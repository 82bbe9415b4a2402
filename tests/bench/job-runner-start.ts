import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..", "..");
const BUNDLE = join(root, "build", "job-runner", "index.js");
const SOURCE = join(root, "main", "job-runner", "index.ts");
const STARTS = 10;

function bundle(): void {
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const args = [vite, "build", "--logLevel", "warn", "-c", "vite.runner.config.ts"];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the job runner could not be bundled");
}

/** A kintone that only notes when it is first asked; its refusal ends the run. */
async function firstRequests() {
  let arrived: () => void = () => undefined;
  const server = createServer((_message, to) => {
    arrived();
    to.writeHead(403, { "content-type": "application/json" });
    to.end(JSON.stringify({ code: "GAIA_NO01", id: "bench", message: "no" }));
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  return {
    port: address.port,
    next: () =>
      new Promise<number>((done) => {
        arrived = () => done(performance.now());
      }),
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

function prepare(folder: string, port: number): readonly string[] {
  const sql = join(folder, "job.sql");
  const config = join(folder, "ksql.config.json");
  writeFileSync(sql, "SELECT COUNT(*) FROM LAPP_a;");
  const apps = { a: { id: 1, tokens: ["token-of-a"] }, log: { id: 2, tokens: ["token-of-log"] } };
  const profile = { baseUrl: `http://localhost:${port}`, apps, logApp: "log" };
  writeFileSync(config, JSON.stringify({ defaultProfile: "p", profiles: { p: profile } }));
  return ["run", "-f", sql, "--config", config, "--lock", "local-only"];
}

/** Milliseconds from the start of a runner process to its first request at kintone; issue bound 250. */
export async function benchJobRunnerStart(): Promise<void> {
  bundle();
  const folder = mkdtempSync(join(tmpdir(), "flownet-bench-start-"));
  const kintone = await firstRequests();
  try {
    const args = prepare(folder, kintone.port);
    for (const [what, entry] of [["bundled", BUNDLE] as const, ["from source", SOURCE] as const]) {
      const times: number[] = [];
      for (let start = 0; start < STARTS; start += 1) {
        const first = kintone.next();
        const from = performance.now();
        const child = spawn(process.execPath, [entry, ...args], { cwd: folder, stdio: "ignore" });
        times.push((await first) - from);
        await once(child, "exit");
      }
      times.sort((a, b) => a - b);
      const [median = 0, slowest = 0] = [times[Math.floor(STARTS / 2)], times.at(-1)];
      const line = `${median.toFixed(0)} ms (slowest of ${STARTS}: ${slowest.toFixed(0)} ms)`;
      console.log(`job-runner start to first request, ${what}: ${line}`);
    }
  } finally {
    await kintone.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
