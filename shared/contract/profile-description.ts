import { z } from "zod";
import { canonicalJson } from "../bundle/canonical-json.ts";
import type { ProfileSnapshot } from "../domain/model.ts";
import { fail, ok, type Result } from "../domain/problem.ts";
import { parseOutput } from "./parse.ts";

const limit = z.int().nullable();

/** Output of `describe-profile --json` (execution-contract §2.2). Further keys are kept: they are hashed. */
export const profileDescriptionSchema = z.looseObject({
  formatVersion: z.literal(1),
  kind: z.literal("PROFILE_DESCRIPTION"),
  profile: z.string().min(1),
  baseUrl: z.string().min(1),
  guestSpaceId: z.int().nullable(),
  timezone: z.string().nullable(),
  apps: z.record(z.string(), z.int()),
  logApp: z.object({ name: z.string(), appId: z.int() }).nullable(),
  limits: z.object({
    maxApiCalls: limit,
    maxReadRows: limit,
    maxTempRows: limit,
    batchTimeoutSec: limit,
  }),
  retry: z.object({
    maxAttempts: z.number(),
    initialDelayMs: z.number(),
    maxDelayMs: z.number(),
    respectRetryAfter: z.boolean(),
  }),
  httpTimeoutMs: z.number(),
});
export type ProfileDescription = z.infer<typeof profileDescriptionSchema>;

/**
 * A profile description from the parsed JSON, with the canonical JSON of the complete value: the SHA-256 of
 * that text is `resolved_profile_sha256` (wire-format §3). Error: `KSQL_FLOW_OUTPUT_INVALID`.
 */
export function parseProfileDescription(
  value: unknown,
): Result<{ readonly description: ProfileDescription; readonly canonical: string }> {
  const description = parseOutput(profileDescriptionSchema, value, "describe-profile");
  if (!description.ok) return description;
  return ok({ description: description.value, canonical: canonicalJson(value) });
}

/**
 * The part of a profile description a Run keeps in readable form (wire-format §1.5). A Run cannot be made
 * from a profile without a time zone: `PROFILE_DESCRIPTION_INVALID` (orchestration N2).
 */
export function snapshotOf(description: ProfileDescription): Result<ProfileSnapshot> {
  const { maxApiCalls, maxReadRows, batchTimeoutSec } = description.limits;
  const { profile, baseUrl, guestSpaceId, timezone, apps } = description;
  if (timezone === null || timezone === "") {
    return fail({
      code: "PROFILE_DESCRIPTION_INVALID",
      message: `Profile ${profile} names no time zone, so the same Run would mean other times on another host.`,
      place: "describe-profile: timezone",
      remedy: `Set "timezone" of profile ${profile} in ksql.config.json.`,
    });
  }
  const limits = { maxApiCalls, maxReadRows, batchTimeoutSec };
  return ok({ profile, baseUrl, guestSpaceId, timezone, apps, limits });
}
