import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything, newRun, node, ownerOf, seedRun, unlock } from "../../support/acceptance/acts.ts";
import { openShiftedLine } from "../../support/acceptance/shifted-line.ts";
import { jsonOf, LATER, openStage, type Stage } from "../../support/acceptance/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.dispose());

describe("a host whose clock is wrong (electron-desktop L13, orchestration section 3.3)", () => {
  it("neither takes a Network lock nor takes one from somebody; half a minute off it goes on", async () => {
    const file = await stage.network("timed", [node("n1")]);
    const wrong = await openShiftedLine(stage.server.port, 90_000);
    const late = await openShiftedLine(stage.server.port, -45_000);
    const via = ({ port }: { readonly port: number }) => ({
      KSQL_FLOWNET_BASE_URL: `http://localhost:${port}`,
    });
    try {
      const refused = await stage.flownet(newRun(file), via(wrong));
      expect(refused.exitCode).toBe(1);
      expect(jsonOf(refused)).toMatchObject({
        outcome: "REJECTED",
        invocation_result_code: "CLOCK_WRONG",
      });
      // Its own insert told the time: the lock was given back before anything was done under it.
      expect(await ownerOf(stage, "timed")).toBe("");
      expect(await everything(stage), "a tombstone at most").toHaveLength(1);
      expect(await stage.starts("timed")).toEqual([]);
      const killed = stage.start(
        newRun(await stage.network("held", [node("n1", [], { waitFor: "/nowhere" })])),
      );
      await stage.started("held", "n1");
      killed.child.kill("SIGKILL");
      await killed.ended;
      const owner = await ownerOf(stage, "held");
      const unlocked = await unlock(stage, "held", owner, { ...LATER, ...via(wrong) });
      expect(unlocked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[CLOCK_WRONG]") });
      expect(await ownerOf(stage, "held")).toBe(owner);
      for (const { pid } of await stage.starts("held")) process.kill(pid, "SIGKILL");
      const warned = await stage.flownet(newRun(file), via(late));
      expect(jsonOf(warned)).toMatchObject({ aggregate_status: "SUCCESS" });
      expect(warned.stderr).toContain("Warning [CLOCK_OFF]: this host's clock is about 45 s");
      expect(await seedRun(stage, file)).not.toBe("");
    } finally {
      await wrong.dispose();
      await late.dispose();
    }
  });
});
