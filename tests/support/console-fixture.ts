import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ConsoleApiHost,
  createConsoleApi,
  type OpenedWorkspace,
  openEmbedded,
  systemClock,
  waitOrAbort,
} from "../../main/console/index.ts";
import { createLoopback, type Loopback } from "../../main/loopback/index.ts";
import type { Clock } from "../../main/store/index.ts";
import type { ConsoleApi } from "../../shared/api/index.ts";
import type { Result } from "../../shared/domain/problem.ts";
import { connectPage } from "./socket-client.ts";

/** The console over a workspace, its loopback front, and a page that calls over a real socket. */
export interface ConsoleFixture {
  readonly workspace: OpenedWorkspace;
  readonly host: ConsoleApiHost;
  readonly front: Loopback;
  readonly api: ConsoleApi;
  close(): Promise<void>;
}

/** The same over the embedded workspace of a data folder of its own. */
export interface EmbeddedConsole extends ConsoleFixture {
  readonly dataDir: string;
}

/** Opens a front with a page over a workspace that somebody else disposes. */
export async function openConsoleOver(
  workspace: OpenedWorkspace,
  clock: Clock = systemClock,
): Promise<ConsoleFixture> {
  const host = createConsoleApi({ workspace, clock, random: Math.random });
  const front = await createLoopback({
    api: host,
    // The pages are not asked for here; any folder will do.
    staticDir: import.meta.dirname,
    port: 0,
    clock: systemClock,
    randomBytes: (size) => randomBytes(size),
    wait: waitOrAbort,
  });
  const page = await connectPage(front.url);
  return {
    workspace,
    host,
    front,
    api: page.api,
    async close() {
      await page.close();
      await front.close();
      await host.dispose();
    },
  };
}

/** `prepare` works in the workspace before the console opens over it. */
export async function openConsole(
  options: { readonly clock?: Clock; readonly prepare?: (workspace: OpenedWorkspace) => Promise<void> } = {},
): Promise<EmbeddedConsole> {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-console-"));
  const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
  await options.prepare?.(workspace);
  const opened = await openConsoleOver(workspace, options.clock);
  return {
    ...opened,
    dataDir,
    async close() {
      await opened.close();
      await workspace.dispose();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The value of an answer; a problem fails the test with its words. */
export function value<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value;
}

/** The code of an answer's problem; null for a value. */
export function code(answer: Result<unknown>): string | null {
  return answer.ok ? null : answer.error.code;
}
