import type { AppState } from "../model.ts";
import type { CompileEnvironment } from "./compile.ts";

/** What one compilation carries along. */
export interface CompileContext {
  readonly app: AppState;
  readonly environment: CompileEnvironment;
  /** Column of the combined record key: the driving index's own, so that it can deliver the order. */
  readonly keyColumn: "r.key" | "i.record";
  readonly notes: { volatile: boolean };
}
