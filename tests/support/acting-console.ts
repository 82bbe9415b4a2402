import { appendFile, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createApprovers, openApproversFile } from "../../main/console/acting/people/approvers.ts";
import type { OpenedWorkspace } from "../../main/console/index.ts";
import { openRolesFile, sessionAccount } from "../../main/console/roles.ts";
import type { Intent } from "../../shared/api/index.ts";
import { type EmbeddedConsole, openConsole, value } from "./console-fixture.ts";
import { KILLED_NETWORK, killRun } from "./killed-run.ts";

export const PASSPHRASE = "seven words that only suzuki knows";
const NETWORK = "gate_only";

/** A console whose operator has approvers, with Runs that failed, by their business key; `killed`: one whose owner died. */
export interface ActingConsole extends EmbeddedConsole {
  readonly runId: (key: string) => string;
  /** The lines of the action journal about an operation. */
  journalOf(operationId: string): Promise<readonly { readonly step: string; readonly operationId: string }[]>;
}

/** A network of one node that fails, of which many Runs may be open. */
async function failingNetwork({ networks, folders }: OpenedWorkspace): Promise<string> {
  const sample = networks.find(({ networkId }) => networkId === "failing_assert")?.definitionPath ?? "";
  const home = join(folders.root, NETWORK);
  const definitionPath = join(home, "network.yaml");
  await mkdir(home);
  await copyFile(join(dirname(sample), "jobs", "amount_gate.sql"), join(home, "gate.sql"));
  const lines = [
    "schema_version: 1",
    `network_id: ${NETWORK}`,
    "business_key_policy:",
    "  type: explicit",
    "max_active_runs: 9",
    "network_lock:",
    "  lease_duration_sec: 180",
    "  heartbeat_interval_sec: 60",
    "nodes:",
    "  - id: gate",
    "    job_id: amount_gate",
    "    sql: gate.sql",
    "    depends_on: []",
    "    trigger_rule: all_success",
    "    idempotent: true",
  ];
  await writeFile(definitionPath, `${lines.join("\n")}\n`);
  const entry = `  - network_id: ${NETWORK}\n    definition_path: ${JSON.stringify(definitionPath)}\n    app_start: true\n`;
  await appendFile(folders.allowListFile, entry);
  return definitionPath;
}

/** `failed`: a Run each; `killed`: also one whose owner was killed. */
export async function openActingConsole(options: {
  readonly failed: readonly string[];
  readonly killed: boolean;
}): Promise<ActingConsole> {
  const runs = new Map<string, string>();
  const opened = await openConsole({
    async prepare(workspace) {
      const { orchestrator, folders } = workspace;
      const definitionPath = await failingNetwork(workspace);
      for (const businessKey of options.failed) {
        const run = await orchestrator.runNetwork({ definitionPath, businessKey, requestedBy: "prepare" });
        runs.set(businessKey, run.runId ?? "");
      }
      if (options.killed) runs.set("killed", await killedRun(workspace));
      await appointPeople(folders.root);
    },
  });
  value(await opened.api.runs.refresh({}));
  return {
    ...opened,
    runId: (key) => runs.get(key) ?? "",
    journalOf: (operationId) => linesOf(opened.dataDir, operationId),
  };
}

async function killedRun({ folders, reads }: OpenedWorkspace): Promise<string> {
  await killRun(folders.root, "killed");
  return (await reads.listAllRuns()).find(({ networkId }) => networkId === KILLED_NETWORK)?.runId ?? "";
}

async function appointPeople(folder: string): Promise<void> {
  const roles = {
    kind: "FLOWNET_ROLES",
    formatVersion: 1,
    otherAccounts: "view",
    accounts: [
      { account: sessionAccount(), mode: "operate" },
      { account: "suzuki", mode: "approve" },
      { account: "bob", mode: "approve" },
    ],
  };
  await writeFile(join(folder, "roles.json"), JSON.stringify(roles));
  await registerPassphrase(folder, "suzuki", "suzuki");
  // As an approver, or an operator before there were any, could: for an account nobody else has to have.
  await registerPassphrase(folder, sessionAccount(), "bob");
}

/** Registers {@link PASSPHRASE} from a session of `setBy`. */
export async function registerPassphrase(folder: string, setBy: string, account: string): Promise<void> {
  const approvers = createApprovers({
    file: openApproversFile(folder),
    roles: async () => (await openRolesFile(folder).read()).value,
    session: () => ({ account: setBy, mode: "approve", source: "roles" }),
    changed: async () => undefined,
    refused: () => undefined,
    nowMs: () => Date.now(),
  });
  value(await approvers.register(account, PASSPHRASE));
}

interface Line {
  readonly step: string;
  readonly operationId: string;
}

async function linesOf(dataDir: string, operationId: string): Promise<readonly Line[]> {
  const month = `actions-${new Date().toISOString().slice(0, 7)}.jsonl`;
  const text = await readFile(join(dataDir, "journal", "actions", month), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.operationId === operationId);
}

export const closeOf = (runId: string, reason = "not needed any more"): Intent => ({
  kind: "close",
  runId,
  reason,
});
