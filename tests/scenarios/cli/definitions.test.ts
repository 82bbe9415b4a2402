import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLES, flownet, temporaryFolder } from "./support.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

// Every other kind of bad definition is tried in tests/unit/main/cli, without a process for each.
describe("validate and plan as processes (orchestration section 9.1)", () => {
  it.each(["monthly-summary", "diamond", "failing-assert"])("accept the example %s", async (name) => {
    const path = join(EXAMPLES, name, "network.yaml");
    const result = await flownet(["validate", path]);
    expect(result).toEqual({ code: 0, stdout: `Valid network definition: ${path}\n`, stderr: "" });
  });

  it("print the plan of a month", async () => {
    const path = join(EXAMPLES, "monthly-summary", "network.yaml");
    const result = await flownet(["plan", path, "--scheduled-for", "2026-08-31T15:00:00Z"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain(
      "Business key: monthly_summary@2026-09\nExecution plan:\n1. intake_gate | ",
    );
  });

  it("refuse a broken definition with exit code 1, everything on stderr", async () => {
    const path = join(folder.path, "network.yaml");
    await writeFile(path, "schema_version: 1\nschema_version: 1\n");
    for (const command of ["validate", "plan"]) {
      const result = await flownet([command, path]);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toContain("- [YAML_PARSE_ERROR] $: ");
      expect(result.stderr).toContain(`\n  at: ${path}:2:1\n  do: `);
    }
  });
});
