import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenedWorkspace, openWorkspace } from "../../../main/console/index.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";

let dataDir: string;
const database = () => join(dataDir, "kintone", "kintone.sqlite");
const config = () => join(dataDir, "config.json");
const open = (): Promise<OpenedWorkspace> => openWorkspace({ dataDir, env: {}, endServer: true });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "flownet-lost-"));
  await close(await open());
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** Closed is when the server has taken its file away: then the database is nobody's. */
async function close(workspace: OpenedWorkspace): Promise<void> {
  await workspace.dispose();
  await expect
    .poll(() => existsSync(join(dataDir, "kintone", "server.json")), { timeout: 20_000 })
    .toBe(false);
}

async function refusal(): Promise<Problem> {
  try {
    await close(await open());
  } catch (error) {
    if (error instanceof FlowError) return error.problem;
    throw error;
  }
  throw new Error("the workspace opened");
}

const databaseFiles = async (): Promise<readonly string[]> =>
  (await readdir(join(dataDir, "kintone"))).filter((name) => name.startsWith("kintone.sqlite"));
const loseDatabase = async (): Promise<void> => {
  for (const name of await databaseFiles()) await rm(join(dataDir, "kintone", name));
};

describe("a data folder that was set up (decisions §2)", () => {
  it("names its database, and opens again with it", async () => {
    const { databaseId } = JSON.parse(await readFile(config(), "utf8"));
    expect(databaseId).toMatch(/^[0-9a-f]{32}$/);
    await close(await open());
    expect(JSON.parse(await readFile(config(), "utf8"))).toMatchObject({ databaseId });
  });

  it("refuses to begin anew when its database is gone, and makes none", async () => {
    await loseDatabase();
    expect(await refusal()).toMatchObject({
      code: "WORKSPACE_DATABASE_MISSING",
      place: database(),
      remedy: expect.stringContaining(config()),
    });
    expect(await databaseFiles()).toEqual([]);
  });

  it("refuses another database in the place of its own", async () => {
    await loseDatabase();
    await writeFile(database(), "");
    expect(await refusal()).toMatchObject({
      code: "WORKSPACE_DATABASE_OTHER",
      place: database(),
      remedy: expect.stringContaining(config()),
    });
    await loseDatabase();
    expect((await refusal()).code).toBe("WORKSPACE_DATABASE_MISSING");
  });

  it("begins anew when its configuration was moved away on purpose", async () => {
    const before = JSON.parse(await readFile(config(), "utf8"));
    await loseDatabase();
    await rename(config(), `${config()}.kept`);
    await close(await open());
    expect(JSON.parse(await readFile(config(), "utf8")).databaseId).not.toBe(before.databaseId);
  });

  it("of before databases had an id takes over the one it has", async () => {
    const { databaseId, ...older } = JSON.parse(await readFile(config(), "utf8"));
    await writeFile(config(), JSON.stringify(older));
    await close(await open());
    expect(JSON.parse(await readFile(config(), "utf8"))).toEqual({ ...older, databaseId });
  });
});
