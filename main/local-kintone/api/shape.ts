import type { z } from "zod";
import { createIssues } from "../errors.ts";
import { TEXT } from "../texts.ts";

type Issue = z.core.$ZodIssue;

/** `rights[0].entity.type`: how kintone names a place inside a parameter (kintone-rest §8.1). */
function placeOf(key: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === "number") return `${place}[${step}]`;
    return place === "" ? String(step) : `${place}.${String(step)}`;
  }, key);
}

function textOf(issue: Issue): (typeof TEXT)["badShape" | "enumValue" | "parameterRequired"] {
  if (issue.code === "invalid_value" || issue.code === "invalid_union") return TEXT.enumValue;
  if (issue.code === "invalid_type" && issue.input === undefined) return TEXT.parameterRequired;
  return TEXT.badShape;
}

/**
 * Reads a structured parameter; every defect is told at its place in one 400 `CB_VA01`. A parameter that is not there
 * at all is `必須です。` under its own name (kintone-rest §5). With an empty `key` the value is the parameters themselves.
 */
export function readShape<T>(schema: z.ZodType<T>, value: unknown, key: string): T {
  const issues = createIssues();
  if (value === undefined || value === null) issues.add(key, TEXT.parameterRequired);
  issues.throwIfAny();
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) issues.add(placeOf(key, issue.path), textOf(issue));
  issues.throwIfAny();
  throw new Error("a refused parameter named no defect");
}
