import { MODES, type Mode } from "../../../shared/api/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";

/** The mode of this console, the same in every window; decided here, whatever a page shows (decisions §5). */
export interface ModeHolder {
  current(): Mode;
  /** The same with the role of now: what a hand wrote into the roles counts before anything is changed. */
  now(): Promise<Mode>;
  /** What this account may choose, from its role down. */
  allowed(): readonly Mode[];
  set(mode: Mode): Result<Mode>;
}

/**
 * Starts in the mode for operating where the role allows it; that for approving is chosen. `highest` is what the role
 * allows; after `freshen` as it is now.
 */
export function createMode(
  highest: () => Mode,
  changed: (mode: Mode) => void,
  freshen: () => Promise<unknown> = async () => undefined,
): ModeHolder {
  const allowed = (): readonly Mode[] =>
    MODES.filter((mode) => MODES.indexOf(mode) <= MODES.indexOf(highest()));
  let chosen: Mode = "operate";
  const current = (): Mode => (allowed().includes(chosen) ? chosen : "view");
  return {
    current,
    async now() {
      await freshen();
      return current();
    },
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
