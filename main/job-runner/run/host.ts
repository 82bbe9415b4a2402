import { readFileSync, statSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";

const HOST_LABEL = /^[A-Za-z0-9._:-]{1,64}$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Host as the log app shows it: `KSQL_HOST_LABEL` or the host name (execution-contract §1). Error: `CONFIG_ERROR`. */
export function hostLabel(environment: Readonly<Record<string, string | undefined>>): Result<string> {
  const label = environment.KSQL_HOST_LABEL;
  if (label === undefined || label === "") return ok(hostname());
  if (HOST_LABEL.test(label)) return ok(label);
  return fail({
    code: "CONFIG_ERROR",
    message: "KSQL_HOST_LABEL is not 1 to 64 of the characters A-Z a-z 0-9 . _ : -",
    place: "KSQL_HOST_LABEL",
  });
}

/** Name of the operating system's user, "" where there is none. */
export function executingUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

function gitFolder(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, ".git");
    const found = statSync(candidate, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return candidate;
    if (found?.isFile() === true) {
      const target = readText(candidate)?.replace(/^gitdir:\s*/, "") ?? "";
      return isAbsolute(target) ? target : resolve(folder, target);
    }
    if (dirname(folder) === folder) return null;
  }
}

/** Commit of the working copy an SQL file lies in, "" when there is none; read from files, no git is started. */
export function gitRef(sqlPath: string): string {
  const folder = gitFolder(dirname(resolve(sqlPath)));
  if (folder === null) return "";
  const head = readText(join(folder, "HEAD")) ?? "";
  if (COMMIT.test(head)) return head;
  const ref = head.replace(/^ref:\s*/, "");
  const common = readText(join(folder, "commondir"));
  const roots = common === null ? [folder] : [folder, resolve(folder, common)];
  for (const root of roots) {
    const loose = readText(join(root, ref)) ?? "";
    if (COMMIT.test(loose)) return loose;
    const packed = readText(join(root, "packed-refs"))?.split("\n") ?? [];
    const line = packed.find((entry) => entry.endsWith(` ${ref}`))?.split(" ")[0] ?? "";
    if (COMMIT.test(line)) return line;
  }
  return "";
}
