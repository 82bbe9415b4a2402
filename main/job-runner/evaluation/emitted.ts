import type { ColumnType } from "../values/column-type.ts";
import { comparesAsText } from "./native.ts";

/** SQL of our own making with its bound texts. */
export interface EmittedSelect {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Number under which the functions of the database know a column type. */
export type TypeNumber = (type: ColumnType) => number;

/** A text that two cells share exactly when they are equal (job-dialect §3); the same text is indexed. */
export function joinKey(column: string, type: ColumnType, typeNumber: TypeNumber): string {
  return comparesAsText(type) ? column : `k_join(${column}, ${typeNumber(type)})`;
}
