import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import {
  createConsoleApi,
  openWorkspace,
  systemClock,
  type Workspace,
  waitOrAbort,
  writePrivateFile,
} from "../../console/index.ts";
import { createLoopback } from "../../loopback/index.ts";
import type { ParsedArguments } from "../arguments.ts";
import { invalid } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { openInBrowser, signpost } from "../open-browser.ts";
import { untilAborted } from "../until-aborted.ts";

/** Where the build puts the pages. */
const PAGES = join(import.meta.dirname, "..", "..", "..", "build", "renderer");

/** `start`: the console as a page for a browser on this host, until Ctrl+C (decisions section 2). */
export const start: Command = {
  spec: {
    name: "start",
    summary: "Serves the console as a page for a browser on this machine, until Ctrl+C.",
    positional: null,
    options: [
      { name: "--port", value: "port", text: "port of the page; default: any free one" },
      { name: "--no-open", value: null, text: "print the link and do not open a browser" },
    ],
    example: "flownet start --port 8730",
  },
  fallbackCode: "START_FAILED",
  async run(args, context) {
    const port = portOf(args);
    if (!existsSync(join(PAGES, "index.html"))) throw notBuilt();
    const workspace = await openWorkspace({
      dataDir: context.dataDir,
      env: context.env,
      signal: context.signal,
      endServer: true,
    });
    try {
      await serveConsole(workspace, port, args, context);
      return 0;
    } finally {
      await workspace.dispose();
    }
  },
};

async function serveConsole(
  workspace: Workspace,
  port: number,
  args: ParsedArguments,
  context: CliContext,
): Promise<void> {
  const api = createConsoleApi({ workspace, clock: systemClock, random: Math.random });
  try {
    const front = await createLoopback({
      api,
      staticDir: PAGES,
      port,
      clock: systemClock,
      randomBytes: (size) => randomBytes(size),
      wait: waitOrAbort,
    });
    try {
      announce(workspace, front.url, context);
      if (!args.flags.has("--no-open")) await open(front.mintLink(), context);
      await untilAborted(context.signal);
      context.out("Stopping.\n");
    } finally {
      await front.close();
    }
  } finally {
    await api.dispose();
  }
}

function announce(workspace: Workspace, link: string, context: CliContext): void {
  const where =
    workspace.kind === "embedded"
      ? `the embedded workspace in ${context.dataDir}`
      : `${workspace.baseUrl} (configured by variables)`;
  context.out(
    [
      "Front: a page in the browser (this version has no desktop window yet).",
      `Workspace: ${where}, profile ${workspace.profile}`,
      `Open: ${link}`,
      "The link works once. Ctrl+C ends the console.",
      "",
    ].join("\n"),
  );
}

/** A browser that does not open is no failure: the link is printed. */
async function open(link: string, context: CliContext): Promise<void> {
  const file = join(context.dataDir, "open-console.html");
  await writePrivateFile(file, signpost(link));
  const opened = await openInBrowser(file, context.env);
  if (opened) {
    context.signal.addEventListener("abort", () => void rm(file, { force: true }), { once: true });
    return;
  }
  await rm(file, { force: true });
  context.out("No browser was opened: open the link yourself.\n");
}

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
