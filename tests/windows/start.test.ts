import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { benchFor, onWindows } from "./support.ts";

interface Report {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What `behave.ts report` wrote. */
function reportIn(path: string): Report {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  assert.ok(typeof value === "object" && value !== null && "args" in value && "env" in value);
  return value as Report;
}

describe("starting a child (electron-desktop §4 C2, C6)", () => {
  it("hands over every argument letter by letter and keeps the encoding of what it prints", async (test) => {
    const bench = benchFor(test);
    const args = [
      "",
      "a b",
      '"q"',
      'tail\\"',
      "C:\\dir\\",
      "C:\\a dir\\",
      "%PATH%",
      "^&|<>;`id`$(id)",
      "受注 集計",
      "--x=y\tz",
      "'",
      "\\\\server\\share\\",
      "😀",
    ];
    const child = await bench.started(bench.spec(["report", ...args]));
    const exit = await child.exited;
    assert.deepEqual(exit, { exitCode: 0, signal: null, forced: false, stopRequested: false });
    assert.deepEqual(reportIn(bench.path("out")).args, args);
    assert.equal(readFileSync(bench.path("err"), "utf8"), "人間向けの行\n");
  });

  it("gives it the environment it was meant to have and nothing of ours beside", async (test) => {
    const bench = benchFor(test);
    process.env.FLOWNET_TEST_PARENT_SECRET = "not for children";
    test.after(() => delete process.env.FLOWNET_TEST_PARENT_SECRET);
    const child = await bench.started(bench.spec(["report"], { env: { ONLY: "これだけ" } }));
    await child.exited;
    const { env, cwd } = reportIn(bench.path("out"));
    assert.equal(env.ONLY, "これだけ");
    assert.equal(cwd, bench.folder);
    const needed = ["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TEMP", "TMP"];
    // Wine and Windows themselves may add variables of their own; none of them is ours.
    const allowed = onWindows ? /^(?:ONLY|WINE.*|=.*)$/ : /^ONLY$/;
    const more = Object.keys(env).filter(
      (name) => !allowed.test(name) && !(onWindows && needed.includes(name.toUpperCase())),
    );
    assert.deepEqual(more, []);
  });

  it("puts its output where the path is longer than 260 letters", async (test) => {
    const bench = benchFor(test);
    const deep = join(bench.folder, ...Array.from({ length: 6 }, (_, at) => `${at} 深い ${"x".repeat(50)}`));
    mkdirSync(onWindows ? `\\\\?\\${deep}` : deep, { recursive: true });
    const stdoutPath = join(deep, "out");
    assert.ok(stdoutPath.length > 260);
    const child = await bench.started(
      bench.spec(["report", "long"], { stdoutPath, stderrPath: join(deep, "err") }),
    );
    await child.exited;
    assert.deepEqual(reportIn(onWindows ? `\\\\?\\${stdoutPath}` : stdoutPath).args, ["long"]);
  });

  it("passes every exit code through", async (test) => {
    const bench = benchFor(test);
    for (const code of onWindows ? [0, 5, 255, 256, 3_221_225_786] : [0, 5, 255]) {
      const paths = { stdoutPath: bench.path(`out ${code}`), stderrPath: bench.path(`err ${code}`) };
      const child = await bench.started(bench.spec(["end", String(code)], paths));
      assert.equal((await child.exited).exitCode, code);
    }
  });

  it("proves that nothing was started, leaves no file, and never writes into an existing one", async (test) => {
    const bench = benchFor(test);
    const cases = [
      [{ command: bench.path("no such program.exe") }, "ENOENT"],
      [{ cwd: bench.path("no such folder") }, "ENOENT"],
      [{ stderrPath: bench.path(join("no such folder", "err")) }, "ENOENT"],
      [{ command: "node" }, "LAUNCH_FAILED"],
      [{ args: ["--api-token=abcdefgh1"], env: { LOG_API_TOKEN: "abcdefgh1" } }, "LAUNCH_FAILED"],
    ] as const;
    for (const [more, code] of cases) {
      const outcome = await bench.manager.start(bench.spec(["report"], more));
      assert.doesNotMatch(JSON.stringify(outcome), /abcdefgh1/);
      assert.equal(
        outcome.kind === "launch-failed" ? outcome.code : outcome.kind,
        code,
        JSON.stringify(more),
      );
      assert.deepEqual(readdirSync(bench.folder), []);
    }
    const child = await bench.started(bench.spec(["report"]));
    await child.exited;
    const before = readFileSync(bench.path("out"));
    const again = await bench.manager.start(bench.spec(["report"]));
    assert.equal(again.kind === "launch-failed" ? again.code : again.kind, "EEXIST");
    assert.deepEqual(readFileSync(bench.path("out")), before);
  });
});
