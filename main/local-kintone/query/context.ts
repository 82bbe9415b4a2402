import type { AppState } from "../model.ts";

/** What a compilation may ask about the world. */
export interface CompileEnvironment {
  readonly now: () => number;
  readonly timeZoneOffsetMinutes: number;
  readonly loginUser: string;
  readonly userExists: (code: string) => boolean;
}

/** What one compilation carries along. */
export interface CompileContext {
  readonly app: AppState;
  readonly environment: CompileEnvironment;
  /** Column of the combined record key: the driving index's own, so that it can deliver the order. */
  readonly keyColumn: "r.key" | "i.record";
  readonly notes: { volatile: boolean };
}
