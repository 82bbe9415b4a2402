import type { Picture } from "./live-model-picture.ts";
import type { LiveModelDeps } from "./live-model-ports.ts";
import type { KeptPicture } from "./picture-file.ts";

/** The picture is written at most this often; milliseconds. */
const KEEP_EVERY_MS = 60_000;

/** Keeps the last picture on disk for a start on which kintone does not answer (electron-desktop N8). */
export function createKeeping(deps: Pick<LiveModelDeps, "kept" | "clock">, picture: Pick<Picture, "rows">) {
  const { kept, clock } = deps;
  let keptMs = Number.NEGATIVE_INFINITY;
  let readAt: string | null = null;
  let writing: Promise<void> = Promise.resolve();

  const save = (): void => {
    const at = readAt;
    if (kept === null || at === null) return;
    readAt = null;
    keptMs = clock.monotonicMs();
    // A picture that could not be written is no loss to this session; the next one is tried again.
    writing = writing.then(() => kept.save({ readAt: at, rows: picture.rows() })).catch(() => undefined);
  };
  return {
    async load(): Promise<KeptPicture | null> {
      return (await kept?.load().catch(() => null)) ?? null;
    },
    wasRead(at: string): void {
      readAt = at;
      if (clock.monotonicMs() - keptMs >= KEEP_EVERY_MS) save();
    },
    /** Writes what was read last and waits for it. */
    async dispose(): Promise<void> {
      save();
      await writing;
    },
  };
}
