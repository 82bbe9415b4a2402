import type { LockHolderProcess } from "../../../shared/api/index.ts";
import type { LockDirectory } from "../locks/directory.ts";
import { holderOf } from "../locks/locks.ts";
import type { ProcessFactsReader } from "./facts.ts";

export interface HoldersDeps {
  readonly directory: Pick<LockDirectory, "pictures">;
  readonly host: string;
  readonly facts: ProcessFactsReader;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** The processes that hold a lock, as last read; looked at where they run on this host, and never acted upon. */
export async function readHolders(
  { directory, host, facts, nowMs }: HoldersDeps,
  signal?: AbortSignal,
): Promise<readonly LockHolderProcess[]> {
  const pictures = (await directory.pictures(signal)) ?? [];
  return pictures.map((picture) => {
    const holder = holderOf(picture, host, nowMs());
    const { recordId, runId, businessKey, pid, thisHost } = holder;
    return {
      recordId,
      networkId: picture.networkId,
      runId,
      businessKey,
      host: holder.host,
      pid,
      thisHost,
      self: thisHost && pid === process.pid,
      facts: thisHost && pid !== null ? facts.facts(pid) : null,
    };
  });
}
