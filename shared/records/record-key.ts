import { FlowError, type Result } from "../domain/problem.ts";

/**
 * The key, or a thrown `FlowError` with the key's own problem. Identifiers are checked when the definition
 * and the business key are accepted (wire-format §7 no. 9), so a failure at encoding time is a defect of the
 * caller, not a condition to handle.
 */
export function requireKey(key: Result<string>): string {
  if (key.ok) return key.value;
  throw new FlowError(key.error);
}
