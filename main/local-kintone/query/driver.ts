import type { AppState } from "../model.ts";
import { indexKey } from "../values/index-keys.ts";
import type { Fragment } from "./comparison.ts";
import type { Comparison, Condition } from "./parser.ts";

/** The index rows a read starts from. */
export interface Driver {
  readonly condition: Comparison;
  readonly table: "field_index" | "unique_index";
  readonly fragment: Fragment;
}

const SINGLE_VALUED: ReadonlySet<string> = new Set([
  "SINGLE_LINE_TEXT",
  "LINK",
  "NUMBER",
  "DROP_DOWN",
  "RADIO_BUTTON",
]);

/** Smaller is more selective: a unique value, then a free value, then one of a few options. */
function rank(app: AppState, condition: Condition): number | null {
  if (condition.kind !== "compare") return null;
  if (condition.operator !== "=" && condition.operator !== "in") return null;
  const definition = app.fields.get(condition.field)?.definition;
  if (definition === undefined || !SINGLE_VALUED.has(definition.type)) return null;
  // Empty values have no index rows.
  const usable = condition.operands.every(
    (operand) =>
      operand.kind === "literal" &&
      operand.text !== "" &&
      (definition.type !== "NUMBER" || /^-?\d+(\.\d+)?$/.test(operand.text)),
  );
  if (!usable) return null;
  if (definition.unique) return 0;
  return definition.type === "DROP_DOWN" || definition.type === "RADIO_BUTTON" ? 2 : 1;
}

/** Picks the top-level part that should drive the read; null reads the app's key range. */
export function chooseDriver(app: AppState, parts: readonly Condition[]): Driver | null {
  let best: { readonly condition: Comparison; readonly rank: number } | null = null;
  for (const part of parts) {
    // A read by record id is already the narrowest there is.
    if (part.kind === "compare" && part.field === "$id" && ["=", "in"].includes(part.operator)) return null;
    const found = rank(app, part);
    if (found !== null && part.kind === "compare" && (best === null || found < best.rank)) {
      best = { condition: part, rank: found };
    }
  }
  const field = best === null ? undefined : app.fields.get(best.condition.field);
  if (best === null || field === undefined) return null;
  const { type, unique } = field.definition;
  const keys = new Set(
    best.condition.operands.map((operand) =>
      operand.kind === "literal" ? indexKey(type, operand.text) : "",
    ),
  );
  // One value is written as an equality so that the index itself delivers the `$id` order.
  const test = keys.size === 1 ? "= ?" : `IN (${Array.from(keys, () => "?").join(", ")})`;
  return {
    condition: best.condition,
    table: unique ? "unique_index" : "field_index",
    fragment: { sql: `i.field = ? AND i.value ${test}`, params: [field.no, ...keys] },
  };
}
