import { mkdtempSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CONTROL_PIPE_VARIABLE } from "../../../main/process/control-pipe.ts";
import { createProcessManager } from "../../../main/process/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { createBench, fileAppears } from "./support.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const bench = createBench();
const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

describe("starting a child (electron-desktop §4 C2, C6)", () => {
  it("hands over arguments with blanks, quotes, variables and Japanese unchanged", async () => {
    const { started, spec, path } = bench();
    const args = [
      "",
      "a b",
      '"q"',
      "it's",
      "C:\\dir\\",
      "%PATH%",
      "$HOME",
      "^&|;`id`",
      "受注 集計",
      "--x=y\nz",
    ];
    const child = await started(spec("report-self.mjs", args));
    expect(await child.exited).toEqual({ exitCode: 0, signal: null, forced: false, stopRequested: false });
    expect(JSON.parse(readFileSync(path("stdout.log"), "utf8"))).toMatchObject({ args });
    expect(readFileSync(path("stderr.log"), "utf8")).toBe("人間向けの行\n");
  });

  it("gives the child exactly the environment and the folder of the specification", async () => {
    const { started, spec, path, folder } = bench();
    const child = await started(spec("report-self.mjs", [], { env: { ONLY: "これだけ" } }));
    await child.exited;
    const seen: unknown = JSON.parse(readFileSync(path("stdout.log"), "utf8"));
    expect(seen).toMatchObject({ env: { ONLY: "これだけ" }, cwd: folder });
    expect(seen).not.toHaveProperty("env.PATH");
    expect(seen).not.toHaveProperty("env.HOME");
  });

  it("starts a child without its control pipe when there is no folder for one, and names the folder", async () => {
    vi.stubEnv("TMPDIR", "/nonexistent/temporary");
    const problems: Problem[] = [];
    const { spec, path } = bench();
    const manager = createProcessManager({ onProblem: (problem) => problems.push(problem) });
    const outcome = await manager.start(spec("report-self.mjs", [], { controlPipe: true }));
    if (outcome.kind !== "started") throw new Error(outcome.message);
    expect(await outcome.child.exited).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(readFileSync(path("stdout.log"), "utf8"))).not.toHaveProperty(
      `env.${CONTROL_PIPE_VARIABLE}`,
    );
    expect(problems).toMatchObject([{ code: "CONTROL_PIPE_UNAVAILABLE", place: "/nonexistent/temporary" }]);
    await manager.dispose();
  });

  it('stops a child without its control pipe all the same (orchestration §4.2, "Time limit")', async () => {
    vi.stubEnv("TMPDIR", "/nonexistent/temporary");
    const { started, spec, path } = bench();
    const child = await started(spec("ignore-sigterm.mjs", [path("ready")], { controlPipe: true }));
    await fileAppears(path("ready"));
    await child.stop({ graceMs: 200 });
    expect(await child.exited).toMatchObject({ signal: "SIGKILL", forced: true, stopRequested: true });
  });

  it("creates output files that only this account can read and never writes into an existing one", async () => {
    const { manager, started, spec, path } = bench();
    const child = await started(spec("report-self.mjs", []));
    await child.exited;
    expect(statSync(path("stdout.log")).mode & 0o777).toBe(0o600);
    const before = readFileSync(path("stdout.log"), "utf8");
    const again = await manager.start(spec("report-self.mjs", []));
    expect(again).toMatchObject({ kind: "launch-failed", code: "EEXIST" });
    expect(readFileSync(path("stdout.log"), "utf8")).toBe(before);
  });

  it("lets a child write 50 MB without a reader and end in order", async () => {
    const { started, spec, path } = bench();
    const child = await started(spec("flood.mjs", ["52428800"]));
    expect(await child.exited).toMatchObject({ exitCode: 2 });
    expect(statSync(path("stdout.log")).size).toBe(52_428_800);
  });

  it.each([
    ["a program that does not exist", { command: "/nonexistent/flow" }, "ENOENT"],
    ["a working folder that does not exist", { cwd: "/nonexistent/folder" }, "ENOENT"],
    ["an argument that no system takes", { args: ["a\0b"] }, "ERR_INVALID_ARG_VALUE"],
    ["an output folder that does not exist", { stderrPath: "/nonexistent/err.log" }, "ENOENT"],
    ["a batch file", { command: "/opt/flow.CMD" }, "LAUNCH_FAILED"],
    ["a batch file with a trailing dot", { command: "/opt/flow.bat. " }, "LAUNCH_FAILED"],
    ["a name without a path", { command: "node" }, "LAUNCH_FAILED"],
  ])("proves that nothing was started for %s", async (_name, more, code) => {
    const { manager, spec, folder } = bench();
    const before = openDescriptors();
    // Of its own: other programs of this machine make and remove control pipes in the system's.
    const temporary = mkdtempSync(join(tmpdir(), "flownet-empty-"));
    vi.stubEnv("TMPDIR", temporary);
    const outcome = await manager.start(spec("report-self.mjs", [], { ...more, controlPipe: true }));
    expect(outcome).toMatchObject({ kind: "launch-failed", code });
    expect(readdirSync(folder)).toEqual([]);
    expect(openDescriptors()).toBe(before);
    expect(readdirSync(temporary)).toEqual([]);
    rmdirSync(temporary);
  });

  it("refuses a file without the right to run it, EACCES", async () => {
    const { manager, spec, path } = bench();
    writeFileSync(path("not-a-program"), "text", { mode: 0o600 });
    const outcome = await manager.start(spec("report-self.mjs", [], { command: path("not-a-program") }));
    expect(outcome).toMatchObject({ kind: "launch-failed", code: "EACCES" });
  });

  it("leaves no descriptor and no control pipe behind when a child has ended", async () => {
    const { started, spec } = bench();
    const before = openDescriptors();
    const child = await started(spec("report-self.mjs", [], { controlPipe: true }));
    await child.exited;
    await new Promise((resolve) => setImmediate(resolve));
    expect(openDescriptors()).toBeLessThanOrEqual(before);
  });

  it("starts nothing after it was disposed", async () => {
    const { manager, spec } = bench();
    await manager.dispose();
    expect(await manager.start(spec("report-self.mjs", []))).toMatchObject({ kind: "launch-failed" });
  });
});
