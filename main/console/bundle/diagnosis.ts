import { readdir, stat } from "node:fs/promises";
import { arch, cpus, freemem, release, totalmem, type } from "node:os";
import { join } from "node:path";
import type { Collection } from "./collect.ts";
import type { BundleDeps } from "./ports.ts";
import { newestFiles, tailOf } from "./tails.ts";

/** Bytes of the end of each file, and files of a kind, that are taken. */
const TAIL = 512 * 1024;
const LOG_FILES = 3;
const JOURNAL_FILES = 5;

/** What supporters ask for first; nothing of it needs the network (electron-desktop G5). */
export async function collectDiagnosis(
  deps: BundleDeps,
  into: Collection,
  signal?: AbortSignal,
): Promise<void> {
  const { workspace, audit, attention, processes, notes } = deps;
  const { folders, settings, log } = workspace;
  await into.json("host.json", () => hostFacts(deps));
  await into.json("connection.json", () => ({
    kind: workspace.kind,
    profile: workspace.profile,
    baseUrl: workspace.baseUrl,
    apps: Object.fromEntries(workspace.apps),
    requestsToday: [...workspace.apps].map(([source, app]) => [source, workspace.requests.used(app)]),
    clock: workspace.serverClock.current(),
  }));
  if (settings !== undefined) await into.json("settings.json", () => settingsWithoutSecrets(deps));
  for (const name of await newestFiles(folders.log, /^flownet.*\.jsonl$/, LOG_FILES)) {
    await into.text(`log/${name}`, () => tailOf(join(folders.log, name), TAIL));
  }
  await into.json("log/state.json", () => log.state());
  for (const name of await newestFiles(folders.journal, /\.jsonl$/, JOURNAL_FILES)) {
    await into.text(`journal/${name}`, () => tailOf(join(folders.journal, name), TAIL));
  }
  const actions = join(folders.journal, "actions");
  for (const name of await newestFiles(actions, /\.jsonl$/, JOURNAL_FILES)) {
    await into.text(`journal/actions/${name}`, () => tailOf(join(actions, name), TAIL));
  }
  await into.json("journal/chain.json", () => audit.chain());
  await into.json("attention.json", () => attention(signal));
  await into.json("processes.json", () => processes(signal));
  await into.json("notes.json", () => notes.all());
  await into.json("data-folder.json", () => listing(folders.root));
}

function hostFacts({ version, workspace }: BundleDeps) {
  return {
    version,
    host: workspace.host,
    system: `${type()} ${release()} ${arch()}`,
    processors: cpus().length,
    memory: { total: totalmem(), free: freemem() },
    versions: { ...process.versions },
    uptimeSeconds: Math.round(process.uptime()),
    memoryUsage: process.memoryUsage(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** The settings as saved; of tokens only whether they are set. */
async function settingsWithoutSecrets({ workspace: { settings } }: BundleDeps) {
  if (settings === undefined) return null;
  const { tokens, ...view } = await settings.view();
  return {
    ...view,
    credentials: tokens.map(({ connectionId, slot, state }) => `${connectionId} ${slot} ${state}`),
  };
}

/** Names and sizes in the data folder, two levels deep: what is missing or large is seen at once. */
async function listing(root: string) {
  const names = await readdir(root, { withFileTypes: true });
  return Promise.all(
    names.map(async (entry) => {
      const path = join(root, entry.name);
      if (entry.isDirectory()) {
        const inside = await readdir(path).catch((): readonly string[] => []);
        return { name: `${entry.name}/`, entries: inside.length };
      }
      const { size, mtime } = await stat(path);
      return { name: entry.name, bytes: size, modifiedAt: mtime.toISOString() };
    }),
  );
}
