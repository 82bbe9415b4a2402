import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDataDir } from "../../../main/console/data-dir.ts";
import { BUILT_IN_RUNNER, prepareEmbedded } from "../../../main/console/embedded.ts";
import { ensureLocalKintone } from "../../../main/local-kintone/index.ts";
import type { ConnectionSettings } from "../../../shared/api/index.ts";

/** A kintone of its own for a console's settings: the local one of another data folder, with everything in place. */
export interface OwnKintone {
  readonly connection: ConnectionSettings;
  /** By slot, as the form names them. */
  readonly tokens: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/** Of the data folder `root`, or of a new one. */
export async function startOwnKintone(root?: string): Promise<OwnKintone> {
  const dataDir = await prepareDataDir(root ?? (await mkdtemp(join(tmpdir(), "flownet-own-"))));
  const server = await ensureLocalKintone({
    dataDir: dataDir.root,
    execPath: process.execPath,
    signal: new AbortController().signal,
  });
  const { connection, runnerTokens } = await prepareEmbedded(dataDir, server);
  const { state, audit, request, jobLog } = connection;
  if (request === null) throw new Error("the embedded workspace has a request app");
  return {
    connection: {
      id: "prod",
      name: "本番 kintone",
      profile: connection.profile,
      baseUrl: connection.baseUrl,
      guestSpaceId: null,
      apps: { state: state.appId, audit: audit.appId, request: request.appId, jobLog: jobLog.appId },
      runner: {
        bin: process.execPath,
        binArgs: [BUILT_IN_RUNNER],
        configPath: connection.runner.configPath,
        workDir: connection.runner.workDir,
      },
      proxy: { mode: "none" },
      caFile: null,
      allowListPath: connection.allowListPath,
    },
    tokens: {
      state: state.token,
      audit: audit.token,
      request: request.token,
      jobLog: jobLog.token,
      ...Object.fromEntries(Object.entries(runnerTokens).map(([name, token]) => [`runner/${name}`, token])),
    },
    async dispose() {
      await server.provisioner.stop().catch(() => undefined);
      await server.release();
    },
  };
}

/** A data folder whose settings use that connection, with its tokens. */
export async function prepareSettings(own: OwnKintone): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "flownet-console-"));
  await keepConnection(own, root, own.connection.id);
  return root;
}

/** Writes that connection and its tokens into the settings of a data folder; `active` is the one in use, null for none. */
export async function keepConnection(own: OwnKintone, root: string, active: string | null): Promise<void> {
  const settings = {
    kind: "FLOWNET_SETTINGS",
    formatVersion: 1,
    activeConnection: active,
    connections: [own.connection],
    hosts: [],
    schedulesPath: null,
    view: { language: "system", theme: "system", timeZone: "Asia/Tokyo", density: "compact" },
    budget: { requestsPerAppAndDay: 10_000 },
  };
  const secrets = Object.fromEntries(
    Object.entries(own.tokens).map(([slot, token]) => [`connection.prod.${slot.replace("/", ".")}`, token]),
  );
  const file = { kind: "FLOWNET_SECRETS", formatVersion: 1, secrets };
  await writeFile(join(root, "settings.json"), JSON.stringify(settings), { mode: 0o600 });
  await writeFile(join(root, "secrets.json"), JSON.stringify(file), { mode: 0o600 });
}
