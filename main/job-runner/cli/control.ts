import { connect } from "node:net";
import { RUNNER_EXIT } from "../../../shared/contract/exit-codes.ts";

/** Environment variable naming the pipe a parent may cancel through (decisions §3). */
const CONTROL_PIPE_VARIABLE = "FLOWNET_CONTROL_PIPE";

/**
 * Listens for the line `cancel` on the pipe named in the environment. A pipe that cannot be opened, breaks or
 * closes is ignored: a console that ends cancels nothing. Never keeps the process alive.
 */
export function listenForCancel(
  environment: Readonly<Record<string, string | undefined>>,
  onCancel: () => void,
): { dispose(): void } {
  const address = environment[CONTROL_PIPE_VARIABLE];
  if (address === undefined || address === "") return { dispose: () => undefined };
  const socket = connect(address);
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n");
    text = (lines.pop() ?? "").slice(-64);
    if (lines.some((line) => line.trim() === "cancel")) onCancel();
  });
  socket.on("error", () => socket.destroy());
  socket.unref();
  return { dispose: () => socket.destroy() };
}

const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];

/** First signal: end in order; second: exit 3 at once, leaving everything as it is (execution-contract §9). */
export function listenForSignals(onCancel: () => void): { dispose(): void } {
  let seen = 0;
  const onSignal = (): void => {
    seen += 1;
    if (seen > 1) process.exit(RUNNER_EXIT.environment);
    onCancel();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    dispose() {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    },
  };
}
