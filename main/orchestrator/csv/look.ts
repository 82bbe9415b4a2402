import type { BigIntStats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { errorText } from "../../../shared/domain/problem.ts";
import type { IoRoot } from "./io-root.ts";

/** What stands at one place, without following it. */
export type Seen =
  | { readonly kind: "file"; readonly stats: BigIntStats }
  | { readonly kind: "folder" }
  | { readonly kind: "missing" }
  /** A link, a device, a pipe, or something that cannot be looked at; `why` goes into a message. */
  | { readonly kind: "refused"; readonly why: string };

/** The system's code of an error, or its text: what may stand in a message that is stored. */
export function systemReason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : errorText(error);
}

/** Looks at a place itself; on Windows a junction is seen as a link here too (orchestration section 8.2). */
export async function look(place: string): Promise<Seen> {
  try {
    const stats = await lstat(place, { bigint: true });
    if (stats.isSymbolicLink()) return { kind: "refused", why: "is a link" };
    if (stats.isDirectory()) return { kind: "folder" };
    return stats.isFile() ? { kind: "file", stats } : { kind: "refused", why: "is no regular file" };
  } catch (error) {
    const reason = systemReason(error);
    return reason === "ENOENT"
      ? { kind: "missing" }
      : { kind: "refused", why: `cannot be looked at (${reason})` };
  }
}

/** Whether what `place` really is lies below the root's `side`; mount points that are no links end here. */
export async function staysBelow(root: IoRoot, side: string, place: string): Promise<boolean> {
  const base = await realpath(path.join(root.realDir, side));
  const inside = path.relative(base, await realpath(place));
  return (
    inside === "" || (inside !== ".." && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside))
  );
}
