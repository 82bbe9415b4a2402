import { z } from "zod";
import type { ProfileSnapshot } from "../domain/model.ts";

const limit = z.number().nullable();

/** `resolved_profile_snapshot` as stored (wire-format §1.5); further keys are ignored. */
export const profileSnapshotSchema = z
  .object({
    profile: z.string(),
    base_url: z.string(),
    guest_space_id: z.number().nullable(),
    // A profile may name no time zone; a Run must stay readable then.
    timezone: z.string().nullable(),
    apps: z.record(z.string(), z.number()),
    limits: z.object({ max_api_calls: limit, max_read_rows: limit, batch_timeout_sec: limit }),
  })
  .transform(
    (json): ProfileSnapshot => ({
      profile: json.profile,
      baseUrl: json.base_url,
      guestSpaceId: json.guest_space_id,
      timezone: json.timezone ?? "",
      apps: json.apps,
      limits: {
        maxApiCalls: json.limits.max_api_calls,
        maxReadRows: json.limits.max_read_rows,
        batchTimeoutSec: json.limits.batch_timeout_sec,
      },
    }),
  );

/** JSON text of a profile snapshot, keys in the order of wire-format §1.5, not canonicalised. */
export function encodeProfileSnapshot(snapshot: ProfileSnapshot): string {
  return JSON.stringify({
    profile: snapshot.profile,
    base_url: snapshot.baseUrl,
    guest_space_id: snapshot.guestSpaceId,
    timezone: snapshot.timezone,
    apps: snapshot.apps,
    limits: {
      max_api_calls: snapshot.limits.maxApiCalls,
      max_read_rows: snapshot.limits.maxReadRows,
      batch_timeout_sec: snapshot.limits.batchTimeoutSec,
    },
  });
}
