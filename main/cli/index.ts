/** `flownet`: the command line (orchestration section 9). The process and nothing else; see `run-cli.ts`. */
import { runCli } from "./run-cli.ts";

const stop = new AbortController();
const onSignal = (): void => {
  // A second request while the first is being obeyed ends the process the hard way.
  if (stop.signal.aborted) process.exit(1);
  stop.abort();
};
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  signal: stop.signal,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
