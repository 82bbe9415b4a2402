import { existsSync } from "node:fs";
import { join } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { ParsedArguments } from "../arguments.ts";
import { invalid } from "../arguments.ts";
import type { Command } from "../command.ts";

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
    const { serveConsole } = await import("../serve-console.ts");
    await serveConsole({ pages: PAGES, port, open: !args.flags.has("--no-open") }, context);
    return 0;
  },
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
