import type { FieldType } from "../model.ts";
import type { Operator } from "./parser.ts";

const COMPARE: readonly Operator[] = ["=", "!=", ">", "<", ">=", "<="];
const MEMBER: readonly Operator[] = ["in", "not in"];
const SEARCH: readonly Operator[] = ["like", "not like"];
const EMPTY: readonly Operator[] = ["is empty", "is not empty"];

const NUMERIC: readonly Operator[] = [...COMPARE, ...MEMBER];
const SHORT_TEXT: readonly Operator[] = ["=", "!=", ...MEMBER, ...SEARCH];
const LONG_TEXT: readonly Operator[] = [...SEARCH, ...EMPTY];

/** Operators each field type allows (kintone-rest §13.2). */
const ALLOWED: Readonly<Record<FieldType, readonly Operator[]>> = {
  __ID__: NUMERIC,
  RECORD_NUMBER: NUMERIC,
  NUMBER: NUMERIC,
  SINGLE_LINE_TEXT: SHORT_TEXT,
  CALC: NUMERIC,
  LINK: SHORT_TEXT,
  MULTI_LINE_TEXT: LONG_TEXT,
  // The notes disagree on `is empty` (kintone-rest §18): allowed.
  RICH_TEXT: LONG_TEXT,
  FILE: LONG_TEXT,
  CHECK_BOX: MEMBER,
  MULTI_SELECT: MEMBER,
  RADIO_BUTTON: MEMBER,
  DROP_DOWN: MEMBER,
  USER_SELECT: MEMBER,
  ORGANIZATION_SELECT: MEMBER,
  GROUP_SELECT: MEMBER,
  STATUS: ["=", "!=", ...MEMBER],
  STATUS_ASSIGNEE: MEMBER,
  CATEGORY: MEMBER,
  CREATOR: MEMBER,
  MODIFIER: MEMBER,
  DATE: COMPARE,
  TIME: COMPARE,
  DATETIME: COMPARE,
  CREATED_TIME: COMPARE,
  UPDATED_TIME: COMPARE,
  REFERENCE_TABLE: [],
  SUBTABLE: [],
  GROUP: [],
};

/** True when the field type allows the operator. */
export const isAllowed = (type: FieldType, operator: Operator): boolean => ALLOWED[type].includes(operator);
