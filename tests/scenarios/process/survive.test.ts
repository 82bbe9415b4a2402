import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { childProgram, createBench, fact, fileAppears } from "./support.ts";

const bench = createBench();
const identitySchema = z.object({ pid: z.int(), processStart: z.string(), image: z.string() });

describe("a child whose parent was killed (decisions §3, electron-desktop §4 C5)", () => {
  it("survives and is found again by its identity and by its attempt id", async () => {
    const { path, folder, inspector, manager } = bench();
    const attemptId = randomUUID();
    const args = [folder, childProgram("listen-for-cancel.mjs"), path("ready"), path("closed")];
    const parent = spawn(process.execPath, [childProgram("console-that-dies.mjs"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TEST_ATTEMPT_ID: attemptId },
    });
    const [line]: unknown[] = await once(parent.stdout, "data");
    const identity = identitySchema.parse(JSON.parse(String(line)));
    await fileAppears(path("ready"));
    parent.kill("SIGKILL");
    await once(parent, "exit");
    await fileAppears(path("closed"));

    expect(inspector.liveness(identity)).toEqual({ kind: "alive-ours" });
    expect(inspector.identify(identity.pid)).toEqual(identity);
    expect(inspector.findByAttemptId(attemptId)).toEqual([identity]);
    expect(inspector.searchByAttemptId(attemptId)).toEqual({ found: [identity], inconclusive: null });
    expect(inspector.liveness({ ...identity, processStart: "2001-02-03T04:05:06.789Z" })).toEqual({
      kind: "alive-another",
      found: identity,
    });

    const environment = readFileSync(`/proc/${identity.pid}/environ`, "utf8");
    const pipe = /FLOWNET_CONTROL_PIPE=([^\0]+)/.exec(environment)?.[1] ?? "";
    expect(existsSync(pipe)).toBe(true);
    await manager.dispose();
    expect(existsSync(dirname(pipe)), "the pipe of the dead parent is swept away").toBe(false);

    process.kill(identity.pid, "SIGKILL");
    await fact("the orphan is gone", () => inspector.liveness(identity).kind === "gone");
    expect(inspector.findByAttemptId(attemptId)).toEqual([]);
  });
});
