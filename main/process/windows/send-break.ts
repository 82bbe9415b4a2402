/** Raises Ctrl+Break in the process group named by the first argument and ends (decisions §3): 0 when it was raised. */
import { lazyNative } from "./native.ts";

const CTRL_BREAK = 1;
const NOT_ASKED = 2;
const NO_CONSOLE = 3;
const REFUSED = 4;

/** The exit code; which step failed is for whoever runs this by hand (docs/windows-checklist.md). */
function raise(pid: number): number {
  const loaded = lazyNative()();
  if (loaded.kind !== "loaded" || !Number.isSafeInteger(pid) || pid <= 0) return NOT_ASKED;
  const { FreeConsole, AttachConsole, GenerateConsoleCtrlEvent } = loaded.native.call;
  FreeConsole();
  if (AttachConsole(pid) === 0n) return NO_CONSOLE;
  return GenerateConsoleCtrlEvent(CTRL_BREAK, pid) === 0n ? REFUSED : 0;
}

process.exitCode = raise(Number(process.argv[2]));
