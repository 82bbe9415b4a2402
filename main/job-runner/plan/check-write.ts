import type { Condition, FieldRef, Predicate, WriteBody } from "../dialect/ast.ts";
import { CODES, DialectError, syntaxError } from "../dialect/diagnostic.ts";
import { predicatesOf, predicateValues, withParts } from "../dialect/walk.ts";
import { checkPredicate, type Environment, scopeOf } from "../evaluation/scope.ts";
import type { SourceField } from "../sources/form.ts";
import { leafQuery } from "../sources/leaf-query.ts";
import { normalForm } from "../sources/normal-form.ts";
import type { Column } from "../values/column-type.ts";

export interface WriteContext {
  /** Fields of the app that is written. */
  readonly fields: readonly SourceField[];
  readonly environment: Environment;
  readonly timeZone: string;
}

const KEY_TYPES = ["SINGLE_LINE_TEXT", "NUMBER"];

/**
 * Checks a write against the form of its app (job-dialect §5.5 to §5.9, §7). `columns`: what its query makes,
 * null when it has none. Throws DialectError: `ArgumentError` for fields and conditions, KSQL1302 and KSQL1303
 * for the key.
 */
export function checkWrite(body: WriteBody, columns: readonly Column[] | null, context: WriteContext): void {
  if (body.kind === "update") {
    for (const { field } of body.assignments) checkField(field, context);
  }
  if (body.kind === "update" || body.kind === "delete") {
    checkWhere(body.where, body.at, context);
    return;
  }
  for (const field of body.fields) checkField(field, context);
  const [key] = body.key;
  if (key !== undefined) checkKey(key, context);
  if (columns !== null && columns.length !== body.fields.length) {
    const message = `The SELECT makes ${columns.length} columns for ${body.fields.length} fields.`;
    throw syntaxError(message, body.at);
  }
}

function checkField({ name, at }: FieldRef, { fields }: WriteContext): void {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const message = `unknown field code(s): ${name} (tables and files cannot be written either)`;
    throw new DialectError("ArgumentError", message, at);
  }
  if (field.write !== null) return;
  const message = `"${name}" (${field.fieldType}) cannot be written: kintone fills it itself.`;
  throw new DialectError("ArgumentError", message, at);
}

function checkKey({ name, at }: FieldRef, { fields }: WriteContext): void {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) return;
  if (!KEY_TYPES.includes(field.fieldType)) {
    const message = `The update key "${name}" is ${field.fieldType}; it must be SINGLE_LINE_TEXT or NUMBER.`;
    throw new DialectError(CODES.keyType, message, at);
  }
  if (field.unique) return;
  const message = `The update key "${name}" may hold the same value twice; prohibit duplicates in the app's form.`;
  throw new DialectError(CODES.keyNotUnique, message, at);
}

/** The condition of UPDATE and DELETE must be one kintone can answer; nothing has been read yet (§5.6). */
function checkWhere(where: Condition, at: number, context: WriteContext): void {
  const scope = scopeOf(context.fields, "", true);
  for (const leaf of predicatesOf(where)) {
    for (const value of predicateValues(leaf)) {
      if (value.kind === "column" && !context.fields.some(({ name }) => name === value.name)) {
        const message = `WHERE predicate is unsupported (${value.name}: WHERE_FIELD_UNRESOLVED)`;
        throw new DialectError("ArgumentError", message, value.at);
      }
    }
    checkPredicate(leaf, scope, context.environment);
  }
  for (const leaf of predicatesOf(normalForm(where))) {
    if (isPushable(leaf, context)) continue;
    const place = predicateValues(leaf)[0]?.at ?? at;
    const message =
      "WHERE predicate is unsupported (kintone cannot answer it, and UPDATE and DELETE decide nothing locally: WHERE_NOT_PUSHABLE)";
    throw new DialectError("ArgumentError", message, place);
  }
}

/** Values of every type kintone compares; what a variable will hold is known only when the job runs. */
const SAMPLES = ["0", "x", "2000-01-01", "2000-01-01T00:00:00Z", "00:00"];

function isPushable(leaf: Predicate, context: WriteContext): boolean {
  if (
    !predicateValues(leaf)
      .flatMap(withParts)
      .some(({ kind }) => kind === "variable")
  ) {
    return leafQuery(leaf, context) !== null;
  }
  const options = context.fields.flatMap((field) => field.options.slice(0, 1));
  return [...SAMPLES, ...options].some((text) => {
    const { asOf, variables } = context.environment;
    const filled = new Map([...variables].map(([name, { type }]) => [name, { text, type }]));
    return leafQuery(leaf, { ...context, environment: { asOf, variables: filled } }) !== null;
  });
}
