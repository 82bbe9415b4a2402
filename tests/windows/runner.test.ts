import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createRunner } from "../../main/attempt/index.ts";
import { benchFor } from "./support.ts";

const RUNNER = fileURLToPath(new URL("../../main/job-runner/index.ts", import.meta.url));

describe("the built-in runner as a process (execution-contract §2.1)", () => {
  it("starts, answers what it can do in one JSON object, and ends with 0", async (test) => {
    const bench = benchFor(test);
    const runner = createRunner(
      {
        command: process.execPath,
        leadingArgs: ["--disable-warning=ExperimentalWarning", RUNNER],
        configPath: bench.path("ksql.config.json"),
        profile: "p",
        workDir: bench.path("work"),
        env: {},
        graceMs: 1_000,
        controlPipe: true,
      },
      bench.manager,
    );
    const answer = await runner.capabilities({ inputs: true, outputs: true });
    assert.ok(answer.ok, JSON.stringify(answer));
  });
});
