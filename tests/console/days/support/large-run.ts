import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { prepareDataDir } from "../../../../main/console/data-dir.ts";
import { prepareEmbedded } from "../../../../main/console/embedded.ts";
import { ensureLocalKintone } from "../../../../main/local-kintone/index.ts";
import { startFlownet } from "../../../support/flownet-command.ts";

/** Starting a thousand nodes with the built-in runner would take most of an hour. */
const SHELL_RUNNER = join(import.meta.dirname, "instant-runner.sh");
/** Windows has no shell for that one; this one is slower. */
const NODE_RUNNER = join(import.meta.dirname, "..", "..", "..", "bench", "instant-runner.ts");

interface LargeRun {
  readonly dataDir: string;
  readonly definition: string;
  readonly businessKey: string;
  /** Kills the process once this many children were started; to the end without. */
  readonly killAfter?: number;
}

/**
 * Makes a Run of a large network in the embedded workspace of a data folder, from the real command line, with a runner
 * that ends at once in place of the built-in one. Everything else is the product: orchestrator, lock, records, journal.
 */
export async function makeLargeRun({ dataDir, definition, businessKey, killAfter }: LargeRun): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "flownet-large-"));
  const prepared = await prepareDataDir(dataDir);
  const signal = new AbortController().signal;
  const server = await ensureLocalKintone({ dataDir, execPath: process.execPath, signal });
  try {
    const embedded = await prepareEmbedded(prepared, server);
    const args = ["run-network", definition, "--business-key", businessKey, "--data-dir", dataDir];
    const command = startFlownet(args, environment(embedded, join(folder, "lives.jsonl")));
    if (killAfter !== undefined) {
      await untilSpawned(dataDir, killAfter, AbortSignal.timeout(300_000));
      command.child.kill("SIGKILL");
    }
    const { exitCode, stdout, stderr } = await command.ended;
    if (killAfter === undefined && exitCode !== 0) throw new Error(`no large Run:\n${stdout}\n${stderr}`);
  } finally {
    await server.release();
    await rm(folder, { recursive: true, force: true });
  }
}

type Embedded = Awaited<ReturnType<typeof prepareEmbedded>>;

function environment({ connection, runnerTokens }: Embedded, lives: string): Record<string, string> {
  const access = (name: string, app: { readonly appId: number; readonly token: string }) => ({
    [`${name}_APP_ID`]: String(app.appId),
    [`${name}_API_TOKEN`]: app.token,
  });
  const runner =
    process.platform === "win32"
      ? [process.execPath, NODE_RUNNER, lives]
      : ["/bin/sh", SHELL_RUNNER, connection.baseUrl];
  return {
    ...runnerTokens,
    KSQL_FLOWNET_PROFILE: connection.profile,
    KSQL_FLOWNET_BASE_URL: connection.baseUrl,
    ...access("KSQL_FLOWNET_STATE", connection.state),
    ...access("KSQL_FLOWNET_AUDIT", connection.audit),
    ...access("KSQL_FLOW_LOG", connection.jobLog),
    KSQL_FLOW_BIN: runner[0] ?? "",
    KSQL_FLOW_BIN_ARGS: JSON.stringify(runner.slice(1)),
    KSQL_FLOW_CONFIG: connection.runner.configPath,
    KSQL_FLOW_WORKDIR: connection.runner.workDir,
  };
}

/** Waits until the journals of the data folder say that `count` children were started since now. */
async function untilSpawned(dataDir: string, count: number, signal: AbortSignal): Promise<void> {
  const folder = join(dataDir, "journal");
  const spawned = async (): Promise<number> => {
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    return texts.join("").split('"event":"spawned"').length - 1;
  };
  const before = await spawned();
  while ((await spawned()) < before + count) await after(50, undefined, { signal });
}
