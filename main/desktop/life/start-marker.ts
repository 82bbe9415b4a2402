import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";

const markerSchema = z.strictObject({
  kind: z.literal("FLOWNET_RUNNING"),
  formatVersion: z.literal(1),
  pid: z.number().int(),
  startedAt: z.string(),
});
export type Marker = z.infer<typeof markerSchema>;

export interface StartMarker {
  /** The start before this one did not end in order; `left` is what it wrote, null when that is unreadable. */
  readonly dirty: boolean;
  readonly left: Marker | null;
  /** Takes the marker away. Synchronous: the end of a session leaves no time for more (electron-desktop L4). */
  clear(): void;
}

/** Writes the marker of this start, flushed, and tells what the one before left behind (electron-desktop L5). */
export async function markStart(path: string, pid: number, startedAt: string): Promise<StartMarker> {
  const text = await readFile(path, "utf8").catch(() => null);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const marker: Marker = { kind: "FLOWNET_RUNNING", formatVersion: 1, pid, startedAt };
  const file = openSync(path, "w", 0o600);
  try {
    writeSync(file, JSON.stringify(marker));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return {
    dirty: text !== null,
    left: text === null ? null : parse(text),
    clear: () => rmSync(path, { force: true }),
  };
}

function parse(text: string): Marker | null {
  try {
    return markerSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
