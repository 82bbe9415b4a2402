import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type Child,
  type ChildSpec,
  createInspector,
  createProcessManager,
  type ProcessIdentity,
  type ProcessManager,
  type ProcessManagerDeps,
  removeLocked,
  type SystemInspector,
} from "../../main/process/index.ts";

export const onWindows = process.platform === "win32";
/** A process start takes a quarter of a second under Wine, and two cores may be shared. */
const FACT_LIMIT_MS = 60_000;
/** The forced part of a stop is waited for as long; nothing that obeys needs it. */
export const GRACE_MS = 20_000;

export const program = (name: string): string =>
  fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
/** Node's arguments in front of a program of ours: it is TypeScript, and this Node may warn of that. */
export const nodeArgs = (name: string, args: readonly string[]): readonly string[] => [
  "--disable-warning=ExperimentalWarning",
  program(name),
  ...args,
];

/** Waits until a fact holds; fails with what was asked when it does not within the bound. */
export async function fact<T>(what: string, look: () => T | null | false): Promise<T> {
  const end = performance.now() + FACT_LIMIT_MS;
  for (;;) {
    const seen = look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() > end) assert.fail(`it never came true: ${what}`);
    await delay(20);
  }
}

export const fileText = (path: string): Promise<string> =>
  fact(`${path} is there`, () => (existsSync(path) ? readFileSync(path, "utf8") : null));

export interface Bench {
  readonly folder: string;
  readonly manager: ProcessManager;
  readonly inspector: SystemInspector;
  path(name: string): string;
  /** Done at the end of the test, before its folder is removed. */
  atEnd(close: () => Promise<void>): void;
  /** A child that behaves as `children/behave.ts` says; its output goes to `out` and `err`. */
  spec(args: readonly string[], more?: Partial<ChildSpec>): ChildSpec;
  started(spec: ChildSpec): Promise<Child>;
  /** The identity of the process whose number a child wrote into this file. */
  identityIn(path: string): Promise<ProcessIdentity>;
}

/** A folder and a manager of this test; every child it leaves is ended by force, and the folder is removed. */
export function benchFor(test: TestContext, deps: ProcessManagerDeps = {}): Bench {
  const folder = mkdtempSync(join(tmpdir(), "flownet 試験 & "));
  const inspector = createInspector();
  const manager = createProcessManager({ inspector, ...deps });
  const children: Child[] = [];
  const seen: ProcessIdentity[] = [];
  const closings: (() => Promise<void>)[] = [];
  test.after(async () => {
    for (const close of closings) await close();
    for (const child of children) await child.stop({ graceMs: 1 });
    for (const identity of seen) inspector.end(identity);
    await manager.dispose();
    await removeLocked(folder);
  });
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    manager,
    inspector,
    path,
    atEnd: (close) => void closings.push(close),
    spec: (args, more = {}) => ({
      command: process.execPath,
      args: nodeArgs("behave", args),
      cwd: folder,
      env: {},
      stdoutPath: path("out"),
      stderrPath: path("err"),
      controlPipe: false,
      ...more,
    }),
    started: async (spec) => {
      const outcome = await manager.start(spec);
      if (outcome.kind !== "started") assert.fail(outcome.message);
      children.push(outcome.child);
      return outcome.child;
    },
    identityIn: async (file) => {
      const pid = Number(await fileText(file));
      const identity = inspector.identify(pid);
      if (identity === null) assert.fail(`process ${pid} is not there`);
      seen.push(identity);
      return identity;
    },
  };
}
