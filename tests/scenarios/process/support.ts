import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, vi } from "vitest";
import {
  type Child,
  type ChildSpec,
  createInspector,
  createProcessManager,
  type ProcessManager,
} from "../../../main/process/index.ts";

export const childProgram = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/children/${name}`, import.meta.url));

/** Waits until a fact holds; fails with what was asked when it does not within the bound. */
export async function fact(what: string, holds: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(holds(), what).toBe(true), { timeout: 20_000, interval: 20 });
}

export const fileAppears = (path: string): Promise<void> => fact(`${path} exists`, () => existsSync(path));

export interface Bench {
  readonly manager: ProcessManager;
  readonly inspector: ReturnType<typeof createInspector>;
  readonly folder: string;
  path(name: string): string;
  spec(program: string, args: readonly string[], more?: Partial<ChildSpec>): ChildSpec;
  started(spec: ChildSpec): Promise<Child>;
}

/** A folder and a manager for each test; every child a test leaves is ended, and the end is verified. */
export function createBench(): () => Bench {
  let bench: Bench | null = null;
  let children: Child[] = [];
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "flownet process 試験 "));
    const manager = createProcessManager();
    const path = (name: string): string => join(folder, name);
    children = [];
    bench = {
      manager,
      folder,
      path,
      inspector: createInspector(),
      spec: (program, args, more = {}) => ({
        command: process.execPath,
        args: [childProgram(program), ...args],
        cwd: folder,
        env: {},
        stdoutPath: path("stdout.log"),
        stderrPath: path("stderr.log"),
        controlPipe: false,
        ...more,
      }),
      started: async (spec) => {
        const outcome = await manager.start(spec);
        if (outcome.kind !== "started") throw new Error(outcome.message);
        children.push(outcome.child);
        return outcome.child;
      },
    };
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.stop({ graceMs: 200 })));
    await Promise.all(children.map((child) => child.exited));
    await bench?.manager.dispose();
    if (bench !== null) rmSync(bench.folder, { recursive: true, force: true });
  });
  return () => {
    if (bench === null) throw new Error("the bench exists inside a test only");
    return bench;
  };
}
