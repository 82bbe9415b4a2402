import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../main/cli/commands.ts";
import { flownet, ROOT } from "./support.ts";

describe("the command line as a process (orchestration section 9.1)", () => {
  it.each([[[]], [["--help"]], [["-h"]]])("prints every command for %j and exits with 0", async (args) => {
    const result = await flownet(args);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["validate", "plan", "run-network", "status", "local-kintone", "start"]) {
      expect(result.stdout).toContain(`\n  ${name}`);
    }
  });

  it.each(["validate", "plan", "run-network", "status", "local-kintone", "start"])(
    "prints an example for %s",
    async (name) => {
      const result = await flownet([name, "--help"]);
      expect(result.code).toBe(0);
      expect(result.stdout).toContain(`Example:\n  flownet ${name}`);
    },
  );

  it.each(["-V", "--version"])("prints the version for %s", async (option) => {
    const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect(await flownet([option])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  it("refuses an unknown command and names the known ones", async () => {
    const result = await flownet(["explode"]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    const known = COMMANDS.map(({ spec }) => spec.name).join(", ");
    expect(result.stderr).toBe(
      `Error [INVALID_ARGUMENTS]: Unknown command: explode\n  at: argument explode\n  do: Known commands: ${known}\n`,
    );
  });

  it("answers run-network --json with a REJECTED object when the arguments are wrong", async () => {
    const result = await flownet(["run-network", "n.yaml", "--json", "--resume-run", "r", "--resume"]);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toEqual({
      outcome: "REJECTED",
      run_id: null,
      invocation_id: null,
      aggregate_status: null,
      invocation_result_code: "INVALID_ARGUMENTS",
      retry_brake_node_ids: [],
      blocked_run_ids: [],
    });
    expect(result.stdout.trimEnd()).not.toContain("\n");
    expect(result.stderr).toContain("--resume-run cannot be combined with --resume.");
  });
});
