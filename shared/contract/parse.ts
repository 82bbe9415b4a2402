import type { z } from "zod";
import { fail, ok, type Result } from "../domain/problem.ts";

/** Path of an issue as people write it: `limits.maxReadRows`, `apps.a.tokens[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/**
 * Checks one of the runner's JSON outputs (execution-contract §2). Error: `KSQL_FLOW_OUTPUT_INVALID` with the
 * first key that breaks the contract as place.
 */
export function parseOutput<T>(schema: z.ZodType<T>, value: unknown, command: string): Result<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return fail({
    code: "KSQL_FLOW_OUTPUT_INVALID",
    message: `The runner's answer to ${command} breaks the execution contract: ${issue?.message ?? "unreadable"}.`,
    place: `${command}: ${pathText(issue?.path ?? []) || "(whole output)"}`,
    remedy: "Check that the configured runner is kSQL-Flow 0.9 or a compatible one.",
  });
}
