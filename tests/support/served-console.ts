import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  createConsoleApi,
  type OpenedWorkspace,
  systemClock,
  waitOrAbort,
} from "../../main/console/index.ts";
import { createLoopback } from "../../main/loopback/index.ts";

const PAGES = join(import.meta.dirname, "..", "..", "build", "renderer");

/** The console of a workspace in this process, with the built pages: the link of its front. The workspace stays its opener's. */
export async function serveConsole(
  workspace: OpenedWorkspace,
  pages = PAGES,
): Promise<{ readonly link: () => string; close(): Promise<void> }> {
  const api = createConsoleApi({ workspace, clock: systemClock, random: Math.random });
  const front = await createLoopback({
    api,
    staticDir: pages,
    port: 0,
    clock: systemClock,
    randomBytes: (size) => randomBytes(size),
    wait: waitOrAbort,
  });
  return {
    link: front.mintLink,
    async close() {
      await front.close();
      await api.dispose();
    },
  };
}
