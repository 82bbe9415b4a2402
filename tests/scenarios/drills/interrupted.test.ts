import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { verifyRetryBoundaries } from "../../../main/drills/index.ts";
import { BASE_SUITE } from "../../../main/drills/retry-boundaries/cases/base.ts";
import { childArgv } from "../../../main/drills/retry-boundaries/child/arguments.ts";
import { SOURCES } from "../../../main/drills/retry-boundaries/controller/manifest.ts";
import { startFlownet } from "../../support/flownet-command.ts";
import { createScratch, readManifest, type Scratch } from "./support.ts";

const CHILD = join(SOURCES, "child", "main.ts");
let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch();
});
afterAll(() => scratch.dispose());

/** Starts the command and waits until case C has begun. */
async function startedUpToC(folder: string) {
  const command = startFlownet(["drill", "retry-boundaries", "--output", folder]);
  await vi.waitFor(() => expect(existsSync(join(folder, "C-effect-first"))).toBe(true), {
    timeout: 60_000,
    interval: 5,
  });
  return command;
}

describe("a run that is ended from outside (retry-boundaries §2)", () => {
  it("leaves a folder that says it is incomplete when the controller is killed", async () => {
    const folder = scratch.path("killed");
    const { child, ended } = await startedUpToC(folder);
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(existsSync(join(folder, "results.json"))).toBe(false);
    expect(existsSync(join(folder, "artifact-hashes.json"))).toBe(false);
    expect(readManifest(folder).completeness).toMatch(/^INCOMPLETE unless results.json/);
    const report = verifyRetryBoundaries(folder);
    expect(report).toMatchObject({ status: "INCOMPLETE", run: null });
    expect(report.notChecked).toContainEqual({
      what: "the run as a whole",
      why: "it did not end: results.json or artifact-hashes.json is missing, and they are written last",
    });
  });

  it("is stopped, with its observations sealed, when somebody asks", async () => {
    const folder = scratch.path("asked");
    const { child, ended } = await startedUpToC(folder);
    child.kill("SIGTERM");
    const end = await ended;
    expect(end.exitCode).toBe(1);
    expect(JSON.parse(end.stdout)).toMatchObject({ status: "STOPPED", failure: { code: "INTERRUPTED" } });
    expect(verifyRetryBoundaries(folder)).toMatchObject({ status: "VERIFIED", run: { status: "STOPPED" } });
  });

  it("lets a waiting child write nothing once its controller is gone (retry-boundaries §6)", async () => {
    const folder = scratch.path("held");
    mkdirSync(folder);
    const database = join(folder, "observations.sqlite");
    const made = new DatabaseSync(database);
    for (const statement of BASE_SUITE.schema) made.exec(statement);
    made.close();
    const args = { suite: "A-G", case: "F", stage: "held", child: "worker 1", role: "worker" };
    const outside = join(folder, "outside.log");
    const argv = childArgv({ ...args, database, outside, stop: "none" });
    // A closed standard input is what a dead controller leaves.
    const end = spawnSync(process.execPath, [CHILD, ...argv], { stdio: ["ignore", "pipe", "inherit"] });
    expect(end.status).toBe(1);
    expect(end.stdout.toString()).toContain('"point":"controller-gone"');
    const read = new DatabaseSync(database, { readOnly: true });
    expect(read.prepare("SELECT count(*) AS rows FROM processed").get()).toEqual({ rows: 0 });
    read.close();
  });
});
