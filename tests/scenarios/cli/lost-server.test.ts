import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedWorkspace, openEmbedded } from "../../../main/console/index.ts";
import { readServerFile } from "../../../main/local-kintone/index.ts";
import type { RunEvent } from "../../../main/orchestrator/index.ts";
import { until } from "../../support/scripted-workspace.ts";
import { EXAMPLES } from "./support.ts";

let dataDir: string;
let workspace: OpenedWorkspace;
const serverFile = () => join(dataDir, "kintone", "server.json");
const pid = (): number => readServerFile(dataDir)?.pid ?? 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "flownet-lost-server-"));
  workspace = await openEmbedded({ dataDir, env: {}, endServer: true });
});
afterAll(async () => {
  await workspace.dispose();
  await until(() => !existsSync(serverFile()));
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Runs an example and kills the server at an event; answers the result and whether it was killed. */
async function killingAt(businessKey: string, moment: (event: RunEvent) => boolean) {
  const first = pid();
  let killed = false;
  const result = await workspace.orchestrator.runNetwork({
    definitionPath: join(EXAMPLES, "diamond", "network.yaml"),
    businessKey,
    requestedBy: "scenario",
    onEvent(event) {
      if (killed || !moment(event)) return;
      killed = true;
      process.kill(first, "SIGKILL");
    },
  });
  expect(killed).toBe(true);
  expect(pid()).not.toBe(first);
  return result;
}

describe("an embedded kintone that dies under a Run (decisions §2)", () => {
  it.each([
    ["when the Run was created", (event: RunEvent) => event.kind === "run-created"],
    ["between two nodes", (event: RunEvent) => event.kind === "node-ended"],
  ])("%s is started again by the orchestrator, and the Run ends in SUCCESS", async (name, moment) => {
    const { port } = new URL(workspace.baseUrl);
    const result = await killingAt(name, moment);
    expect(result).toMatchObject({ outcome: "NEW", aggregateStatus: "SUCCESS", problem: null });
    expect(readServerFile(dataDir)?.baseUrl).toBe(`http://localhost:${port}`);
    const { lock, runs } = await workspace.orchestrator.status({ networkId: "diamond", profile: "local" });
    expect(lock).toBeNull();
    expect(runs.find((run) => run.businessKey === name)?.status).toBe("SUCCESS");
  });

  it("is there again for a console that only looks", async () => {
    const first = pid();
    process.kill(first, "SIGKILL");
    await expect.poll(() => pid() !== first && pid() !== 0, { timeout: 20_000 }).toBe(true);
    await expect
      .poll(
        () =>
          workspace.orchestrator.status({ networkId: "diamond", profile: "local" }).then(
            ({ runs }) => runs.length,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(2);
  });
});
