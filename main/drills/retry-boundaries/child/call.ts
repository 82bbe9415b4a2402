import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { childArgv } from "./arguments.ts";
import type { ChildContext } from "./context.ts";

/** Far above the few milliseconds a call takes, far below the limit of the calling child. */
const CALL_LIMIT_MS = 10_000;

/**
 * Asks another real process and waits for its answer (retry-boundaries §10, cases J2 and K). Its points are
 * passed on with its role in front. True when it answered; false when it ended without an answer.
 */
function call(context: ChildContext, role: string, database: string, stop: string): boolean {
  const [, program] = process.argv;
  if (program === undefined) throw new Error("this process does not know its own program");
  const argv = childArgv({ ...context.args, role, database, stop });
  const answer = spawnSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: CALL_LIMIT_MS,
    windowsHide: true,
  });
  for (const line of answer.stdout.split("\n").filter((text) => text !== "")) {
    context.say(`${role}:${pointOf(line)}`);
  }
  return answer.status === 0;
}

function pointOf(line: string): string {
  const said: unknown = JSON.parse(line);
  if (typeof said === "object" && said !== null && "point" in said) return String(said.point);
  throw new Error("the called process said something that is no point");
}

/** A service that commits and ends without answering leaves its caller with an unknown outcome. */
export function callService(context: ChildContext): void {
  const stop = context.input.calledStop ?? "none";
  context.say(call(context, "service", context.args.database, stop) ? "ANSWERED" : "AMBIGUOUS");
}

/** The receiver owns its database; the sender only asks. */
export function callReceiver(context: ChildContext): void {
  const database = join(dirname(context.args.database), "receiver.sqlite");
  if (!call(context, "receiver", database, "none")) throw new Error("the receiver did not answer");
}
