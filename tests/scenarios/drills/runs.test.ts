import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyRetryBoundaries } from "../../../main/drills/index.ts";
import type { JournalMode } from "../../../main/drills/retry-boundaries/cases/model.ts";
import { orderOf } from "../../../main/drills/retry-boundaries/verify/order.ts";
import type { CommandEnd } from "../../support/flownet-command.ts";
import { flownet } from "../../support/flownet-command.ts";
import {
  COMPLETE_LINE,
  createScratch,
  drill,
  readManifest,
  readObservations,
  readResults,
  type Scratch,
} from "./support.ts";

let scratch: Scratch;
const ends = new Map<string, CommandEnd>();
const endOf = (name: string): CommandEnd => {
  const end = ends.get(name);
  if (end === undefined) throw new Error(`no such run: ${name}`);
  return end;
};

beforeAll(async () => {
  scratch = createScratch();
  const run = async (name: string, suite: "A-G" | "extended-db", mode: JournalMode) =>
    ends.set(name, await drill(scratch.path(name), suite, mode));
  await Promise.all([run("A-G delete", "A-G", "delete"), run("A-G wal", "A-G", "wal")]);
  // L and N bring the journal modes they are about (retry-boundaries §10).
  await run("extended", "extended-db", "delete");
});

afterAll(() => scratch.dispose());

const MODES: readonly JournalMode[] = ["delete", "wal"];

describe("A to G, through the command (retry-boundaries §2, §7, §13)", () => {
  it.each(MODES)(
    "ends with exactly the agreed line and exit code 0 in journal mode %s (RB-A1, RB-A8)",
    (mode) => {
      expect(endOf(`A-G ${mode}`)).toMatchObject({ exitCode: 0, stdout: COMPLETE_LINE });
    },
  );

  it.each(MODES)("sees what was expected in every stage, and the totals, in journal mode %s", (mode) => {
    const results = readResults(scratch.path(`A-G ${mode}`));
    for (const stage of results.cases.flatMap((one) => one.stages)) {
      expect(stage).toMatchObject({ match: true, observed: stage.expected });
    }
    expect(results.totals.observed).toEqual({
      cases: 7,
      children: 15,
      read_backs: 15,
      exits_86: 5,
      busy: 1,
      integrity_ok: 15,
      hot_journal_recovery: 0,
    });
  });

  it("starts fifteen processes of its own, none of them the controller (RB-A9)", () => {
    const pids = readObservations(scratch.path("A-G delete")).flatMap((line) =>
      line.kind === "child_started" ? [line.pid] : [],
    );
    expect(pids).toHaveLength(15);
    expect(pids).not.toContain(process.pid);
  });

  it("finds the journal after the ends of D and G, and the log after each of the five (RB-A8)", () => {
    const sideFiles = (mode: JournalMode) =>
      readObservations(scratch.path(`A-G ${mode}`)).flatMap((line) =>
        line.kind === "child_exited" && line.exit_code === 86 ? [[line.case, line.side_files] as const] : [],
      );
    for (const [id, files] of sideFiles("delete"))
      expect(files.journal !== null).toBe(id === "D" || id === "G");
    const logs = sideFiles("wal").map(([id, files]) => [
      id,
      files.shm !== null && files.wal !== null,
      files.wal === 0,
    ]);
    expect(logs).toEqual([
      ["B", true, false],
      ["C", true, false],
      ["D", true, true],
      ["E", true, false],
      ["G", true, true],
    ]);
  });

  it("writes the whole plan to the manifest before the first child starts (retry-boundaries §2, §8)", () => {
    const folder = scratch.path("A-G delete");
    const manifest = readManifest(folder);
    const first = readObservations(folder).find((line) => line.kind === "child_started");
    expect(Date.parse(manifest.started_at)).toBeLessThanOrEqual(Date.parse(first?.at ?? ""));
    expect(manifest.cases.flatMap((one) => one.stages)).toHaveLength(15);
    expect(manifest.caveats.length).toBeGreaterThan(0);
    expect(Object.keys(manifest.code_sha256)).toContain("child/run-child.ts");
  });

  it.each(["manifest.json", "observations.jsonl", "results.json", "artifact-hashes.json"])(
    "names no place of this machine in %s (retry-boundaries §8)",
    (name) => {
      const text = readFileSync(join(scratch.path("A-G delete"), name), "utf8");
      expect(text).not.toContain(scratch.path(""));
      expect(text).not.toContain(process.cwd());
      expect(text).not.toContain("\r");
    },
  );

  it("agrees in every count and in the order of everything, whatever the journal mode (RB-A8)", () => {
    const facts = MODES.map((mode) => orderOf(readObservations(scratch.path(`A-G ${mode}`))));
    const [inDelete = [], inWal = []] = facts.map((lines) =>
      lines.filter((line) => !/^case_started/.test(line)),
    );
    expect(inDelete.length).toBeGreaterThan(80);
    expect(inWal).toEqual(inDelete);
  });
});

describe("H to S, through the command (retry-boundaries §10)", () => {
  it("agrees in every stage", () => {
    const end = endOf("extended");
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toBe('{"status":"COMPLETE","casesCompleted":20,"casesPlanned":20,"failure":null}\n');
    const results = readResults(scratch.path("extended"));
    for (const stage of results.cases.flatMap((one) => one.stages)) {
      expect(stage).toMatchObject({ match: true, observed: stage.expected });
    }
  });

  it("meets one hot journal, in N, and repairs it by a connection that may not write (RB-3)", () => {
    const recovered = readObservations(scratch.path("extended")).flatMap((line) =>
      line.kind === "readback" && line.hot_journal_recovery ? [line.case] : [],
    );
    expect(recovered).toEqual(["N"]);
  });

  it("is refused at once with SQLITE_BUSY_SNAPSHOT in L (retry-boundaries §10)", () => {
    const refusals = readObservations(scratch.path("extended")).flatMap((line) =>
      line.kind === "busy" ? [[line.case, line.code]] : [],
    );
    expect(refusals).toEqual([["L", 517]]);
  });
});

describe("verify, through the command (retry-boundaries §8)", () => {
  it.each(["A-G delete", "A-G wal", "extended"])("accepts the run %s as it is", (name) => {
    expect(verifyRetryBoundaries(scratch.path(name))).toMatchObject({
      status: "VERIFIED",
      differences: [],
    });
  });

  it("says what it checked and what it could not", async () => {
    const end = await flownet(["drill", "retry-boundaries", "verify", scratch.path("A-G wal")]);
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toMatch(/^VERIFIED: the run recorded COMPLETE, 7 of 7 cases\n/);
    expect(end.stdout).toMatch(/Not checked:\n- the states between the stages/);
  });

  it("leaves no file of the folder changed, added or removed", () => {
    const hashes = (): string => readFileSync(join(scratch.path("A-G wal"), "artifact-hashes.json"), "utf8");
    const before = hashes();
    verifyRetryBoundaries(scratch.path("A-G wal"));
    expect(verifyRetryBoundaries(scratch.path("A-G wal")).status).toBe("VERIFIED");
    expect(hashes()).toBe(before);
  });
});
