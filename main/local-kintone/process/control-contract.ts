import { z } from "zod";
import type { Problem } from "../../../shared/domain/problem.ts";
import { fieldInputsSchema } from "../fields/index.ts";
import { TOKEN_RIGHTS } from "../model.ts";
import { accountProfileSchema } from "../storage/accounts.ts";
import { furnishingSchema } from "../storage/furnish-app.ts";

/** Bodies of the control port; both its server and its client are typed by them. */
export const createAppsSchema = z.object({
  apps: z.array(
    z.object({
      name: z.string(),
      /** Required here: it is what makes the call idempotent. */
      code: z.string().min(1),
      guestSpaceId: z.number().int().positive().optional(),
      fields: fieldInputsSchema,
      /** With it an app that is there is completed: missing fields, and what nobody has chosen yet. */
      furnishing: furnishingSchema.optional(),
    }),
  ),
});
export const appsCreatedSchema = z.object({
  apps: z.array(z.object({ code: z.string(), appId: z.string() })),
});

export const createTokensSchema = z.object({
  tokens: z.array(
    z.object({ appId: z.string(), label: z.string().min(1), rights: z.array(z.enum(TOKEN_RIGHTS)).min(1) }),
  ),
});
export const tokensCreatedSchema = z.object({
  tokens: z.array(z.object({ appId: z.string(), label: z.string(), token: z.string() })),
});

export const insertRecordsSchema = z.object({
  appId: z.string(),
  records: z.array(z.record(z.string(), z.unknown())),
  /** Inserts only into an app without records, which makes seeding idempotent. */
  onlyIfEmpty: z.boolean().optional(),
});
export const recordsInsertedSchema = z.object({ ids: z.array(z.string()) });

export const createUserSchema = z.object({
  code: z.string().min(1),
  name: z.string().min(1),
  password: z.string().min(1),
  /** Rights, language and memberships; a user without one is an administrator who follows the browser. */
  profile: accountProfileSchema.optional(),
});
const named = z.object({ code: z.string().min(1), name: z.string().min(1) });
/** Organisations in an order in which each parent comes before its children. */
export const createDirectorySchema = z.object({
  groups: z.array(named).default([]),
  organizations: z.array(named.extend({ parent: z.string().min(1).optional() })).default([]),
});
export const createSpaceSchema = z.object({ name: z.string().min(1), isGuest: z.boolean() });
export const spaceCreatedSchema = z.object({ space: z.string() });
export const createWorkspaceSchema = z.object({ name: z.string() });
export const workspaceCreatedSchema = z.object({ databaseId: z.string() });

export const compactedSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_COMPACTED"),
  formatVersion: z.literal(1),
  path: z.string(),
  bytesBefore: z.number(),
  bytesAfter: z.number(),
});
export type Compacted = z.output<typeof compactedSchema>;
export const doneSchema = z.object({});

export const usageSchema = z.object({
  usage: z.array(z.object({ app: z.number(), day: z.string(), requests: z.number() })),
});
export const statusSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_STATUS"),
  formatVersion: z.literal(1),
  pid: z.number(),
  baseUrl: z.string(),
  leases: z.number(),
  databaseId: z.string(),
});
export const problemSchema = z.object({
  problem: z.object({
    code: z.string(),
    message: z.string(),
    place: z.string().optional(),
    remedy: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** A problem read from JSON, without keys that hold nothing. */
export function cleanProblem(raw: z.output<typeof problemSchema>["problem"]): Problem {
  const { code, message, place, remedy, details } = raw;
  return {
    code,
    message,
    ...(place === undefined ? {} : { place }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(details === undefined ? {} : { details }),
  };
}
