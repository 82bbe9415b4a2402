import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import { htmlResponse } from "../api/respond.ts";
import type { LocalKintone } from "../create.ts";
import type { KintoneRequest, KintoneResponse } from "../model.ts";
import { kintonePaths } from "./server-file.ts";

const SUFFIX = ".sqlite";
/** Path segments of kintone itself and names no file system likes are out. */
const NAME = /^(?!k$)[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** The database of a workspace; null is the one at the root path. Throws FlowError `WORKSPACE_NAME_INVALID`. */
export function workspaceDatabase(dataDir: string, name: string | null): string {
  const { database, workspaces } = kintonePaths(dataDir);
  return name === null ? database : join(workspaces, `${checkName(name)}${SUFFIX}`);
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new FlowError({
    code: "WORKSPACE_NAME_INVALID",
    message: `"${name}" cannot name a workspace: 1 to 32 small letters, digits and inner hyphens, not "k".`,
    place: "workspace",
    remedy: "Choose another name.",
  });
}

/** Names of the workspaces of a data folder that have a database, sorted; the one at the root has no name. */
export function workspaceNames(dataDir: string): readonly string[] {
  const { workspaces } = kintonePaths(dataDir);
  if (!existsSync(workspaces)) return [];
  return readdirSync(workspaces)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .filter((name) => NAME.test(name))
    .sort();
}

/** Several domains behind one port, told apart by the first part of the path (kintone-rest §1.1, "Sub-path"). */
export interface Workspaces {
  handle(request: KintoneRequest): Promise<KintoneResponse>;
  /** The server of a workspace, opened when first asked for; throws FlowError `WORKSPACE_UNKNOWN`. */
  find(name: string): LocalKintone;
  /** The same, with its database made when there is none. */
  create(name: string): LocalKintone;
  dispose(): Promise<void>;
}

export interface WorkspacesOptions {
  readonly dataDir: string;
  /** The workspace at the root path; it stays its owner's to dispose. */
  readonly main: LocalKintone;
  open(databasePath: string): LocalKintone;
  /** Told why a workspace could not be opened for a request, which is then answered with 503. */
  onFailure(error: unknown): void;
}

/** Creates the router in front of the workspaces. */
export function createWorkspaces({ dataDir, main, open, onFailure }: WorkspacesOptions): Workspaces {
  const opened = new Map<string, LocalKintone>();
  function server(name: string): LocalKintone {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const fresh = open(workspaceDatabase(dataDir, name));
    opened.set(name, fresh);
    return fresh;
  }
  const exists = (name: string): boolean =>
    opened.has(name) || (NAME.test(name) && existsSync(workspaceDatabase(dataDir, name)));
  return {
    async handle(request) {
      const { target } = request;
      if (target.startsWith("/k/")) return main.handle(request);
      const [, name = "", rest = ""] = /^\/([^/?]+)(\/k\/.*)$/s.exec(target) ?? [];
      if (!exists(name)) return rest === "" ? main.handle(request) : htmlResponse(404);
      let kintone: LocalKintone;
      try {
        kintone = server(name);
      } catch (error) {
        onFailure(error);
        return htmlResponse(503);
      }
      return kintone.handle({ ...request, target: rest });
    },
    find(name) {
      if (exists(name)) return server(name);
      throw unknown(name);
    },
    create(name) {
      checkName(name);
      mkdirSync(kintonePaths(dataDir).workspaces, { recursive: true, mode: 0o700 });
      return server(name);
    },
    async dispose() {
      for (const kintone of opened.values()) await kintone.dispose();
    },
  };
}

const unknown = (name: string): FlowError =>
  new FlowError({
    code: "WORKSPACE_UNKNOWN",
    message: `The data folder has no workspace "${name}".`,
    place: "workspace",
    remedy: `Make it with: flownet local-kintone create-apps --workspace ${name}`,
  });
