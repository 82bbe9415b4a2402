import { RECORDS_SHOWN } from "../../../shared/api/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";

/** Fields of a form that kintone fills itself, by what they are: their codes are the app's own (kintone-rest §12). */
export interface SystemFields {
  readonly updatedTime: string | null;
  readonly modifier: string | null;
  readonly createdTime: string | null;
}

type Form = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Finds them. Pure. */
export function systemFieldsOf(form: Form): SystemFields {
  const codeOf = (type: string): string | null =>
    Object.entries(form).find(([, field]) => field.type === type)?.[0] ?? null;
  return {
    updatedTime: codeOf("UPDATED_TIME"),
    modifier: codeOf("MODIFIER"),
    createdTime: codeOf("CREATED_TIME"),
  };
}

/** The question for records changed from a minute on: kintone keeps the time to the minute, so its whole minute counts. */
export function changedSince(updatedTime: string, since: string): string {
  const minute = new Date(Math.floor(Date.parse(since) / 60_000) * 60_000).toISOString();
  return `${updatedTime} >= "${minute}"`;
}

/** A word that would end the condition and begin something else. */
const CLAUSE = /(^|[\s)])(order\s+by|limit|offset)(\s|$)/i;

/** Quoted texts are values, whatever they say. */
const withoutTexts = (condition: string): string => condition.replace(/"(?:[^"\\]|\\.)*"/g, '""');

/**
 * A typed condition, ready to stand in brackets: nothing in it can end it. Codes `CONDITION_EMPTY`, `CONDITION_CLAUSE`,
 * `CONDITION_UNBALANCED`. Whether its fields exist is kintone's own word. Pure.
 */
export function checkedCondition(typed: string): Result<string> {
  const condition = typed.trim();
  const refuse = (code: string, message: string, remedy: string): Result<never> =>
    fail({ code, message, place: "condition", remedy });
  if (condition === "") {
    return refuse("CONDITION_EMPTY", "No condition was typed; nothing was asked.", "Type one.");
  }
  const bare = withoutTexts(condition);
  if (CLAUSE.test(bare)) {
    return refuse(
      "CONDITION_CLAUSE",
      "Only a condition is passed on: no order by, limit or offset. Nothing was asked.",
      "Leave these out; the newest changes come first, in a bounded number.",
    );
  }
  let depth = 0;
  for (const sign of bare) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0 || bare.replaceAll('""', "").includes('"')) {
    return refuse(
      "CONDITION_UNBALANCED",
      "A bracket or a quotation mark of the condition has no partner. Nothing was asked.",
      "Close every bracket and every text.",
    );
  }
  return ok(condition);
}

/** The whole query of one page: newest change first, bounded (kintone-rest §13). */
export function pageQuery(condition: string, updatedTime: string | null): string {
  const order = updatedTime === null ? "$id desc" : `${updatedTime} desc, $id desc`;
  return `${condition} order by ${order} limit ${RECORDS_SHOWN}`;
}
