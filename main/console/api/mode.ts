import { MODES, type Mode } from "../../../shared/api/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";

/** The mode of this console, the same in every window; decided here, whatever a page shows (decisions §5). */
export interface ModeHolder {
  current(): Mode;
  /** What this account may choose, from its role down. */
  allowed(): readonly Mode[];
  set(mode: Mode): Result<Mode>;
}

/** Starts in the mode for operating where the role allows it; that for approving is chosen. `highest` is what the role allows. */
export function createMode(highest: () => Mode, changed: (mode: Mode) => void): ModeHolder {
  const allowed = (): readonly Mode[] =>
    MODES.filter((mode) => MODES.indexOf(mode) <= MODES.indexOf(highest()));
  let chosen: Mode = "operate";
  const current = (): Mode => (allowed().includes(chosen) ? chosen : "view");
  return {
    current,
    allowed,
    set(mode) {
      if (!allowed().includes(mode)) {
        return fail({
          code: "MODE_NOT_ALLOWED",
          message: `The role of this account does not allow the mode ${mode}.`,
          remedy: "Ask whoever keeps the roles of this console.",
        });
      }
      chosen = mode;
      changed(mode);
      return ok(mode);
    },
  };
}
