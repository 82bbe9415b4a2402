/** `flownet`: the command line (orchestration section 9). The process and nothing else; see `run-cli.ts`. */
import { writeSync } from "node:fs";
import { problemText } from "./problem-text.ts";
import { runCli } from "./run-cli.ts";
import { createStopping } from "./stopping.ts";

const stopping = createStopping({
  monotonicMs: () => performance.now(),
  err: (text) => process.stderr.write(text),
  end({ problem, out }) {
    // Written past the streams: the process ends in this turn, and what a pipe still buffered would be lost.
    write(process.stderr.fd, problemText(problem));
    if (out !== null) write(process.stdout.fd, out);
    process.exit(1);
  },
});
process.on("SIGINT", stopping.request);
process.on("SIGTERM", stopping.request);
// Ctrl+Break, which service managers send; elsewhere there is no such signal.
if (process.platform === "win32") process.on("SIGBREAK", stopping.request);

function write(file: number, text: string): void {
  try {
    writeSync(file, text);
  } catch {
    // Nobody reads it, or not fast enough: the process was asked twice to end, and ends.
  }
}

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  signal: stopping.signal,
  onStop: stopping.use,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
