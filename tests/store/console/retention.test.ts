import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJournal, workFolderOf } from "../../../main/attempt/index.ts";
import { dataDirPaths, prepareDataDir } from "../../../main/console/data-dir.ts";
import { pruneOnce, type RetentionDeps } from "../../../main/console/retention/index.ts";
import { KEEP, outdated } from "../../../main/console/retention/limits.ts";
import type { Attempt, NodeState } from "../../../shared/domain/model.ts";
import { badLineForTests, json } from "../../support/bad-line.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { seedRun } from "../orchestrator/seeded-run.ts";

const line = badLineForTests();
const DAY_MS = 86_400_000;
let root = "";
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "retention-"));
  await prepareDataDir(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const deps = (): RetentionDeps => ({
  dataDir: dataDirPaths(root),
  reads: line().store,
  nowMs: () => Date.now(),
  startedAtMs: Date.now() + DAY_MS,
});
const age = (file: string, days: number): Promise<void> => {
  const at = new Date(Date.now() - days * DAY_MS);
  return utimes(file, at, at);
};
let made = 0;

/** A journal of its own for one attempt, its work folder and its event log, all so many days old. */
async function leave(runId: string, attemptId: string, days: number, owner?: string): Promise<string> {
  const before = await readdir(dataDirPaths(root).journal);
  made += 1;
  const journal = createJournal({
    folder: dataDirPaths(root).journal,
    hostFacts: { host: "HOST-A", bootId: "boot" },
    clock: { nowMs: () => Date.now() + made },
    ids: { uuid: () => crypto.randomUUID() },
  });
  if (owner !== undefined) {
    const self = { pid: 1, processStart: null, image: null };
    await journal.append({ event: "lock-owner", invocationId: owner, process: self });
  }
  await journal.append({ event: "intent", attemptId, runId, nodeId: "a", jobId: "job", attemptNo: 1 });
  await journal.dispose();
  const name = (await readdir(dataDirPaths(root).journal)).find((each) => !before.includes(each)) ?? "";
  const folder = workFolderOf(dataDirPaths(root).work, attemptId);
  await mkdir(folder.cwd, { recursive: true });
  const log = path.join(dataDirPaths(root).runnerLogs, `${attemptId}.jsonl`);
  await writeFile(log, `{"attemptId":"${attemptId}"}\n`);
  for (const file of [path.join(dataDirPaths(root).journal, name), folder.root, log]) await age(file, days);
  return name;
}
const run = async (node: Partial<NodeState>, attempt: Partial<Attempt>) => {
  const attemptId = `attempt_${crypto.randomUUID()}`;
  const seeded = await seedRun(line().other, "FAILED", { a: node }, { a: { attemptId, ...attempt } });
  return { runId: seeded.run.runId, networkId: seeded.run.networkId, attemptId };
};
const FAILED = { status: "FAILED", statusReason: "SQL_ERROR" } as const;
const ENDED = { status: "FAILED", resultCode: "SQL_ERROR" } as const;
const left = async () => {
  const { journal, work, runnerLogs } = dataDirPaths(root);
  return { journals: await readdir(journal), folders: await readdir(work), logs: await readdir(runnerLogs) };
};

describe("what a data folder keeps (decisions §3)", () => {
  it("removes what is old and settled, and nothing young", async () => {
    const old = await run(FAILED, ENDED);
    const young = await run(FAILED, ENDED);
    await leave(old.runId, old.attemptId, 100);
    const kept = await leave(young.runId, young.attemptId, 5);
    await writeFile(path.join(dataDirPaths(root).evidence, "proof.txt"), "seen");
    await age(path.join(dataDirPaths(root).evidence, "proof.txt"), 4_000);
    expect(await pruneOnce(deps())).toEqual({ journal: 1, work: 1, runnerLogs: 1, programLogs: 0 });
    expect(await left()).toEqual({
      journals: [kept],
      folders: [young.attemptId],
      logs: [`${young.attemptId}.jsonl`],
    });
    expect(await readdir(dataDirPaths(root).evidence)).toEqual(["proof.txt"]);
    expect(await pruneOnce(deps())).toEqual({ journal: 0, work: 0, runnerLogs: 0, programLogs: 0 });
  });

  it.each<[string, Partial<NodeState>, Partial<Attempt>]>([
    ["an open attempt", { status: "RUNNING" }, { status: "RUNNING" }],
    ["an undecided orphan", { status: "UNKNOWN" }, { status: "UNKNOWN" }],
    ["an attempt a crash left open before its node ran (W-01)", { status: "WAITING" }, { status: "RUNNING" }],
  ])("keeps everything of %s, however old", async (_name, node, attempt) => {
    const open = await run(node, attempt);
    const name = await leave(open.runId, open.attemptId, 4_000);
    expect(await pruneOnce(deps())).toMatchObject({ journal: 0, work: 0, runnerLogs: 0 });
    expect(await left()).toEqual({
      journals: [name],
      folders: [open.attemptId],
      logs: [`${open.attemptId}.jsonl`],
    });
  });

  it("keeps what these records do not know, the owner of a held lock, and a torn journal", async () => {
    const foreign = await leave("netrun_elsewhere", "attempt_elsewhere", 4_000);
    const done = await run(FAILED, ENDED);
    const session = await takeLock(line().other, lockInput({ ownerInvocationId: "invoke_holder" }));
    const owner = await leave(done.runId, done.attemptId, 4_000, "invoke_holder");
    const torn = path.join(dataDirPaths(root).journal, "attempts-0.jsonl");
    await writeFile(torn, '{"kind":"ATT');
    await age(torn, 4_000);
    await mkdir(path.join(dataDirPaths(root).work, "somebody-elses"));
    await age(path.join(dataDirPaths(root).work, "somebody-elses"), 4_000);
    expect(await pruneOnce(deps())).toMatchObject({ journal: 0, work: 1, runnerLogs: 1 });
    expect((await left()).journals).toEqual(["attempts-0.jsonl", foreign, owner].toSorted());
    expect((await left()).folders.toSorted()).toEqual(["attempt_elsewhere", "somebody-elses"]);
    await session.dispose();
  });

  it("removes nothing while the records cannot be asked", async () => {
    const old = await run(FAILED, ENDED);
    await leave(old.runId, old.attemptId, 100);
    const before = await left();
    line().proxy.on(() => true, { kind: "answer", status: 403, body: json("CB_NO02") });
    await expect(pruneOnce(deps())).rejects.toMatchObject({ code: "STORE_REFUSED" });
    expect(await left()).toEqual(before);
  });

  it("never touches the journal of a program that runs", async () => {
    const old = await run(FAILED, ENDED);
    const name = await leave(old.runId, old.attemptId, 100);
    expect(await pruneOnce({ ...deps(), startedAtMs: 0 })).toMatchObject({ journal: 0 });
    expect((await left()).journals).toEqual([name]);
  });

  it("keeps what a runner could not send yet, and removes the old logs of the program", async () => {
    const old = await run(FAILED, ENDED);
    await leave(old.runId, old.attemptId, 100);
    const { root: folder, cwd } = workFolderOf(dataDirPaths(root).work, old.attemptId);
    await mkdir(path.join(cwd, ".ksql", "logs", "pending"), { recursive: true });
    await writeFile(path.join(cwd, ".ksql", "logs", "pending", "1.json"), "{}");
    await age(folder, 100);
    const log = path.join(dataDirPaths(root).log, "flownet-20260101T000000000Z.jsonl");
    await writeFile(log, "{}\n");
    await age(log, 40);
    expect(await pruneOnce(deps())).toMatchObject({ work: 0, programLogs: 1 });
    expect((await left()).folders).toEqual([old.attemptId]);
  });
});

describe("age and size", () => {
  const entry = (name: string, days: number, bytes: number) => ({ name, modifiedMs: -days * DAY_MS, bytes });
  it.each<[string, readonly ReturnType<typeof entry>[], readonly string[]]>([
    ["what is too old", [entry("a", 8, 1), entry("b", 6, 1)], ["a"]],
    [
      "the oldest of too much",
      [entry("a", 6, 2 ** 30), entry("b", 5, 2 ** 30), entry("c", 4, 2 ** 30)],
      ["a"],
    ],
    ["nothing of today, however large", [entry("a", 0.5, 2 ** 40)], []],
  ])("%s goes", (_name, entries, going) => {
    expect(outdated(entries, 0, KEEP.work)).toEqual(going);
  });
});
