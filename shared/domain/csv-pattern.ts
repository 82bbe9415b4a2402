import { utf8 } from "./hash.ts";

/** What a pattern's placeholders stand for; a node's inputs know only the first two (orchestration §8.1). */
export interface PatternValues {
  readonly businessKey: string;
  readonly profile: string;
  readonly runId?: string;
  readonly nodeId?: string;
}
export type PatternKind = "input" | "output";

const PLACEHOLDERS: Readonly<Record<PatternKind, readonly string[]>> = {
  input: ["{business_key}", "{profile}"],
  output: ["{business_key}", "{profile}", "{run_id}", "{node_id}"],
};

/** What is wrong with a CSV path pattern, or null when it may be used (orchestration §8.1). */
export function patternFault(pattern: string, kind: PatternKind): string | null {
  if (pattern === "") return "is empty";
  if (pattern.includes("\u0000")) return "contains U+0000";
  if (/^[/\\]/.test(pattern) || /^[A-Za-z]:/.test(pattern))
    return "is absolute; it must be relative to the file folder";
  if (pattern.split(/[/\\]/).some((segment) => segment === "." || segment === ".."))
    return 'contains a "." or ".." segment';
  const known = PLACEHOLDERS[kind];
  const rest = known.reduce((text, placeholder) => text.replaceAll(placeholder, ""), pattern);
  if (/[{}]/.test(rest)) return `contains a brace that is none of ${known.join(", ")}`;
  return null;
}

/**
 * A value as one path segment: every UTF-8 byte except `0-9 A-Z a-z - _ ~` becomes `%XX`, upper-case
 * (orchestration §8.1). So `.` and `@` are encoded, other than the peer's guide shows.
 */
export function encodePathSegment(value: string): string {
  let text = "";
  for (const byte of utf8(value)) {
    const character = String.fromCharCode(byte);
    text += /[0-9A-Za-z\-_~]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

/**
 * The relative path a pattern stands for (orchestration §8.1). The pattern must have passed
 * {@link patternFault}; a placeholder without a value is left as it is.
 */
export function expandPattern(pattern: string, values: PatternValues): string {
  const known: Readonly<Record<string, string | undefined>> = {
    "{business_key}": values.businessKey,
    "{profile}": values.profile,
    "{run_id}": values.runId,
    "{node_id}": values.nodeId,
  };
  return pattern.replace(/\{[a-z_]+\}/g, (placeholder) => {
    const value = known[placeholder];
    return value === undefined ? placeholder : encodePathSegment(value);
  });
}
