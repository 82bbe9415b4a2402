import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  clockFor,
  consolePolling,
  createConsoleApi,
  systemClock,
  type Workspace,
  waitOrAbort,
  writePrivateFile,
} from "../console/index.ts";
import { createLoopback } from "../loopback/index.ts";
import type { CliContext } from "./command.ts";
import { abandonedProblem, followLocks, type HeldLocks } from "./held-locks.ts";
import { openInBrowser, signpost } from "./open-browser.ts";
import { asResident } from "./resident.ts";
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
 * Holds the data folder, serves the page and waits for Ctrl+C; then undoes everything in reverse. Errors as `FlowError`:
 * of the host guard, of the workspace, `PORT_BUSY`, `PORT_REFUSED`.
 */
export function serveConsole(options: ConsoleOptions, context: CliContext): Promise<void> {
  const opening = { endServer: true, evenOffline: true, standIn: true };
  return asResident("page", opening, context, ({ workspace, dataDir, context: serving }) =>
    serveOn(workspace, dataDir, options, serving),
  );
}

async function serveOn(
  workspace: Workspace,
  dataDir: string,
  options: ConsoleOptions,
  context: CliContext,
): Promise<void> {
  const clock = clockFor(workspace.baseUrl, context.env);
  const locks = followLocks(workspace.orchestrator);
  const orchestrator = { ...workspace.orchestrator, runNetwork: locks.runNetwork };
  const api = createConsoleApi({
    workspace: { ...workspace, orchestrator },
    clock,
    random: Math.random,
    ...consolePolling(workspace, context.env),
  });
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
