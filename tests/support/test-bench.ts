import { afterAll, beforeAll } from "vitest";
import { type FlowRecords, openFlowRecords } from "./flow-records.ts";
import { openScriptedWorkspace, type RunnerFiles, type ScriptedWorkspace } from "./scripted-workspace.ts";

/** A scripted workspace that a test file uses, and the records behind it. It lives as long as the file's tests. */
export interface TestBench extends Omit<ScriptedWorkspace, "dispose"> {
  readonly records: Omit<FlowRecords, "dispose">;
}

/** Opens a bench before the tests of a file and disposes it after them. Its members are there once the tests run. */
export function benchForTests(runner?: RunnerFiles): TestBench {
  let opened: { readonly bench: ScriptedWorkspace; readonly records: FlowRecords } | null = null;
  beforeAll(async () => {
    const bench = await openScriptedWorkspace(runner);
    opened = { bench, records: openFlowRecords(bench.kintone) };
  });
  afterAll(async () => {
    await opened?.records.dispose();
    await opened?.bench.dispose();
  });
  const the = () => {
    if (opened === null) throw new Error("the bench is not open yet: use it inside a test or a hook");
    return opened;
  };
  return {
    get folder() {
      return the().bench.folder;
    },
    get workDir() {
      return the().bench.workDir;
    },
    get kintone() {
      return the().bench.kintone;
    },
    get proxy() {
      return the().bench.proxy;
    },
    get workspace() {
      return the().bench.workspace;
    },
    get runnerProgram() {
      return the().bench.runnerProgram;
    },
    get records() {
      return the().records;
    },
    network: (...args) => the().bench.network(...args),
    override: (...args) => the().bench.override(...args),
    run: (...args) => the().bench.run(...args),
    graph: (...args) => the().bench.graph(...args),
    starts: (...args) => the().bench.starts(...args),
    started: (...args) => the().bench.started(...args),
  };
}
