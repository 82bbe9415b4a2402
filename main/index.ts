/**
 * The desktop program: wiring, nothing else (architecture §2). Nothing waits at the top level: Electron is not ready
 * before this module has run to its end.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  clockFor,
  consolePolling,
  createConsoleApi,
  createProgramLog,
  defaultDataDir,
  type HostGuard,
  openWorkspace,
  ownerLine,
  startRetention,
  systemClock,
  takeHostGuard,
  waitOrAbort,
  watchFaults,
} from "./console/index.ts";
import {
  childNode,
  claimShell,
  createDesktop,
  createSealedSecrets,
  LINK_SCHEME,
  markStart,
  type OpenedConsole,
  proxyFromAnswer,
  type SealedSecrets,
  startOptions,
  userDataFolder,
} from "./desktop/index.ts";

const BUILD = join(import.meta.dirname, "..", "build");
const argv = process.argv.slice(1);
const options = startOptions(argv, process.env, process.cwd());
const dataDir = options.dataDir ?? defaultDataDir(process.env);
const programLog = createProgramLog({
  folder: join(dataDir, "log"),
  clock: systemClock,
  pid: process.pid,
});
const log = (line: string): void => {
  process.stderr.write(`desktop: ${line}\n`);
  programLog.write("info", "desktop", "DESKTOP_LINE", { text: line });
};

const claimed = claimShell({
  userData: (appData) => userDataFolder(appData, options.dataDir),
  softwareRendering: options.softwareRendering,
  linkScheme: LINK_SCHEME,
});
if (claimed !== null) {
  run(claimed).catch((error: unknown) => {
    log(String(error));
    programLog.flushNow();
    process.exit(1);
  });
}

async function run({ userData, packaged, ready }: NonNullable<typeof claimed>): Promise<void> {
  const node = childNode({
    execPath: process.execPath,
    inElectron: process.versions.electron !== undefined,
    packaged,
    resourcesPath: process.resourcesPath,
    env: process.env,
    platform: process.platform,
  });
  if (node === null) throw new Error("FLOWNET_NODE names no Node for children: start with npm start");
  // Every room starts its children on `process.execPath`; in this process that would be the application itself.
  process.execPath = node;
  const shell = await ready;
  const secrets = createSealedSecrets({
    file: join(userData, "secrets.json"),
    vault: shell.vault,
    nowMs: () => systemClock.nowMs(),
    keptAside: (path) => log(`secrets that cannot be opened here were kept in ${path}`),
  });
  const desktop = createDesktop({
    shell,
    marker: await markStart(join(userData, "running.json"), process.pid, new Date().toISOString()),
    openConsole: () => openConsole(secrets, async (url) => proxyFromAnswer(await shell.resolveProxy(url))),
    pages: join(BUILD, "renderer"),
    preload: join(BUILD, "preload", "preload.cjs"),
    placeFile: join(userData, "window.json"),
    argv,
    nowMs: () => systemClock.nowMs(),
    nonce: () => randomBytes(16).toString("base64url"),
    wait: waitOrAbort,
    log,
    flushLog: programLog.flushNow,
  });
  watchFaults(process, programLog, desktop.fault);
  process.on("SIGINT", desktop.quit);
  process.on("SIGTERM", desktop.quit);
  await desktop.start();
}

async function openConsole(
  secrets: SealedSecrets,
  systemProxy: (url: string) => Promise<string | null>,
): Promise<OpenedConsole> {
  const guard = await takeHostGuard({ dataDir, front: "desktop" });
  try {
    return await openGuarded(secrets, systemProxy, guard);
  } catch (error) {
    await guard.dispose();
    throw error;
  }
}

async function openGuarded(
  secrets: SealedSecrets,
  systemProxy: (url: string) => Promise<string | null>,
  guard: HostGuard,
): Promise<OpenedConsole> {
  const { env } = process;
  const { takenOverFrom } = guard;
  if (takenOverFrom !== null)
    log(`a resident that did not end in order was here: ${ownerLine(takenOverFrom)}`);
  const workspace = await openWorkspace({
    dataDir,
    env,
    log: programLog,
    secrets,
    systemProxy,
    endServer: true,
    evenOffline: true,
    standIn: true,
  });
  const clock = clockFor(workspace.baseUrl, env);
  const api = createConsoleApi({
    workspace,
    clock,
    random: Math.random,
    ...consolePolling(workspace, env),
  });
  const retention = startRetention(workspace, dataDir);
  return {
    api,
    kintoneBaseUrl: workspace.baseUrl,
    async dispose() {
      try {
        await api.dispose();
        await retention.dispose();
      } finally {
        await workspace.dispose();
        await programLog.dispose();
        await guard.dispose();
      }
    },
  };
}
