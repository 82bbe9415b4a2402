import type { SystemInspector } from "./inspector/types.ts";
import { batchRefused, fromCode, fromError, type LaunchFailure, launch } from "./launch.ts";
import { removeLocked } from "./locked-files.ts";
import { openOutputs } from "./outputs.ts";
import type { ChildSpec, ProcessIdentity } from "./ports.ts";
import { handleOfChild, type ProcessHandle } from "./process-handle.ts";
import { isBatchFile } from "./windows/batch.ts";
import type { WindowsPlatform } from "./windows/platform.ts";

export interface Started {
  readonly kind: "running";
  readonly handle: ProcessHandle;
  readonly identity: ProcessIdentity;
  /** Leader of a process group that can be signalled as a whole. */
  readonly ownGroup: boolean;
  /** It may end with this program, because a job object around both does not let it out (Windows). */
  readonly mayEndWithUs: boolean;
}

export interface StartDeps {
  readonly inspector: SystemInspector;
  readonly platform: NodeJS.Platform;
  /** Null on other systems and where its calls cannot be made. */
  readonly windows: WindowsPlatform | null;
}

/**
 * Starts a child that survives this program, its output in files of its own. After a failure nothing runs and no
 * output file is left. Never rejects.
 */
export async function startChild(spec: ChildSpec, deps: StartDeps): Promise<Started | LaunchFailure> {
  try {
    return deps.windows === null ? await startByNode(spec, deps) : await startByWindows(spec, deps.windows);
  } catch (error) {
    return fromError(error, spec);
  }
}

async function startByNode(
  spec: ChildSpec,
  { inspector, platform }: StartDeps,
): Promise<Started | LaunchFailure> {
  const outputs = await openOutputs(spec.stdoutPath, spec.stderrPath);
  const launched = await launch(spec, ["ignore", outputs.stdout, outputs.stderr], true);
  if (launched.kind === "launch-failed") {
    await outputs.discard();
    return launched;
  }
  const { handle, pid } = launched;
  // Before anything is awaited: the row of the process stays in the table at least until we collect its exit.
  const identity = inspector.identify(pid) ?? { pid, processStart: null, image: null };
  const followed = handleOfChild(handle, pid, platform);
  // The child runs whatever becomes of our ends of its files; a failure here must not read as "not started".
  await outputs.close().catch(() => undefined);
  return { kind: "running", handle: followed, identity, ownGroup: platform !== "win32", mayEndWithUs: false };
}

async function startByWindows(spec: ChildSpec, windows: WindowsPlatform): Promise<Started | LaunchFailure> {
  const launched = windows.launch(spec);
  if (launched.kind === "started") {
    const { handle, identity, mayEndWithUs } = launched;
    return { kind: "running", handle, identity, ownGroup: false, mayEndWithUs };
  }
  for (const path of launched.created) await removeLocked(path);
  const { why } = launched;
  if (why === null) return fromCode(launched.code, spec);
  return isBatchFile(spec.command)
    ? batchRefused(spec.command, why)
    : { kind: "launch-failed", code: launched.code, message: `${spec.command} was not started: ${why}.` };
}
