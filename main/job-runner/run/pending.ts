import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { WireRecord } from "../../../shared/records/index.ts";
import { isRecordGone, isStaleRevision } from "../../kintone-client/index.ts";
import { codeOf } from "../config.ts";
import type { EventLog } from "./event-log.ts";
import type { LogRecords } from "./log-record.ts";
import type { Mask } from "./masking.ts";

/**
 * A final update kintone did not take (execution-contract §10). App, profile and revision stand beside the
 * record id, so that it is resent only where it belongs and never over a newer state (W11, kintone-rest W8).
 */
const pendingSchema = z.object({
  op: z.literal("update"),
  profile: z.string(),
  appId: z.int(),
  recordId: z.string(),
  revision: z.int(),
  fields: z.record(z.string(), z.object({ value: z.string() })),
  createdAt: z.string(),
});

export interface PendingUpdate {
  readonly profile: string;
  readonly appId: number;
  readonly recordId: string;
  readonly revision: number;
  readonly fields: WireRecord;
  readonly createdAt: string;
}

const folderOf = (localDir: string): string => join(localDir, "pending");

/** Queues an update; gives null, or why it could not be kept. */
export function queuePending(localDir: string, update: PendingUpdate, mask: Mask): string | null {
  const name = `${Date.parse(update.createdAt)}-${process.pid}-${update.recordId}.json`;
  try {
    mkdirSync(folderOf(localDir), { recursive: true });
    const text = mask(JSON.stringify({ op: "update", ...update }));
    writeFileSync(join(folderOf(localDir), name), `${text}\n`, { mode: 0o600 });
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

function listPending(localDir: string): readonly string[] {
  try {
    return readdirSync(folderOf(localDir))
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

function readPending(path: string): z.infer<typeof pendingSchema> | null {
  try {
    const parsed = pendingSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * Resends what earlier runs of this profile and log app left behind, in name order, stopping at the first
 * failure (step 10 of execution-contract §4.2). A record that moved on or was deleted since is left as it is.
 */
export async function resendPending(
  localDir: string,
  owner: { readonly profile: string; readonly appId: number },
  records: LogRecords,
  events: EventLog,
): Promise<void> {
  for (const name of listPending(localDir)) {
    const path = join(folderOf(localDir), name);
    const pending = readPending(path);
    if (pending === null || pending.profile !== owner.profile || pending.appId !== owner.appId) continue;
    const answer = await records.update(pending.recordId, pending.revision, pending.fields);
    // A record that is gone can never be updated: kept, it would hold up everything behind it for ever.
    const overtaken = answer.kind === "refused" && (isStaleRevision(answer) || isRecordGone(answer));
    if (answer.kind !== "ok" && !overtaken) {
      events.write("resend_failed", { file: name });
      return;
    }
    rmSync(path, { force: true });
    events.write("resend_done", { file: name, overtaken });
  }
}
