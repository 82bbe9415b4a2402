import type { Provisioner } from "../local-kintone/index.ts";
import type { ProvisionedBusinessApp } from "./provision.ts";
import { SAMPLE_APPS } from "./sample-records.ts";

/**
 * Puts the sample records in place: each app's in one transaction, and only into an app that is empty. A
 * start that was interrupted therefore leaves an app either empty or complete.
 */
export async function provisionSamples(
  provisioner: Provisioner,
  apps: readonly ProvisionedBusinessApp[],
  signal?: AbortSignal,
): Promise<void> {
  for (const sample of SAMPLE_APPS) {
    const app = apps.find((candidate) => candidate.logicalName === sample.logicalName);
    if (app === undefined) continue;
    signal?.throwIfAborted();
    const records = sample.records().map((record) => ({ ...record }));
    await provisioner.insertRecords({ appId: String(app.appId), records, onlyIfEmpty: true });
  }
}
