import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { settledWithin } from "../wait.ts";

/** Attaching to a console and raising an event takes milliseconds; the rest is the start of a program. */
const LIMIT_MS = 10_000;
const HELPER = new URL("./send-break.ts", import.meta.url);

/**
 * Raises Ctrl+Break in the process group that `pid` leads. A short helper does it, because a program has one console
 * only and would have to leave its own (decisions §3, "Cancelling a child"). True when the event was raised: what the
 * child made of it shows in its end alone.
 */
export async function sendCtrlBreak(pid: number, node: string): Promise<boolean> {
  const helper = spawn(node, ["--disable-warning=ExperimentalWarning", fileURLToPath(HELPER), String(pid)], {
    stdio: "ignore",
    windowsHide: true,
    shell: false,
  });
  const ended = new Promise<number | null>((resolve) => {
    helper.once("error", () => resolve(null));
    helper.once("exit", (code) => resolve(code));
  });
  if (await settledWithin(ended, LIMIT_MS)) return (await ended) === 0;
  helper.kill();
  return false;
}
