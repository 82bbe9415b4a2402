import type { ProcessIdentity } from "../ports.ts";
import type { ProcessHandle } from "../process-handle.ts";
import type { WorkerJob } from "../run-command.ts";
import { createExitWatch, type ExitWatch } from "./exit-watch.ts";
import { createJob, jobMembers, jobName, openJob, terminateJob } from "./job.ts";
import { followed, launchWindows, type WindowsChild, type WindowsLaunch } from "./launch.ts";
import type { Native, NativeLoad } from "./native.ts";
import { ACCESS, openProcess, timesOf, withProcess } from "./process-facts.ts";

/** What Windows does for the process manager through its own calls. */
export interface WindowsPlatform {
  launch(spec: WindowsChild): WindowsLaunch;
  /** The open process of a survivor, or null when it is not this process any more or may not be opened. */
  follow(identity: ProcessIdentity): ProcessHandle | null;
  workerJob(pid: number): WorkerJob | null;
  dispose(): void;
}

/** Null where the calls cannot be made: everything then goes through Node, without job objects. */
export function createWindowsPlatform(
  load: () => NativeLoad,
  own: Readonly<Record<string, string | undefined>>,
): WindowsPlatform | null {
  const loaded = load();
  if (loaded.kind !== "loaded") return null;
  const { native } = loaded;
  let exits: ExitWatch | null = null;
  const watch = (): ExitWatch => {
    exits ??= createExitWatch(native);
    return exits;
  };
  return {
    launch: (spec) => launchWindows(spec, { native, exits: watch(), own }),
    follow: (identity) => follow(native, watch, identity),
    workerJob: (pid) => workerJob(native, pid),
    dispose: () => exits?.dispose(),
  };
}

function follow(native: Native, watch: () => ExitWatch, identity: ProcessIdentity): ProcessHandle | null {
  const { pid, processStart } = identity;
  const opened = openProcess(native, pid, ACCESS.queryLimited | ACCESS.terminate | ACCESS.synchronize);
  if (opened.kind !== "opened") return null;
  const times = timesOf(native, opened.handle);
  if (processStart === null || times?.processStart !== processStart || times.ended) {
    native.call.CloseHandle(opened.handle);
    return null;
  }
  const name = jobName(identity);
  const job = name === null ? null : openJob(native, name);
  return followed(native, watch(), { process: opened.handle, pid }, job);
}

/**
 * Puts a running worker into a job object that ends with this program (electron-desktop §4 C5). Node does the same for
 * the worker itself, but lets what the worker starts out of it.
 */
function workerJob(native: Native, pid: number): WorkerJob | null {
  const job = createJob(native, null, true);
  if (job === null) return null;
  const assigned = withProcess(
    native,
    pid,
    ACCESS.setQuota | ACCESS.terminate | ACCESS.queryLimited,
    (handle) => native.call.AssignProcessToJobObject(job, handle) !== 0n,
    () => false,
  );
  const close = (): void => {
    native.call.CloseHandle(job);
  };
  if (!assigned) {
    close();
    return null;
  }
  return { members: () => jobMembers(native, job), end: () => terminateJob(native, job), close };
}
