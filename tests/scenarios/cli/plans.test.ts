import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../main/cli/run-cli.ts";
import { parseOperationPlan } from "../../../shared/contract/index.ts";
import type { CommandEnd } from "../../support/flownet-command.ts";
import { openScriptedWorkspace, PROFILE, type ScriptedWorkspace } from "../../support/scripted-workspace.ts";

let bench: ScriptedWorkspace;
let folder = "";
let definition = "";
let runId = "";
const file = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  bench = await openScriptedWorkspace();
  folder = await mkdtemp(path.join(os.tmpdir(), "plans-"));
  await writeFile(file("why.txt"), "month end\n");
  definition = await bench.network("planned", [
    { id: "a", script: { ending: "ASSERT_FAILED" } },
    { id: "b", dependsOn: ["a"] },
  ]);
  runId = (await bench.run(definition)).runId ?? "";
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await bench.dispose();
});

/** The command line in this process, on the bench's own kintone. */
async function here(args: readonly string[]): Promise<Pick<CommandEnd, "exitCode" | "stdout" | "stderr">> {
  const said = { stdout: "", stderr: "" };
  const exitCode = await runCli([...args, "--data-dir", file("data")], {
    env: bench.workspace.environment(),
    cwd: folder,
    signal: new AbortController().signal,
    onStop: () => undefined,
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
  });
  return { exitCode, ...said };
}
const proof = (): readonly string[] => [
  ...["--reason-file", file("why.txt"), "--evidence-ref", "INC-1", "--stop-confirmed-by", "tanaka"],
  ...["--stop-evidence-ref", "tasklist"],
];
const close = (): readonly string[] => [
  "archive-run",
  definition,
  "--run-id",
  runId,
  "--reason-file",
  file("why.txt"),
];
/** Everything the state and audit app hold of the bench's Runs and locks. */
const world = async () => {
  const { reads } = bench.workspace;
  return [await reads.readRunGraph(runId), await reads.readOverview(null)];
};

describe("--dry-run and --seen (orchestration §9, operator-ux D6, D13)", () => {
  it.each<[string, () => readonly string[], string]>([
    ["run-network", () => ["run-network", definition, "--resume-run", runId], "RESUME"],
    ["a rerun", () => ["run-network", definition, "--resume-run", runId, "--rerun-from", "a"], "RERUN_FROM"],
    ["a start", () => ["run-network", definition, "--business-key", "next"], "START"],
    ["cancel-run", () => ["cancel-run", "--run-id", runId, "--reason-file", file("why.txt")], "STOP"],
    ["archive-run", close, "CLOSE"],
  ])("%s: the plan, exit code 0, and nothing written", async (_, args, operation) => {
    const before = await world();
    const told = await here([...args(), "--dry-run"]);
    expect([told.exitCode, told.stderr]).toEqual([0, ""]);
    expect(told.stdout).toMatch(new RegExp(`^${operation} of .+\\(danger L\\d\\)`));
    expect(told.stdout).toContain("Fingerprint: ");
    const json = await here([...args(), "--dry-run", "--json"]);
    expect(parseOperationPlan(JSON.parse(json.stdout))).toMatchObject({ ok: true, value: { operation } });
    expect(await world()).toEqual(before);
  });

  it.each<[string, () => readonly string[], string]>([
    [
      "resolve-node",
      () => ["--run-id", runId, "--node-id", "a", "--to", "FAILED", ...proof()],
      "NODE_NOT_RESOLVABLE",
    ],
    [
      "force-unlock-network",
      () => [
        "planned",
        "--profile",
        PROFILE,
        "--expected-owner-invocation-id",
        "x",
        "--stop-method",
        "manual",
        ...proof(),
      ],
      "LOCK_NOT_FOUND",
    ],
    [
      "complete-audit",
      () => [
        ...["--run-id", runId, "--event-id", "archive_1", "--archived-at", "2026-09-02T03:12:00.000Z"],
        ...["--previous-status", "FAILED", "--run-revision-before", "1", "--reason-file", file("why.txt")],
      ],
      "RUN_NOT_ARCHIVED",
    ],
  ])("%s that is not possible now says why, which is an answer too", async (command, args, code) => {
    const told = await here([command, ...args(), "--dry-run"]);
    expect([told.exitCode, told.stderr]).toEqual([0, ""]);
    expect(told.stdout).toContain(`Not possible now:\n- [${code}]`);
    expect(told.stdout).toContain("  do: ");
  });

  it("a plan of something else, of a changed file or of a moved Run is no permission", async () => {
    const plan = await here([...close(), "--dry-run", "--json"]);
    await writeFile(file("close.json"), plan.stdout);
    const stop = ["cancel-run", "--run-id", runId, "--reason-file", file("why.txt")];
    expect((await here([...stop, "--seen", "close.json"])).stderr).toContain("[PLAN_OF_ANOTHER_OPERATION]");
    await writeFile(file("forged.json"), plan.stdout.replace(/"revision": \d+/, '"revision": 99'));
    expect((await here([...close(), "--seen", "forged.json"])).stderr).toContain("[OPERATION_PLAN_INVALID]");
    expect((await here([...close(), "--seen", "none.json"])).stderr).toContain("[PLAN_FILE_UNREADABLE]");
    await bench.run(definition, { resumeRunId: runId });
    const stale = await here([...close(), "--seen", "close.json"]);
    expect(stale.stderr).toContain("[PLAN_STALE]");
    expect(JSON.parse(stale.stdout)).toMatchObject({ outcome: "REJECTED", code: "PLAN_STALE" });
  });

  it("what needs a person is listed with the next command, and after it nothing", async () => {
    const { exitCode, stdout } = await here(["inbox", "--json"]);
    const told = JSON.parse(stdout) as { calm: boolean; items: readonly { kind: string; next: object }[] };
    expect([exitCode, told.calm]).toEqual([0, false]);
    expect(told.items).toMatchObject([
      { kind: "failed", runId, next: { who: "first", operation: "RESUME", code: "NODE_FAILED_OR_BLOCKED" } },
    ]);
    const text = (await here(["inbox"])).stdout;
    expect(text).toContain(`--resume-run ${runId} --dry-run`);
    expect(text).not.toContain("Nothing to do.");

    const plan = await here([...close(), "--dry-run", "--json"]);
    await writeFile(file("now.json"), plan.stdout);
    const closed = await here([...close(), "--seen", "now.json"]);
    expect([closed.exitCode, JSON.parse(closed.stdout)]).toMatchObject([0, { outcome: "ARCHIVED" }]);
    const calm = await here(["inbox"]);
    expect([calm.exitCode, calm.stdout.split("\n")[0]]).toEqual([0, "Nothing to do."]);
  });

  it("is silent about nothing while a source cannot be read", async () => {
    await writeFile(path.join(file("data"), "schedules.json"), "no json");
    const told = await here(["inbox"]);
    expect(told.exitCode).toBe(1);
    expect(told.stdout).not.toContain("Nothing to do.");
    expect(told.stdout).toContain("SCHEDULES_INVALID");
    expect((await here(["status", "planned", "--profile", PROFILE])).stdout).toContain("ARCHIVED");
  });
});
