import { z } from "zod";

const nullableCount = z.int().min(1).nullable().optional();
const positive = z.int().min(1);

const limitsSchema = z.strictObject({
  maxApiCalls: nullableCount,
  maxReadRows: z.int().min(1).max(200_000).nullable().optional(),
  maxTempRows: nullableCount,
  batchTimeoutSec: nullableCount,
});

const retrySchema = z.strictObject({
  maxAttempts: positive.optional(),
  initialDelayMs: z.int().min(0).optional(),
  maxDelayMs: z.int().min(0).optional(),
  respectRetryAfter: z.boolean().optional(),
});

const notificationsSchema = z.strictObject({
  onFailure: z.strictObject({ webhook: z.string().min(1) }).optional(),
  heartbeat: z
    .strictObject({ url: z.string().min(1), on: z.enum(["success", "always"]).optional() })
    .optional(),
});

const loggingSchema = z.strictObject({
  localDir: z.string().min(1).optional(),
  maskFields: z.array(z.string()).optional(),
  stripLiterals: z.boolean().optional(),
});

const basicAuth = z.strictObject({ username: z.string().min(1), password: z.string().min(1) });

const authSchema = z.strictObject({
  type: z.enum(["apiToken", "password", "basic"]).optional(),
  username: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  basicUsername: z.string().min(1).optional(),
  basicPassword: z.string().min(1).optional(),
});

const appSchema = z.strictObject({
  id: positive,
  tokens: z.array(z.string().min(1)).max(9).optional(),
});

const fallbacks = {
  limits: limitsSchema.optional(),
  retry: retrySchema.optional(),
  notifications: notificationsSchema.optional(),
  logging: loggingSchema.optional(),
};

const refused = (key: string) =>
  z.never({ error: `"${key}" is recognised but not supported; remove it` }).optional();

/** One profile as written; what it inherits is not yet filled in (execution-contract §12). */
const profileSchema = z.strictObject({
  extends: z.string().min(1).optional(),
  baseUrl: z.string().min(1).optional(),
  timezone: z.string().min(1).optional(),
  auth: authSchema.optional(),
  basicAuth: basicAuth.optional(),
  guestSpaceId: positive.nullable().optional(),
  apps: z.record(z.string().min(1), appSchema).optional(),
  logApp: z.string().min(1).optional(),
  ...fallbacks,
  httpTimeoutMs: z.number().positive().optional(),
  clientCert: refused("clientCert"),
  proxy: refused("proxy"),
});

/** `ksql.config.json` as written; unknown keys are refused at every level (execution-contract §12). */
export const configSchema = z.strictObject({
  defaultProfile: z.string().min(1).optional(),
  profiles: z.record(z.string().min(1), profileSchema),
  ...fallbacks,
});

export type WrittenConfig = z.infer<typeof configSchema>;
export type WrittenProfile = z.infer<typeof profileSchema>;
