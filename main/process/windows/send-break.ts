/** Raises Ctrl+Break in the process group named by the first argument and ends: 0 when it was raised (decisions §3). */
import { lazyNative } from "./native.ts";

const CTRL_BREAK = 1;
const pid = Number(process.argv[2]);
const loaded = lazyNative()();

function raise(): boolean {
  if (loaded.kind !== "loaded" || !Number.isSafeInteger(pid) || pid <= 0) return false;
  const { FreeConsole, AttachConsole, GenerateConsoleCtrlEvent } = loaded.native.call;
  FreeConsole();
  return AttachConsole(pid) !== 0n && GenerateConsoleCtrlEvent(CTRL_BREAK, pid) !== 0n;
}

process.exitCode = raise() ? 0 : 1;
