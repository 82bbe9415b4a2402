import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type OpenedWorkspace, openEmbedded } from "../../../main/console/index.ts";
import {
  createFaultControl,
  createProvisioner,
  type FaultControl,
  type Provisioner,
  readFaultControl,
  readServerFile,
} from "../../../main/local-kintone/index.ts";
import { installPackage } from "../npm-package.ts";
import { type InteropNetwork, writeNetwork } from "./network.ts";
import { bareEnvironment, createProgram, type Env, type Program } from "./program.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..", "..");
const SERVER = path.join(ROOT, "main", "local-kintone", "serve.ts");
const OURS = path.join(ROOT, "main", "cli", "index.ts");
const PEER = { name: "@rex0220/ksql-flownet", version: "1.0.0" };

/** One local kintone as a process of its own, and two FlowNet programs that work on it. */
export interface InteropRig {
  readonly folder: string;
  /** The embedded workspace in this process: for reads, never the one under test. */
  readonly workspace: OpenedWorkspace;
  readonly control: FaultControl;
  readonly provisioner: Provisioner;
  /** Client labels of the two programs are `ours` and `peer`, for fault rules that name a client. */
  readonly ours: Program;
  readonly peer: Program;
  readonly env: Env;
  /** A text file that says why; the same for every command. */
  readonly reasonFile: string;
  network(network: InteropNetwork): Promise<string>;
  dispose(): Promise<void>;
}

async function startServer(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SERVER, "--data-dir", dataDir, "--resident", "--control"], {
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const [message] = await once(child, "message");
  if (JSON.stringify(message).includes('"listening"')) return child;
  child.kill("SIGKILL");
  throw new Error(`the local kintone did not start: ${JSON.stringify(message)}`);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGKILL");
  await once(server, "exit");
}

/** Opens it; whoever opens disposes. `env` changes variables of both programs. Throws when npm cannot be reached. */
export async function openInterop(changes: (block: Env, folder: string) => Promise<Env> = noChanges) {
  const installed = await installPackage(PEER);
  const folder = await mkdtemp(path.join(os.tmpdir(), "interop-"));
  const dataDir = path.join(folder, "data");
  const server = await startServer(dataDir);
  try {
    const workspace = await openEmbedded({ dataDir, env: {} });
    return await assemble({ folder, dataDir, server, workspace, peerPath: installed.path, changes });
  } catch (error) {
    await end(server);
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const noChanges = async (): Promise<Env> => ({});

async function assemble(parts: {
  readonly folder: string;
  readonly dataDir: string;
  readonly server: ChildProcess;
  readonly workspace: OpenedWorkspace;
  readonly peerPath: string;
  readonly changes: (block: Env, folder: string) => Promise<Env>;
}): Promise<InteropRig> {
  const { folder, dataDir, server, workspace } = parts;
  const [address, told] = [readFaultControl(dataDir), readServerFile(dataDir)];
  if (address === null || told === null) throw new Error("the local kintone has no control port");
  const control = createFaultControl(address);
  const block = workspace.environment();
  const env: Env = {
    ...block,
    KSQL_FLOWNET_REQUESTED_BY: "tanaka",
    KSQL_FLOWNET_SERVICE_PRINCIPAL: "interop",
    ...(await parts.changes(block, folder)),
  };
  const envOf = async (client: string): Promise<Env> => ({
    ...env,
    KSQL_FLOWNET_BASE_URL: `http://localhost:${await control.openPort(client)}`,
  });
  const reasonFile = path.join(folder, "why.txt");
  await writeFile(reasonFile, "夜間の停電で止まったため\n");
  return {
    folder,
    workspace,
    control,
    provisioner: createProvisioner(told.controlUrl, told.controlToken),
    ours: createProgram({
      name: "ours",
      file: OURS,
      env: await envOf("ours"),
      lastArgs: ["--data-dir", path.join(folder, "ours")],
    }),
    peer: createProgram({
      name: "peer",
      file: path.join(parts.peerPath, "dist", "cli", "index.js"),
      env: await envOf("peer"),
    }),
    env,
    reasonFile,
    network: (network) => writeNetwork(path.join(folder, "networks"), network),
    async dispose() {
      await workspace.dispose();
      await end(server);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
