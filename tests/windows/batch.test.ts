import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { batchCommand } from "../../main/process/windows/batch.ts";
import { benchFor, onWindows, program } from "./support.ts";

describe("a runner that is a batch file (CVE-2024-27980)", () => {
  it("is run with every word in quotes, by the shell of the system and no other", () => {
    assert.deepEqual(batchCommand("C:\\a & b\\run.cmd", ["x y", "", "C:\\dir\\", "a&b"], "C:\\Windows"), {
      kind: "line",
      shell: "C:\\Windows\\System32\\cmd.exe",
      rest: '/d /e:on /v:off /s /c ""C:\\a & b\\run.cmd" "x y" "" "C:\\dir\\\\" "a&b""',
    });
  });

  it("is refused with words that no quoting protects", () => {
    const bad = ['say "hi"', "%PATH%", "100%", "wow!", "a\nb", "a\rb", "a\0b"];
    for (const word of bad) {
      assert.equal(batchCommand("C:\\run.cmd", [word], "C:\\Windows").kind, "refused", JSON.stringify(word));
      assert.equal(batchCommand(`C:\\${word}.cmd`, [], "C:\\Windows").kind, "refused", JSON.stringify(word));
    }
    assert.equal(batchCommand("C:\\run.cmd", ["x".repeat(8_200)], "C:\\Windows").kind, "refused");
    assert.equal(batchCommand("C:\\run.cmd. ", [], "C:\\Windows").kind, "refused");
  });

  it("starts nothing beside the runner, whatever its arguments say", async (test) => {
    const bench = benchFor(test);
    const command = bench.path("ランナー & co.cmd");
    writeFileSync(command, `@"${process.execPath}" "${program("behave")}" report %*\r\n@exit /b 5\r\n`);
    const marker = bench.path("injected");
    const args = [
      "plain",
      "a b",
      "&",
      `& echo x> "${marker.replaceAll('"', "")}`.replaceAll('"', ""),
      "受注",
      "|<>^",
    ];
    const outcome = await bench.manager.start(bench.spec([], { command, args }));
    if (!onWindows) {
      assert.equal(outcome.kind, "launch-failed");
      return;
    }
    if (outcome.kind !== "started") assert.fail(outcome.message);
    assert.equal((await outcome.child.exited).exitCode, 5);
    const seen: unknown = JSON.parse(readFileSync(bench.path("out"), "utf8"));
    assert.deepEqual((seen as { readonly args: unknown }).args, args);
    assert.equal(existsSync(marker), false);
    const refused = await bench.manager.start(
      bench.spec([], {
        command,
        args: ["%PATH%"],
        stdoutPath: bench.path("o2"),
        stderrPath: bench.path("e2"),
      }),
    );
    assert.equal(refused.kind === "launch-failed" ? refused.code : refused.kind, "LAUNCH_FAILED");
    const asked = await bench.manager.runCommand(
      { command, args: ["a b"], cwd: bench.folder, env: {} },
      { timeoutMs: 60_000, maxOutputBytes: 65_536 },
    );
    assert.equal(asked.exit?.exitCode, 5);
  });
});
