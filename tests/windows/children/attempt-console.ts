/** A console in small that starts one attempt through `main/attempt`, says who its child is and lives until killed. */
import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAttempts, createJournal, readHostFacts } from "../../../main/attempt/index.ts";
import { createProcessManager, systemBootId } from "../../../main/process/index.ts";

const [, , folder = "", attemptId = ""] = process.argv;
const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const journal = createJournal({
  folder: join(folder, "journal"),
  hostFacts: readHostFacts(systemBootId),
  clock,
  ids: { uuid: randomUUID },
});
const attempts = createAttempts({
  runnerConfig: {
    command: process.execPath,
    leadingArgs: [
      ...process.execArgv,
      fileURLToPath(new URL("./behave.ts", import.meta.url)),
      "stubborn",
      join(folder, "ready"),
    ],
    configPath: join(folder, "ksql.config.json"),
    profile: "p",
    workDir: join(folder, "work"),
    env: {},
    graceMs: 1_000,
    controlPipe: true,
  },
  processes: createProcessManager(),
  journal,
  jobLog: { findJobLog: async () => ({ kind: "none" }) },
  clock,
});
const prepared = await attempts.prepare({
  runId: "run-1",
  nodeId: "n",
  jobId: "j",
  attemptId,
  attemptNo: 1,
  sqlPath: join(folder, "a.sql"),
  asOf: "2026-08-01T00:00:00Z",
  batchTimeoutSec: null,
});
if (!prepared.ok) throw new Error(prepared.error.message);
setInterval(() => undefined, 60_000);
const { identity } = await attempts.spawn(prepared.value);
writeFileSync(join(folder, "reached.new"), JSON.stringify(identity));
renameSync(join(folder, "reached.new"), join(folder, "reached"));
