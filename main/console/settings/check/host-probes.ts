import { randomUUID } from "node:crypto";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionSettings } from "../../../../shared/api/index.ts";
import { errorText, FlowError } from "../../../../shared/domain/problem.ts";
import { validateDefinition } from "../../../orchestrator/index.ts";
import { readAllowList } from "../../allow-list.ts";
import { readSchedules } from "../../attention/schedules.ts";
import type { NetworkEntry } from "../../ports.ts";
import { confirmed, type Finding, type Probe, person, unreadable, wrong } from "./probe.ts";

/** Free space below which a bundle or an export may not find room; bytes. */
const LITTLE_SPACE = 1024 ** 3;

export interface HostProbeDeps {
  readonly connection: ConnectionSettings;
  readonly host: string;
  readonly hosts: readonly string[];
  readonly schedulesPath: string;
}

/** The allow list with every definition in it, and what this host must offer. */
export async function hostProbes(deps: HostProbeDeps): Promise<readonly Probe[]> {
  const { connection, schedulesPath } = deps;
  const { allowListPath } = connection;
  const list = allowListPath === null ? null : await readList(allowListPath);
  const entries = Array.isArray(list) ? list : [];
  return [
    {
      id: "allowList",
      group: "networks",
      subject: "allowList",
      of: null,
      place: allowListPath ?? `connections.${connection.id}.allowListPath`,
      look: async () => judgeList(list),
    },
    ...entries.map(
      (entry): Probe => ({
        id: `definition/${entry.networkId}`,
        group: "networks",
        subject: "definition",
        of: entry.networkId,
        place: entry.definitionPath,
        look: () => lookAtDefinition(entry, connection.profile),
      }),
    ),
    {
      id: "workFolder",
      group: "host",
      subject: "workFolder",
      of: null,
      place: connection.runner.workDir,
      look: () => lookAtFolder(connection.runner.workDir),
    },
    {
      id: "host",
      group: "host",
      subject: "host",
      of: null,
      place: "hosts",
      look: async () => judgeHost(deps),
    },
    {
      id: "schedules",
      group: "host",
      subject: "schedules",
      of: null,
      place: schedulesPath,
      look: () => lookAtSchedules(schedulesPath),
    },
  ];
}

async function readList(path: string): Promise<readonly NetworkEntry[] | FlowError> {
  try {
    return await readAllowList(path);
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

function judgeList(list: readonly NetworkEntry[] | FlowError | null): Finding {
  if (list === null) return person("ALLOW_LIST_NONE");
  if (list instanceof FlowError) {
    const { code, message, place } = list.problem;
    const finding = code === "ALLOWLIST_UNREADABLE" ? unreadable : wrong;
    return {
      ...finding("ALLOW_LIST_INVALID", { problem: code, message }),
      ...(place !== undefined && { place }),
    };
  }
  return confirmed("ALLOW_LIST_OK", { count: String(list.length) });
}

/** A definition that cannot be started stops its own network, not the connection. */
async function lookAtDefinition(entry: NetworkEntry, profile: string): Promise<Finding> {
  const { networkId, problems } = await validateDefinition(entry.definitionPath, profile);
  const [first] = problems;
  if (first !== undefined) {
    const facts = { problem: first.code, message: first.message, count: String(problems.length) };
    return {
      ...person("DEFINITION_INVALID", facts),
      ...(first.place !== undefined && { place: first.place }),
    };
  }
  if (networkId === entry.networkId) return confirmed("DEFINITION_OK");
  return person("DEFINITION_OTHER_NETWORK", { found: networkId ?? "" });
}

/** Writes a file of its own and takes it away again: rights alone do not tell of quotas and full disks. */
async function lookAtFolder(folder: string): Promise<Finding> {
  const file = join(folder, `.flownet-check-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, "check", { flag: "wx" });
    await rm(file);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const facts = { free: `${Math.floor(free / 1024 ** 2)} MiB` };
    return free < LITTLE_SPACE ? person("FOLDER_LITTLE_SPACE", facts) : confirmed("FOLDER_OK", facts);
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    return wrong("FOLDER_UNWRITABLE", { error: errorText(error) });
  }
}

function judgeHost({ host, hosts }: HostProbeDeps): Finding {
  if (hosts.length === 0) return person("HOSTS_UNTOLD", { host });
  const known = hosts.some((name) => name.toLowerCase() === host.toLowerCase());
  return known ? confirmed("HOST_KNOWN", { host }) : person("HOST_UNKNOWN", { host });
}

async function lookAtSchedules(path: string): Promise<Finding> {
  const { expectations, problem, absent } = await readSchedules(path);
  if (absent) return person("SCHEDULES_NONE");
  if (problem === null) return confirmed("SCHEDULES_OK", { count: String(expectations.length) });
  const error = problem.message;
  if (problem.code !== "SCHEDULES_UNREADABLE") return person("SCHEDULES_INVALID", { error });
  return { ...unreadable("SCHEDULES_UNREADABLE", { error }), blocks: false };
}
