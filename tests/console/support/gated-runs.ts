import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { flownet as command } from "../../support/flownet-command.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "failing-assert");

export interface GatedNetwork {
  readonly networkId: string;
  readonly definition: string;
}

/** Copies of the sample whose gate does not open, each under its own id: an unfinished Run keeps others of its network out. */
export async function writeGated(
  home: string,
  networkIds: readonly string[],
): Promise<readonly GatedNetwork[]> {
  return Promise.all(
    networkIds.map(async (networkId) => {
      const folder = join(home, networkId);
      await cp(EXAMPLE, folder, { recursive: true });
      const definition = join(folder, "network.yaml");
      const text = await readFile(definition, "utf8");
      await writeFile(definition, text.replace("network_id: failing_assert", `network_id: ${networkId}`));
      return { networkId, definition };
    }),
  );
}

/** Lets a console act on these networks; the samples are added by the product. */
export async function allowGated(dataDir: string, networks: readonly GatedNetwork[]): Promise<void> {
  const entries = networks.map(
    ({ networkId, definition }) =>
      `  - network_id: ${networkId}\n    definition_path: ${JSON.stringify(definition)}\n    app_start: true\n`,
  );
  await writeFile(join(dataDir, "networks.yaml"), `networks:\n${entries.join("")}`, { mode: 0o600 });
}

/** Makes a Run from the command line, whatever becomes of it. */
export async function makeGatedRun(
  dataDir: string,
  definition: string,
  businessKey: string,
): Promise<string> {
  const { stdout, stderr } = await command([
    "run-network",
    definition,
    "--business-key",
    businessKey,
    "--data-dir",
    dataDir,
  ]);
  const runId = /netrun_[\w-]+/.exec(stdout)?.[0];
  if (runId === undefined) throw new Error(`no Run was made:\n${stdout}\n${stderr}`);
  return runId;
}

/** Takes the cause of the failures away, as somebody at the business app would: the lost deals are won after all. */
export async function openGate(dataDir: string): Promise<void> {
  const home = join(dataDir, "repair");
  await mkdir(home, { recursive: true });
  const header = "-- @ksql name: repair\n-- @ksql dialect: 1\n-- @ksql timeout: 60\n";
  await writeFile(
    join(home, "repair.sql"),
    `${header}UPDATE LAPP_案件 SET 状態 = '受注' WHERE 状態 = '失注';\n`,
  );
  const lines = [
    "schema_version: 1",
    "network_id: repair",
    "business_key_policy:",
    "  type: explicit",
    "network_lock:",
    "  lease_duration_sec: 60",
    "  heartbeat_interval_sec: 20",
    "nodes:",
    "  - id: repair",
    "    job_id: repair",
    "    sql: repair.sql",
    "    depends_on: []",
    "    trigger_rule: all_success",
    "    idempotent: true",
  ];
  const definition = join(home, "network.yaml");
  await writeFile(definition, `${lines.join("\n")}\n`);
  const { stdout, stderr, exitCode } = await command([
    "run-network",
    definition,
    "--business-key",
    "repair@1",
    "--data-dir",
    dataDir,
  ]);
  if (exitCode !== 0) throw new Error(`not repaired:\n${stdout}\n${stderr}`);
}
