import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** How large a log grows and how much of it stays (electron-desktop G2). */
export interface LogLimits {
  readonly maxBytes: number;
  /** Full files kept beside the one that is written. */
  readonly keep: number;
  readonly keepMs: number;
}
export const USUAL_LIMITS: LogLimits = { maxBytes: 20 * 1024 * 1024, keep: 19, keepMs: 30 * 86_400_000 };

export const LOG_NAME = "flownet.jsonl";
const FULL_NAME = /^flownet-\d{8}T\d{9}Z(-\d+)?\.jsonl$/;

/** Names of full files that go: beyond the count, and older than is kept. Names carry their time. Pure. */
export function outdatedLogs(
  files: readonly { readonly name: string; readonly modifiedMs: number }[],
  nowMs: number,
  { keep, keepMs }: LogLimits,
): readonly string[] {
  const newest = files.filter(({ name }) => FULL_NAME.test(name)).sort((a, b) => (a.name < b.name ? 1 : -1));
  return newest
    .filter(({ modifiedMs }, at) => at >= keep || nowMs - modifiedMs > keepMs)
    .map(({ name }) => name);
}

/** Puts the full file aside under its time and removes what is no longer kept. Errors of the disk pass. */
export async function rotateLog(folder: string, nowMs: number, limits: LogLimits): Promise<void> {
  const at = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, "");
  const names = new Set(await readdir(folder));
  let aside = `flownet-${at}.jsonl`;
  // Full twice in a millisecond: nothing is overwritten.
  for (let next = 2; names.has(aside); next += 1) aside = `flownet-${at}-${next}.jsonl`;
  await rename(join(folder, LOG_NAME), join(folder, aside));
  const files = await Promise.all(
    [...names, aside]
      .filter((name) => FULL_NAME.test(name))
      .map(async (name) => ({ name, modifiedMs: (await stat(join(folder, name))).mtimeMs })),
  );
  for (const name of outdatedLogs(files, nowMs, limits)) await rm(join(folder, name), { force: true });
}
