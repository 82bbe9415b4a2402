import { z } from "zod";
import type { Result } from "../domain/problem.ts";
import { parseOutput } from "./parse.ts";

const lockRecord = z.object({
  recordId: z.string(),
  batchId: z.string(),
  startedAt: z.string().nullable(),
  host: z.string(),
  scriptName: z.string(),
});

/** Output of `inspect-lock --json` (execution-contract §2.4); `locked` null = the log could not be read. */
const lockInspectionSchema = z
  .object({
    kind: z.literal("LOCK_INSPECTION_RESULT"),
    formatVersion: z.literal(1),
    jobKey: z.string().min(1),
    locked: z.boolean().nullable(),
    record: lockRecord.nullable(),
    inspectedAt: z.string(),
    error: z.object({ code: z.string() }).optional(),
  })
  .refine((result) => (result.locked === null) === (result.error !== undefined), {
    path: ["error"],
    message: "error belongs to an unknown lock state and to no other",
  });
export type LockInspection = z.infer<typeof lockInspectionSchema>;

/** Outcomes of a forced job lock release and the exit code of each (execution-contract §2.5). */
export const LOCK_RECOVERY_EXIT_CODES = {
  RELEASED: 0,
  NOT_FOUND: 0,
  NOT_RUNNING: 0,
  CONFLICT: 5,
  UNCONFIRMED: 3,
} as const;
export type LockRecoveryOutcome = keyof typeof LOCK_RECOVERY_EXIT_CODES;

/** Output of `force-unlock-job --json` (execution-contract §2.5). */
const lockRecoverySchema = z
  .object({
    kind: z.literal("LOCK_RECOVERY_RESULT"),
    formatVersion: z.literal(1),
    jobKey: z.string().min(1),
    recordId: z.string().nullable(),
    outcome: z.enum(["RELEASED", "NOT_FOUND", "NOT_RUNNING", "CONFLICT", "UNCONFIRMED"]),
    before: z.object({ batchId: z.string(), startedAt: z.string().nullable(), host: z.string() }).nullable(),
    executedAt: z.string(),
    nextAction: z.string().optional(),
  })
  .refine((result) => result.nextAction === undefined || result.outcome === "UNCONFIRMED", {
    path: ["nextAction"],
    message: "nextAction belongs to UNCONFIRMED only",
  });
export type LockRecoveryResult = z.infer<typeof lockRecoverySchema>;

/** A lock inspection from the parsed JSON. Error: `KSQL_FLOW_OUTPUT_INVALID`. */
export const parseLockInspection = (value: unknown): Result<LockInspection> =>
  parseOutput(lockInspectionSchema, value, "inspect-lock");

/** A lock recovery result from the parsed JSON. Error: `KSQL_FLOW_OUTPUT_INVALID`. */
export const parseLockRecovery = (value: unknown): Result<LockRecoveryResult> =>
  parseOutput(lockRecoverySchema, value, "force-unlock-job");
