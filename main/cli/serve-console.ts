import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import {
  clockFor,
  createConsoleApi,
  createProgramLog,
  openWorkspace,
  type ProgramLog,
  systemClock,
  takeHostGuard,
  type Workspace,
  waitOrAbort,
  watchFaults,
  writePrivateFile,
} from "../console/index.ts";
import { createLoopback } from "../loopback/index.ts";
import type { CliContext } from "./command.ts";
import { abandonedProblem, followLocks, type HeldLocks } from "./held-locks.ts";
import { openInBrowser, signpost } from "./open-browser.ts";
import { problemText } from "./problem-text.ts";
import { LATER_REQUEST, type StopWords } from "./stopping.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ConsoleOptions {
  readonly pages: string;
  readonly port: number;
  readonly open: boolean;
  /** Why this front and not the window; printed. */
  readonly why: string;
}

/**
 * Opens the workspace, serves the page and waits for Ctrl+C; then undoes everything in reverse. Errors as
 * `FlowError`: of the host guard, of the workspace, `PORT_BUSY`, `PORT_REFUSED`.
 */
export async function serveConsole(options: ConsoleOptions, context: CliContext): Promise<void> {
  const dataDir = await context.dataDir();
  const guard = await takeHostGuard({ dataDir, front: "page" });
  try {
    await serveGuarded(options, context, dataDir);
  } finally {
    await guard.dispose();
  }
}

async function serveGuarded(options: ConsoleOptions, context: CliContext, dataDir: string): Promise<void> {
  const log = createProgramLog({ folder: join(dataDir, "log"), clock: systemClock, pid: process.pid });
  const fault = new AbortController();
  const unwatch = watchFaults(process, log, (error) => {
    context.err(problemText(faultProblem(error, log)));
    fault.abort();
  });
  const signal = AbortSignal.any([context.signal, fault.signal]);
  const withFault = { ...context, signal };
  try {
    const workspace = await openWorkspace({
      dataDir,
      env: context.env,
      signal,
      log,
      endServer: true,
      evenOffline: true,
      standIn: true,
    });
    await serveOn(workspace, dataDir, options, withFault).finally(workspace.dispose);
  } finally {
    unwatch();
    await log.dispose();
  }
  if (fault.signal.aborted) throw new FlowError(ENDED_BY_FAULT);
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

async function serveOn(
  workspace: Workspace,
  dataDir: string,
  options: ConsoleOptions,
  context: CliContext,
): Promise<void> {
  const clock = clockFor(workspace.baseUrl, context.env);
  const locks = followLocks(workspace.orchestrator);
  const orchestrator = { ...workspace.orchestrator, runNetwork: locks.runNetwork };
  const api = createConsoleApi({ workspace: { ...workspace, orchestrator }, clock, random: Math.random });
  context.onStop(stopWords(locks));
  try {
    const front = await createLoopback({
      api,
      staticDir: options.pages,
      port: options.port,
      clock: systemClock,
      randomBytes: (size) => randomBytes(size),
      wait: waitOrAbort,
    });
    try {
      context.out(announcement(workspace, dataDir, front.url, options.why));
      const close = options.open ? await open(front.mintLink(), dataDir, context) : async () => undefined;
      await untilAborted(context.signal).finally(close);
      context.out("Stopping.\n");
    } finally {
      await front.close();
    }
  } finally {
    await api.dispose();
  }
}

/** Ctrl+C in a console that runs nothing is over at once, and needs no second one. */
function stopWords(locks: HeldLocks): StopWords {
  return {
    stopping() {
      const count = locks.held().length;
      return count === 0
        ? `Stopping the console; ${LATER_REQUEST}.`
        : `Stopping the console after the running node of ${count} Run(s); ${LATER_REQUEST} and leaves their locks held.`;
    },
    abandoned: () => ({ problem: abandonedProblem(locks.held()), out: null }),
  };
}

function announcement(workspace: Workspace, dataDir: string, link: string, why: string): string {
  const where =
    workspace.kind === "embedded"
      ? `the embedded workspace in ${dataDir}`
      : `${workspace.baseUrl} (configured by variables)`;
  return [
    `Front: a page in the browser (${why}).`,
    `Workspace: ${where}, profile ${workspace.profile}`,
    `Open: ${link}`,
    "The link works once. Ctrl+C ends the console.",
    "",
  ].join("\n");
}

/** A browser that does not open is no failure: the link is printed. Answers what takes the signpost away again. */
async function open(link: string, dataDir: string, context: CliContext): Promise<() => Promise<void>> {
  const file = join(dataDir, "open-console.html");
  const remove = (): Promise<void> => rm(file, { force: true });
  await writePrivateFile(file, signpost(link));
  if (await openInBrowser(file, context.env)) return remove;
  await remove();
  context.out("No browser was opened: open the link yourself.\n");
  return async () => undefined;
}
