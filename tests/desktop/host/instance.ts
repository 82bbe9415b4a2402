import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/**
 * The lock of the one instance, synchronous as Electron's: a file with the holder's PID, and a folder in which later
 * starts leave their command lines. True for the holder.
 */
export function claimInstance(userData: string, started: (argv: readonly string[]) => void): boolean {
  const calls = join(userData, "second-starts");
  mkdirSync(calls, { recursive: true });
  const lock = join(userData, "instance.lock");
  if (!hold(lock)) {
    const name = join(calls, `${process.pid}.json`);
    writeFileSync(`${name}.part`, JSON.stringify(process.argv));
    renameSync(`${name}.part`, name);
    return false;
  }
  process.on("exit", () => rmSync(lock, { force: true }));
  watch(calls, () => take(calls, started)).unref();
  return true;
}

function hold(lock: string): boolean {
  try {
    const file = openSync(lock, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch {
    if (isAlive(Number(readFileSync(lock, "utf8")))) return false;
    rmSync(lock, { force: true });
    return hold(lock);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function take(calls: string, started: (argv: readonly string[]) => void): void {
  for (const name of readdirSync(calls).filter((each) => each.endsWith(".json"))) {
    const path = join(calls, name);
    const argv: readonly string[] = JSON.parse(readFileSync(path, "utf8"));
    rmSync(path, { force: true });
    started(argv);
  }
}
