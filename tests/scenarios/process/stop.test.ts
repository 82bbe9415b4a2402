import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createBench, fact, fileAppears } from "./support.ts";

const bench = createBench();

describe("stopping a child in steps (orchestration §4.2, electron-desktop §4 C4)", () => {
  it("asks first: a child that obeys SIGTERM is not forced", async () => {
    const { started, spec, path } = bench();
    const child = await started(spec("hang.mjs", [path("ready")]));
    await fileAppears(path("ready"));
    await child.stop({ graceMs: 20_000 });
    expect(await child.exited).toEqual({
      exitCode: null,
      signal: "SIGTERM",
      forced: false,
      stopRequested: true,
    });
  });

  it("ends a child that ignores the request by force, and says so", async () => {
    const { started, spec, path, inspector } = bench();
    const child = await started(spec("ignore-sigterm.mjs", [path("ready")]));
    await fileAppears(path("ready"));
    await child.stop({ graceMs: 200 });
    expect(await child.exited).toEqual({
      exitCode: null,
      signal: "SIGKILL",
      forced: true,
      stopRequested: true,
    });
    expect(inspector.liveness(child.identity)).toEqual({ kind: "gone" });
  });

  it("ends a grandchild that left the group and ignores everything", async () => {
    const { started, spec, path, inspector } = bench();
    const child = await started(spec("stubborn-family.mjs", [path("grandchild")]));
    await fileAppears(path("grandchild"));
    await fact("its number is written", () => readFileSync(path("grandchild"), "utf8") !== "");
    const grandchild = inspector.identify(Number(readFileSync(path("grandchild"), "utf8")));
    if (grandchild === null) throw new Error("the grandchild is not there");
    expect(inspector.tree(child.identity).members).toContainEqual(grandchild);
    await child.stop({ graceMs: 400 });
    expect(await child.exited).toMatchObject({ exitCode: 0, stopRequested: true });
    expect(inspector.liveness(grandchild)).toEqual({ kind: "gone" });
  });

  it("asks a listener over the control pipe and sends it no signal", async () => {
    const { started, spec, path } = bench();
    const child = await started(
      spec("listen-for-cancel.mjs", [path("ready"), path("closed")], { controlPipe: true }),
    );
    await fileAppears(path("ready"));
    await child.stop({ graceMs: 20_000 });
    expect(await child.exited).toEqual({ exitCode: 3, signal: null, forced: false, stopRequested: true });
  });

  it("tells a child that connects after the request", async () => {
    const { started, spec, path } = bench();
    const child = await started(
      spec("late-listener.mjs", [path("ready"), path("go")], { controlPipe: true }),
    );
    await fileAppears(path("ready"));
    const stopped = child.stop({ graceMs: 20_000 });
    writeFileSync(path("go"), "");
    await stopped;
    expect(await child.exited).toMatchObject({ exitCode: 3, forced: false });
  });

  it("cancels nothing when it is disposed: the child sees a closed pipe and lives on", async () => {
    const { manager, started, spec, path, inspector } = bench();
    const child = await started(
      spec("listen-for-cancel.mjs", [path("ready"), path("closed")], { controlPipe: true }),
    );
    await fileAppears(path("ready"));
    await manager.dispose();
    await fileAppears(path("closed"));
    expect(inspector.liveness(child.identity)).toEqual({ kind: "alive-ours" });
  });

  it("does nothing to a child that has ended, and answers twice alike", async () => {
    const { started, spec, path } = bench();
    const child = await started(spec("report-self.mjs", []));
    const exit = await child.exited;
    await Promise.all([child.stop({ graceMs: 10 }), child.stop({ graceMs: 10 })]);
    expect(exit).toEqual({ exitCode: 0, signal: null, forced: false, stopRequested: false });
    expect(existsSync(path("stdout.log"))).toBe(true);
  });
});
