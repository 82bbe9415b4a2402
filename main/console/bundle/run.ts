import type { RunGraph } from "../../store/index.ts";
import type { Collection } from "./collect.ts";
import type { BundleDeps } from "./ports.ts";

/** Attempts whose JOB log and journal are asked for, and whose logs are taken; the newest first. */
const ATTEMPTS = 40;
const LOGGED = 10;
/** Lines of the end of each log. */
const LOG_LINES = 500;

/** Everything this host can say of one Run. What cannot be read is named in the bundle. */
export async function collectRun(
  deps: BundleDeps,
  into: Collection,
  runId: string,
  graph: RunGraph | null,
  signal?: AbortSignal,
): Promise<void> {
  const { workspace, audit, notes, attention, processes } = deps;
  if (graph !== null) await into.json("records/run.json", () => graph);
  if (graph?.run) {
    const { networkId, profileSnapshot } = graph.run;
    const scope = { networkId, profile: profileSnapshot.profile };
    await into.json("records/lock.json", () => workspace.reads.findLock(scope, signal));
  }
  await into.text("audit/history.json", () => audit.text({ run: runId }, "json", signal));
  const attempts = [...(graph?.attempts ?? [])]
    .sort((left, right) => Number(right.ref.recordId) - Number(left.ref.recordId))
    .slice(0, ATTEMPTS)
    .map(({ attemptId }) => attemptId);
  await into.json("records/job-log.json", () =>
    inTurn(attempts, async (attemptId) => ({
      attemptId,
      found: await workspace.reads.findJobLog(attemptId, signal),
    })),
  );
  await into.json("journal/attempts.json", () =>
    inTurn(attempts, async (attemptId) => ({
      attemptId,
      evidence: await workspace.attemptEvidence(attemptId),
    })),
  );
  for (const attemptId of attempts.slice(0, LOGGED)) await collectLogs(deps, into, attemptId, signal);
  await into.json("processes.json", () => processes(signal));
  await into.json("attention.json", async () => {
    const picture = await attention(signal);
    return { ...picture, items: picture.items.filter((item) => item.runId === runId) };
  });
  await into.json("notes.json", async () => (await notes.all()).notes.filter((note) => note.runId === runId));
}

async function inTurn<T>(ids: readonly string[], read: (id: string) => Promise<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for (const id of ids) found.push(await read(id));
  return found;
}

/** The end of every log of an attempt, as far as this host has them. */
async function collectLogs(
  { workspace: { logs } }: BundleDeps,
  into: Collection,
  attemptId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { files } = await logs.files(attemptId).catch(() => ({ files: [] }));
  for (const { name } of files) {
    await into.text(`logs/${attemptId}/${name}`, async () => {
      const { lines } = await logs.tail({ attemptId, name, count: LOG_LINES }, signal);
      return lines.map(({ text }) => `${text.toWellFormed()}\n`).join("");
    });
  }
}
