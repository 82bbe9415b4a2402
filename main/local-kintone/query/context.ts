import type { AppState, People } from "../model.ts";

/** What a compilation may ask about the world. */
export interface CompileEnvironment {
  readonly now: () => number;
  readonly timeZoneOffsetMinutes: number;
  readonly loginUser: string;
  readonly people: People;
  /** `=` and `in` on a text that is not unique: equality, or a token match as seen in the field (kintone-rest §13.5). */
  readonly textEquality: "exact" | "token";
  /** A live app, for conditions on related records. */
  readonly findApp: (related: { readonly app: string; readonly code: string }) => AppState | null;
  /** Number of index rows of a range, counted up to `limit`. */
  readonly estimate: (range: IndexRange, limit: number) => number;
}

/** Rows of one index between two keys. */
export interface IndexRange {
  readonly table: "field_index" | "unique_index";
  /** SQL over `i` with its parameters. */
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

/** What one compilation carries along. */
export interface CompileContext {
  readonly app: AppState;
  readonly environment: CompileEnvironment;
  /** Alias of the records table that conditions are about: `s` within a condition on related records. */
  readonly row: "r" | "s";
  /** Column of the combined record key: the driving index's own, so that it can deliver the order. */
  readonly keyColumn: "r.key" | "i.record" | "s.key";
  readonly notes: { volatile: boolean };
}
