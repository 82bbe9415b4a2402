/** A console in small: does one thing with a child through the process manager, says so, and lives until it is killed. */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createProcessManager } from "../../../main/process/index.ts";

const [, , stage = "", folder = "", attemptId = ""] = process.argv;
const behave = fileURLToPath(new URL("./behave.ts", import.meta.url));
const manager = createProcessManager();

function say(name: string, value: unknown): void {
  writeFileSync(join(folder, `${name}.new`), JSON.stringify(value));
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

const startJob = async (args: readonly string[]) => {
  const outcome = await manager.start({
    command: process.execPath,
    args: [...process.execArgv, behave, ...args],
    cwd: folder,
    env: { FLOWNET_ATTEMPT_ID: attemptId },
    stdoutPath: join(folder, "job.out"),
    stderrPath: join(folder, "job.err"),
    controlPipe: false,
  });
  if (outcome.kind !== "started") throw new Error(outcome.message);
  return outcome.child;
};

setInterval(() => undefined, 60_000);
switch (stage) {
  case "before":
    say("reached", null);
    break;
  case "started": {
    const child = await startJob(["family", join(folder, "grandchild")]);
    say("reached", child.identity);
    break;
  }
  case "output": {
    const child = await startJob(["flood-and-tell", String(16 * 1024 * 1024), join(folder, "under-way")]);
    say("reached", child.identity);
    break;
  }
  case "stopping": {
    const child = await startJob(["stubborn", join(folder, "grandchild")]);
    while (!existsSync(join(folder, "grandchild"))) await delay(20);
    void child.stop({ graceMs: 600_000 });
    say("reached", child.identity);
    break;
  }
  case "worker":
    void manager.runCommand(
      {
        command: process.execPath,
        args: [...process.execArgv, behave, "family", join(folder, "grandchild")],
        cwd: folder,
        env: { ...process.env, FLOWNET_ATTEMPT_ID: attemptId } as Record<string, string>,
      },
      { timeoutMs: 600_000, maxOutputBytes: 1_000 },
    );
    say("reached", null);
    break;
}
