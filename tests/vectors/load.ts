import { readFileSync } from "node:fs";

export interface VectorCase {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly kind: string };
  readonly expected: Readonly<Record<string, unknown>>;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isCase(value: unknown): value is VectorCase {
  if (!isRecord(value) || typeof value.name !== "string") return false;
  return isRecord(value.input) && typeof value.input.kind === "string" && isRecord(value.expected);
}

/**
 * The cases of one vector file, optionally of some kinds only. Read and parsed here, not imported: a bundler
 * may rewrite the unpaired surrogates and control characters the cases are about.
 */
export function loadVectors(file: string, kinds?: readonly string[]): readonly VectorCase[] {
  const parsed: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
  const cases = isRecord(parsed) && Array.isArray(parsed.cases) ? parsed.cases : [];
  if (cases.length === 0 || !cases.every(isCase)) throw new Error(`${file} is not a vector file`);
  return kinds === undefined ? cases : cases.filter((entry) => kinds.includes(entry.input.kind));
}

/** A text of a case's input; fails the test when the vector has something else there. */
export function text(input: Readonly<Record<string, unknown>>, key: string): string {
  const value = input[key];
  if (typeof value !== "string") throw new Error(`the vector has no text "${key}"`);
  return value;
}

/** As {@link text}, with null for null. */
export function textOrNull(input: Readonly<Record<string, unknown>>, key: string): string | null {
  return input[key] === null ? null : text(input, key);
}

/** A list of texts of a case's input. */
export function texts(input: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const value = input[key];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    throw new Error(`the vector has no list of texts "${key}"`);
  }
  return value;
}

/** An object of a case's input, or null. */
export function objectOrNull(
  input: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> | null {
  const value = input[key];
  if (value === null) return null;
  if (!isRecord(value)) throw new Error(`the vector has no object "${key}"`);
  return value;
}
