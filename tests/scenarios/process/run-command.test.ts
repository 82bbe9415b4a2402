import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { childProgram, createBench, fact, fileAppears } from "./support.ts";

const bench = createBench();
const limits = { timeoutMs: 60_000, maxOutputBytes: 65_536 };
const command = (program: string, args: readonly string[], cwd: string) => ({
  command: process.execPath,
  args: [childProgram(program), ...args],
  cwd,
  env: {},
});

describe("a short command with bounded output (execution-contract §1)", () => {
  it("returns both outputs and the exit", async () => {
    const { manager, folder } = bench();
    const outcome = await manager.runCommand(command("report-self.mjs", ["値"], folder), limits);
    expect(outcome).toMatchObject({
      exit: { exitCode: 0, forced: false },
      stderr: "人間向けの行\n",
      timedOut: false,
      cancelled: false,
      truncated: false,
      launchFailure: null,
    });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ args: ["値"] });
  });

  it("keeps the first bytes of a flood of 50 MB and lets it end", async () => {
    const { manager, folder } = bench();
    const outcome = await manager.runCommand(command("flood.mjs", ["52428800"], folder), limits);
    expect(outcome).toMatchObject({ exit: { exitCode: 2 }, truncated: true });
    expect(outcome.stdout.length).toBe(65_536);
  });

  it("ends a command that takes too long, with force where it must", async () => {
    const { manager, folder, path, inspector } = bench();
    const running = manager.runCommand(command("ignore-sigterm.mjs", [path("ready")], folder), {
      ...limits,
      timeoutMs: 3_000,
    });
    await fileAppears(path("ready"));
    await fact("its number is written", () => readFileSync(path("ready"), "utf8") !== "");
    const pid = Number(readFileSync(path("ready"), "utf8"));
    expect(await running).toMatchObject({
      timedOut: true,
      cancelled: false,
      exit: { signal: "SIGKILL", forced: true },
    });
    expect(inspector.identify(pid)).toBeNull();
  });

  it("ends a command that is cancelled", async () => {
    const { manager, folder, path } = bench();
    const abort = new AbortController();
    const running = manager.runCommand(command("hang.mjs", [path("ready")], folder), {
      ...limits,
      signal: abort.signal,
    });
    await fileAppears(path("ready"));
    abort.abort();
    expect(await running).toMatchObject({
      timedOut: false,
      cancelled: true,
      exit: { signal: "SIGTERM", stopRequested: true },
    });
  });

  it("ends its commands when the manager is disposed", async () => {
    const { manager, folder, path } = bench();
    const running = manager.runCommand(command("hang.mjs", [path("ready")], folder), limits);
    await fileAppears(path("ready"));
    await manager.dispose();
    expect(await running).toMatchObject({ exit: { stopRequested: true } });
  });

  it("tells a failed launch as an outcome", async () => {
    const { manager, folder } = bench();
    const outcome = await manager.runCommand(
      { ...command("report-self.mjs", [], folder), command: "/nonexistent/program" },
      limits,
    );
    expect(outcome).toMatchObject({ exit: null });
    expect(outcome.launchFailure).toContain("ENOENT");
  });
});
