import { join } from "node:path";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import {
  createProgramLog,
  type HostGuard,
  type OpenOptions,
  openWorkspace,
  ownerLine,
  type ProgramLog,
  type ResidentFront,
  startRetention,
  systemClock,
  takeHostGuard,
  type Workspace,
  watchFaults,
} from "../console/index.ts";
import type { CliContext } from "./command.ts";
import { problemText } from "./problem-text.ts";

export interface ResidentWork {
  readonly workspace: Workspace;
  readonly dataDir: string;
  /** Its signal is aborted by a request to stop and by a fault. */
  readonly context: CliContext;
}

/**
 * Holds the data folder of this host, opens its workspace and works in it; then undoes everything in reverse. What
 * nothing expected ends the work in order (electron-desktop L10). Errors as `FlowError`: of the guard, of the
 * workspace, of the work, `CONSOLE_ENDED_BY_FAULT`.
 */
export async function asResident(
  front: ResidentFront,
  opening: Pick<OpenOptions, "endServer" | "evenOffline" | "standIn">,
  context: CliContext,
  work: (resident: ResidentWork) => Promise<void>,
): Promise<void> {
  const dataDir = await context.dataDir();
  const guard = await takeHostGuard({ dataDir, front });
  const log = createProgramLog({ folder: join(dataDir, "log"), clock: systemClock, pid: process.pid });
  noteTakeOver(log, guard);
  const fault = new AbortController();
  const unwatch = watchFaults(process, log, (error) => {
    context.err(problemText(faultProblem(error, log)));
    fault.abort();
  });
  const signal = AbortSignal.any([context.signal, fault.signal]);
  try {
    const workspace = await openWorkspace({ dataDir, env: context.env, signal, log, ...opening });
    const retention = startRetention(workspace, dataDir);
    try {
      await work({ workspace, dataDir, context: { ...context, signal } });
    } finally {
      await retention.dispose();
      await workspace.dispose();
    }
  } finally {
    unwatch();
    await log.dispose();
    await guard.dispose();
  }
  if (fault.signal.aborted) throw new FlowError(ENDED_BY_FAULT);
}

function noteTakeOver(log: ProgramLog, { takenOverFrom }: HostGuard): void {
  if (takenOverFrom === null) return;
  log.write("warn", "resident", "RESIDENT_TAKEN_OVER", { from: ownerLine(takenOverFrom) });
}

/** Nothing goes on as if nothing had happened; Runs under way come to their next node boundary first (electron-desktop L10). */
const faultProblem = (error: unknown, log: ProgramLog): Problem => ({
  code: "CONSOLE_FAULT",
  message: `The console met an error that nothing expected and stops: ${error instanceof Error ? error.message : String(error)}`,
  place: log.state().file,
  remedy: "Start the console again. The file named here holds the error whole; hand it on with a report.",
});

const ENDED_BY_FAULT: Problem = {
  code: "CONSOLE_ENDED_BY_FAULT",
  message: "The console ended in order after an error that nothing expected.",
  remedy: "Start the console again; look at the Run list before anything is repeated.",
};
