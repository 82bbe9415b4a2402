import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createActionJournal } from "../../../main/console/acting/journal/index.ts";
import { createApprovers, openApproversFile } from "../../../main/console/acting/people/approvers.ts";
import { openRolesFile, sessionAccount } from "../../../main/console/roles.ts";

/** Roles of a data folder in which this session and one more account may approve. */
export async function appointApprovers(dataDir: string, more: string): Promise<void> {
  const file = {
    kind: "FLOWNET_ROLES",
    formatVersion: 1,
    otherAccounts: "view",
    accounts: [
      { account: sessionAccount(), mode: "approve" },
      { account: more, mode: "approve" },
    ],
  };
  await writeFile(join(dataDir, "roles.json"), JSON.stringify(file), { mode: 0o600 });
}

/** Sets the passphrase of an approver from a session of that approver's own account, which this host does not have. */
export async function registerAsOwner(dataDir: string, account: string, passphrase: string): Promise<void> {
  const approvers = createApprovers({
    file: openApproversFile(dataDir),
    roles: async () => (await openRolesFile(dataDir).read()).value,
    session: () => ({ account, mode: "approve", source: "roles" }),
    changed: async () => undefined,
    refused: () => undefined,
    nowMs: () => Date.now(),
  });
  const registered = await approvers.register(account, passphrase);
  if (!registered.ok) throw new Error(registered.error.message);
}

/** Leaves what an operator did alone on another night: a close without consent, written as a console writes it. */
export async function actedAlone(dataDir: string, operationId: string): Promise<void> {
  const journal = createActionJournal({
    folder: join(dataDir, "journal", "actions"),
    who: {
      account: "tanaka",
      requestedBy: "tanaka",
      servicePrincipal: "HOST-A",
      host: "HOST-A",
      version: "0.1.0",
      pid: 1,
    },
    nowMs: () => Date.parse("2026-09-05T18:12:00.000Z"),
  });
  await journal.append({
    step: "accepted",
    operationId,
    action: "close",
    operation: "CLOSE",
    subject: {
      profile: "local",
      networkId: "sales_import",
      businessKey: "2026-09-05",
      runId: "netrun_1",
      nodeId: null,
      requestId: null,
      jobKey: null,
    },
    arguments: {},
    seen: {},
    reason: "翌朝の締めに間に合わせるため、この期間は取りやめます。",
    evidence: [{ name: "引継ぎ.txt", sha256: "5f".repeat(32) }],
    fingerprint: "0123456789abcdef",
    planAgeMs: 4_000,
    probes: [],
    consent: { kind: "breakGlass", account: null },
    filed: null,
  });
  await journal.append({
    step: "ended",
    operationId,
    state: "done",
    code: "RUN_ARCHIVED",
    message: null,
    detail: {},
    probes: [],
    recovered: false,
  });
}
