import type { RunRow } from "../../../shared/api/index.ts";
import type { LockPicture } from "../../../shared/domain/attention-lock.ts";
import { networkLockKey } from "../../../shared/domain/keys.ts";
import type { NetworkLock, Stored } from "../../../shared/domain/model.ts";
import type { LockWatch } from "../attention/lock-watch.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { NetworkEntry } from "../ports.ts";

export interface KnownNetwork {
  readonly profile: string;
  readonly networkId: string;
}

export interface LockDirectory {
  /** Every network known here: from the allow list, and from the Runs in the picture. */
  networks(): readonly KnownNetwork[];
  /** The held locks as last read, with whose they are; null before the first reading. */
  pictures(signal?: AbortSignal): Promise<readonly LockPicture[] | null>;
  /** One lock with whose it is. An owner that cannot be looked up is told as unknown. */
  pictureOf(lock: Stored<NetworkLock>, signal?: AbortSignal): Promise<LockPicture>;
}

export interface DirectoryDeps {
  readonly watch: LockWatch;
  readonly live: Pick<LiveModel, "known" | "row">;
  readonly profile: string;
  readonly networks: () => readonly NetworkEntry[];
}

/** Says which network a lock is over and which Run its owner works on: the record itself names only hashes and ids. */
export function createLockDirectory({ watch, live, profile, networks }: DirectoryDeps): LockDirectory {
  const keys = new Map<string, string | null>();
  const keyOf = (network: KnownNetwork): string | null => {
    const id = `${network.profile}\u0000${network.networkId}`;
    const known = keys.get(id);
    if (known !== undefined) return known;
    const key = networkLockKey(network.profile, network.networkId);
    keys.set(id, key.ok ? key.value : null);
    return keys.get(id) ?? null;
  };
  const known = (): readonly KnownNetwork[] =>
    distinct([...networks().map(({ networkId }) => ({ profile, networkId })), ...live.known()]);
  const ownerRun = async (owner: string | null, signal?: AbortSignal): Promise<RunRow | string | null> => {
    if (owner === null) return null;
    const runId = await watch.runOfOwner(owner, signal).catch(() => null);
    return runId === null ? null : (live.row(runId) ?? runId);
  };
  const pictureIn = async (
    candidates: readonly KnownNetwork[],
    lock: Stored<NetworkLock>,
    signal?: AbortSignal,
  ): Promise<LockPicture> => {
    const run = await ownerRun(lock.ownerInvocationId, signal);
    const row = typeof run === "string" ? null : run;
    const network = candidates.find((each) => keyOf(each) === lock.lockKey);
    return {
      lock,
      networkId: network?.networkId ?? row?.networkId ?? null,
      runId: typeof run === "string" ? run : (row?.runId ?? null),
      businessKey: row?.businessKey ?? null,
    };
  };
  return {
    networks: known,
    async pictures(signal) {
      const held = watch.held();
      if (held === null) return null;
      const candidates = held.length === 0 ? [] : known();
      return Promise.all(held.map((lock) => pictureIn(candidates, lock, signal)));
    },
    pictureOf: (lock, signal) => pictureIn(known(), lock, signal),
  };
}

function distinct(networks: readonly KnownNetwork[]): readonly KnownNetwork[] {
  const found = new Map(
    networks.map(
      ({ profile, networkId }) => [`${profile}\u0000${networkId}`, { profile, networkId }] as const,
    ),
  );
  return [...found.values()];
}
