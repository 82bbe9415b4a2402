import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { localFactsOf } from "../../../main/attempt/index.ts";
import { createInspector } from "../../../main/process/index.ts";
import { childProgram, fact, fileAppears } from "../process/support.ts";
import { createAttemptBench } from "./support.ts";

const bench = createAttemptBench();
const inspector = createInspector();
const identitySchema = z.object({ pid: z.int(), processStart: z.string(), image: z.string() }).nullable();

/** Runs a console up to a stage and kills it there; what its child was. */
async function consoleDiesAfter(stage: "prepare" | "spawn", attemptId: string) {
  const program = childProgram("console-with-attempt.mjs");
  const parent = spawn(process.execPath, [program, bench().folder, attemptId, stage], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line]: unknown[] = await once(parent.stdout, "data");
  parent.kill("SIGKILL");
  await once(parent, "exit");
  return identitySchema.parse(JSON.parse(String(line)));
}

describe("a console that is killed in an attempt (decisions §3, electron-desktop §4 C5)", () => {
  it("leaves proof of no spawn when it dies before the spawn", async () => {
    const { journal } = bench();
    const attemptId = `attempt_${randomUUID()}`;
    await consoleDiesAfter("prepare", attemptId);
    expect(await localFactsOf(attemptId, journal, inspector)).toEqual({
      owned: true,
      spawned: false,
      alive: false,
    });
  });

  it("leaves a living child that the next console finds, and can tell when it has ended", async () => {
    const { journal, path } = bench();
    const attemptId = `attempt_${randomUUID()}`;
    const identity = await consoleDiesAfter("spawn", attemptId);
    if (identity === null) throw new Error("the attempt has no child");
    await fileAppears(path("ready"));

    expect((await journal.evidenceFor(attemptId)).spawned?.process).toEqual(identity);
    expect(inspector.liveness(identity)).toEqual({ kind: "alive-ours" });
    expect(inspector.findByAttemptId(attemptId)).toEqual([identity]);
    expect(await localFactsOf(attemptId, journal, inspector)).toEqual({
      owned: true,
      spawned: true,
      alive: true,
    });

    process.kill(identity.pid, "SIGKILL");
    await fact("the child is gone", () => inspector.liveness(identity).kind === "gone");
    expect(await localFactsOf(attemptId, journal, inspector)).toEqual({
      owned: true,
      spawned: true,
      alive: false,
    });
  });
});
