import { resolve } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { JournalMode, SuiteName } from "../../drills/index.ts";
import { invalid, type ParsedArguments } from "../arguments.ts";
import type { Command } from "../command.ts";
import { problemOf, problemText } from "../problem-text.ts";
import { stageLines } from "../render-drill.ts";
import { readVersion } from "../version.ts";

/** An existing output folder has an exit code of its own (retry-boundaries §2). */
const EXIT_OUTPUT_EXISTS = 2;

/**
 * `drill retry-boundaries`: the experiment of retry-boundaries §2. Standard output is the status line alone;
 * the table and the caveats for the person watching go to standard error.
 */
export const drillRetryBoundaries: Command = {
  spec: {
    name: "drill retry-boundaries",
    summary: "Shows with real processes where a repeated request loses, doubles or keeps an update.",
    positional: null,
    options: [
      { name: "--output", value: "folder", text: "a new folder for the evidence", required: true },
      { name: "--suite", value: "A-G|extended-db", text: "which cases; A-G when absent" },
      { name: "--journal", value: "delete|wal", text: "SQLite's journal mode; delete when absent" },
    ],
    example: "flownet drill retry-boundaries --output ./evidence-1",
  },
  fallbackCode: "DRILL_FAILED",
  async run({ values }, context) {
    const { runRetryBoundaries } = await import("../../drills/index.ts");
    const suite = suiteOf(values);
    const journalMode = journalModeOf(values);
    try {
      const { status, results } = await runRetryBoundaries(
        {
          output: resolve(context.cwd, values["--output"] ?? ""),
          suite,
          journalMode,
          applicationVersion: readVersion(),
          signal: context.signal,
          onStderr: context.err,
        },
        { node: process.execPath, now: () => new Date() },
      );
      context.err(stageLines(results));
      context.out(`${JSON.stringify(status)}\n`);
      return status.status === "COMPLETE" ? 0 : 1;
    } catch (error) {
      const problem = problemOf(error, "DRILL_FAILED");
      if (problem.code !== "OUTPUT_EXISTS") throw error;
      context.err(problemText(problem));
      return EXIT_OUTPUT_EXISTS;
    }
  },
};

function suiteOf(values: ParsedArguments["values"]): SuiteName {
  const name = values["--suite"] ?? "A-G";
  if (name === "A-G" || name === "extended-db") return name;
  throw new FlowError(invalid(`There is no suite ${name}.`, "--suite", "Give A-G or extended-db."));
}

function journalModeOf(values: ParsedArguments["values"]): JournalMode {
  const mode = values["--journal"] ?? "delete";
  if (mode === "delete" || mode === "wal") return mode;
  throw new FlowError(invalid(`There is no journal mode ${mode}.`, "--journal", "Give delete or wal."));
}
