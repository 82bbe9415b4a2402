import { isObject } from "../api/params.ts";
import type { FaultMatch } from "./match-schema.ts";
import type { Subject, SubjectPart } from "./subject.ts";

/** Names the label of an API token, null for one nobody knows. */
export type TokenLabels = (token: string) => string | null;

const test = (pattern: string, text: string): boolean => new RegExp(pattern, "u").test(text);

function valueText(entry: unknown): string {
  const value = isObject(entry) ? entry.value : entry;
  if (typeof value === "string") return value;
  return value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}

function rowMatches(match: FaultMatch, row: Readonly<Record<string, unknown>>): boolean {
  const { hasFields = [], field } = match;
  if (!hasFields.every((code) => Object.hasOwn(row, code))) return false;
  if (field === undefined) return true;
  if (!Object.hasOwn(row, field.code)) return false;
  const text = valueText(row[field.code]);
  if (field.equals !== undefined && text !== field.equals) return false;
  return field.pattern === undefined || test(field.pattern, text);
}

function placeMatches(match: FaultMatch, part: SubjectPart): boolean {
  const within = match.within ?? "any";
  if (within === "call" && part.index !== null) return false;
  if (within === "sub-request" && part.index === null) return false;
  return match.subRequest === undefined || part.index === match.subRequest;
}

function partMatches(match: FaultMatch, part: SubjectPart): boolean {
  const { methods, path, app, record, updateKey, query } = match;
  if (!placeMatches(match, part)) return false;
  if (methods !== undefined && !methods.some((method) => method === part.method)) return false;
  if (path !== undefined && !test(path, part.path)) return false;
  if (app !== undefined && part.app !== app) return false;
  if (record !== undefined && !part.ids.includes(record)) return false;
  if (updateKey !== undefined && !part.updateKeys.some(({ value }) => value === updateKey)) return false;
  if (query !== undefined && !test(query, part.query)) return false;
  if (match.hasFields === undefined && match.field === undefined) return true;
  return part.rows.some((row) => rowMatches(match, row));
}

/**
 * The part of a request a rule is about, or null (kintone-rest §19). Everything asked must hold for the same part: the
 * request itself, or one entry of a bulk. Pure.
 */
export function findMatch(match: FaultMatch, subject: Subject, labelOf: TokenLabels): SubjectPart | null {
  const { tokenLabel, user, client } = match;
  if (client !== undefined && subject.client !== client) return null;
  if (user !== undefined && subject.user !== user) return null;
  if (tokenLabel !== undefined && !subject.tokens.some((token) => labelOf(token) === tokenLabel)) return null;
  return subject.parts.find((part) => partMatches(match, part)) ?? null;
}
