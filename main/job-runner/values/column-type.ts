/** How the values of a column compare (job-dialect §3). Every cell is a text; the type travels beside it. */
export type ColumnType =
  | { readonly kind: "text" | "number" | "date" | "time" | "datetime" | "multi" }
  /** `options`: the choices in the order of their definition. */
  | { readonly kind: "choice"; readonly options: readonly string[] };

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export const TEXT: ColumnType = { kind: "text" };
export const NUMBER: ColumnType = { kind: "number" };

/** An empty cell: kintone's missing value, or no choice at all in a field of many choices. */
export function isEmptyCell(text: string, type: ColumnType): boolean {
  return text === "" || (type.kind === "multi" && text === "[]");
}

/** Names differing only in the case of ASCII letters mean the same output column (job-dialect §2.2, OURS). */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
