import { fail, ok, type Problem, type Result } from "./problem.ts";

/** The word no identifier may be: the peer keeps it for itself. */
export const RESERVED_IDENTIFIER = "__net__";
/** Longest identifier, in code points after NFC (wire-format §2.1). */
export const IDENTIFIER_MAX_CODE_POINTS = 128;

export type IdentifierPrefix = "RECORD_KEY_IDENTIFIER" | "LOCK_KEY_IDENTIFIER";
export type IdentifierComponent = "profile" | "networkId" | "businessKey" | "runId" | "nodeId" | "jobId";

/** Number of Unicode code points; an unpaired surrogate counts as one. */
export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const REASONS = {
  NOT_STRING: "is not a text",
  EMPTY: "is empty",
  NUL: "contains U+0000, which separates the parts of a key",
  SEPARATOR: 'contains ":", which separates the parts of a key',
  RESERVED: `is the reserved word ${RESERVED_IDENTIFIER}`,
  TOO_LONG: `has more than ${IDENTIFIER_MAX_CODE_POINTS} characters`,
} as const;

/**
 * Canonical form of one key component (wire-format §2.1): the NFC text, never trimmed or folded. Checks run
 * in the order of the spec and before normalisation, except the length; the first failure wins.
 * Error: `<prefix>_<reason>`, with `place` = the component.
 */
export function canonicalIdentifier(
  value: unknown,
  component: IdentifierComponent,
  prefix: IdentifierPrefix,
): Result<string> {
  const refuse = (reason: keyof typeof REASONS): Result<string> =>
    fail<Problem>({
      code: `${prefix}_${reason}`,
      message: `${component} ${REASONS[reason]}; no record key can be made from it.`,
      place: component,
      remedy: `Use 1 to ${IDENTIFIER_MAX_CODE_POINTS} characters without ":" and U+0000.`,
    });
  if (typeof value !== "string") return refuse("NOT_STRING");
  if (value === "") return refuse("EMPTY");
  if (value.includes("\u0000")) return refuse("NUL");
  if (value.includes(":")) return refuse("SEPARATOR");
  if (value === RESERVED_IDENTIFIER) return refuse("RESERVED");
  const canonical = value.normalize("NFC");
  if (codePointLength(canonical) > IDENTIFIER_MAX_CODE_POINTS) return refuse("TOO_LONG");
  return ok(canonical);
}
