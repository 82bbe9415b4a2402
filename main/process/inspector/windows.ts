import type { SystemInspector } from "./types.ts";

const REASON = "Creation times and images of Windows processes cannot be read by this version.";

/**
 * The Windows inspector until it can call `kernel32` (toolchain §9): every answer is "cannot tell". Neither
 * `tasklist` nor PowerShell is asked instead, since an exit code of 0 with no output is not evidence.
 */
export function createWindowsInspector(): SystemInspector {
  return {
    identify: (pid) => ({ pid, processStart: null, image: null }),
    liveness: () => ({ kind: "cannot-tell", reason: REASON }),
    findByAttemptId: () => [],
    searchByAttemptId: () => ({ found: [], inconclusive: REASON }),
    tree: () => ({ members: [], incomplete: REASON }),
  };
}
