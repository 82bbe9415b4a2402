import { existsSync } from "node:fs";
import { join } from "node:path";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import type { ParsedArguments } from "../arguments.ts";
import { invalid } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { LATER_REQUEST } from "../stopping.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Where the build puts the pages, and what the window needs beside them. */
const PAGES = join(ROOT, "build", "renderer");
const DESKTOP = [join(ROOT, "build", "main", "index.js"), join(ROOT, "build", "preload", "preload.cjs")];

/** `start`: the console in a window, or as a page for a browser on this host, until its end (decisions section 2). */
export const start: Command = {
  spec: {
    name: "start",
    summary: "Opens the console in a window, or as a page for a browser on this machine.",
    positional: null,
    options: [
      { name: "--port", value: "port", text: "open the page, on this port; default: any free one" },
      { name: "--no-open", value: null, text: "serve the page, print its link, open nothing" },
    ],
    example: "flownet start --port 8730",
  },
  fallbackCode: "START_FAILED",
  async run(args, context) {
    const port = portOf(args);
    if (!existsSync(join(PAGES, "index.html"))) throw notBuilt();
    const open = !args.flags.has("--no-open");
    const { chooseFront } = await import("../choose-front.ts");
    const choice = await chooseFront({
      env: context.env,
      signal: context.signal,
      built: DESKTOP.every((file) => existsSync(file)),
      pageWanted: !open || args.values["--port"] !== undefined,
      out: context.out,
    });
    if (choice.front === "desktop") return openDesktop(choice, args, context);
    const { serveConsole } = await import("../serve-console.ts");
    await serveConsole({ pages: PAGES, port, open, why: choice.why }, context);
    return 0;
  },
};

async function openDesktop(
  choice: { readonly electron: string; readonly why: string },
  args: ParsedArguments,
  context: CliContext,
): Promise<number> {
  context.out(`Front: the desktop window (${choice.why}).\n`);
  // What runs in the window the window asks about; a later request ends this process alone.
  context.onStop({
    stopping: () => `Stopping the console in the window; ${LATER_REQUEST}.`,
    abandoned: () => ({ problem: WINDOW_ABANDONED, out: null }),
  });
  const { runDesktop } = await import("../electron-build.ts");
  // The default folder is left to the program: its name then does not stand in the account's folder twice.
  const dataDir = args.values["--data-dir"] === undefined ? [] : ["--data-dir", await context.dataDir()];
  return runDesktop(choice.electron, ROOT, dataDir, context.env, context.signal);
}

const WINDOW_ABANDONED: Problem = {
  code: "ABANDONED",
  message: "Ended at once by a second request to stop; the console in the window ends by itself, or goes on.",
  place: "this process",
  remedy: "Look at the window: it asks what becomes of Runs that are still under way.",
};

function portOf({ values }: ParsedArguments): number {
  const text = values["--port"];
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new FlowError(invalid(`Not a port: ${text}`, "--port", "Give a number from 0 to 65535."));
}

function notBuilt(): FlowError {
  return new FlowError({
    code: "PAGES_NOT_BUILT",
    message: "The console's pages have not been built.",
    place: PAGES,
    remedy: "Start with npm start, which builds them, or run npm run build once.",
  });
}
