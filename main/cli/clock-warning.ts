import type { Workspace } from "../console/index.ts";
import type { CliContext } from "./command.ts";

/**
 * Says on stderr that this host's clock stands off the kintone's, as its answers to this command showed it (electron-desktop
 * L13). Beyond a minute nothing is leased, which the refusal tells by itself.
 */
export function warnOfClock(
  { serverClock }: Pick<Workspace, "serverClock">,
  { err }: Pick<CliContext, "err">,
): void {
  const clock = serverClock.current();
  if (clock?.verdict !== "off") return;
  const seconds = Math.round(Math.abs(clock.skewMs) / 1_000);
  const side = clock.skewMs > 0 ? "behind" : "ahead of";
  err(
    `Warning [CLOCK_OFF]: this host's clock is about ${seconds} s ${side} the kintone's. Beyond 60 s nothing is started and no lock is taken; repair the time synchronisation.\n`,
  );
}
