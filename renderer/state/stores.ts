import type { ConsoleApi, LiveBatch } from "../../shared/api/index.ts";
import { type Announcer, createAnnouncer } from "./announcer.ts";
import { createLiveStore, type LiveStore } from "./live.ts";
import { createPreferencesStore, type PreferenceStorage, type PreferencesStore } from "./preferences.ts";
import { createRunDetailStore, type RunDetailStore } from "./run-detail.ts";
import { createRunGridStore, type RunGridStore } from "./run-grid.ts";
import { createRunsStore, type RunsStore } from "./runs.ts";
import { createStartStore, type StartStore } from "./start.ts";
import { createWorkspaceStore, type WorkspaceStore } from "./workspace.ts";

export interface Stores {
  readonly workspace: WorkspaceStore;
  readonly runs: RunsStore;
  readonly runDetail: RunDetailStore;
  readonly runGrid: RunGridStore;
  readonly start: StartStore;
  readonly live: LiveStore;
  readonly preferences: PreferencesStore;
  readonly announcer: Announcer;
}

export interface StoresDeps {
  readonly api: ConsoleApi;
  readonly storage: PreferenceStorage;
  readonly systemLanguage: string;
  readonly operationId: () => string;
  readonly later: (work: () => void, ms: number) => () => void;
  readonly summarise: (messages: readonly string[]) => string;
}

/** One store a subject, all over one API. */
export function createStores(deps: StoresDeps): Stores {
  const workspace = createWorkspaceStore(deps);
  return {
    workspace,
    runs: createRunsStore(deps),
    runDetail: createRunDetailStore(deps),
    runGrid: createRunGridStore(deps),
    start: createStartStore({
      api: deps.api,
      operationId: deps.operationId,
      timeZone: () => workspace.store.getState().info.value?.timeZone ?? "UTC",
    }),
    live: createLiveStore(),
    preferences: createPreferencesStore(deps),
    announcer: createAnnouncer(deps),
  };
}

/** Hands one batch of news to every subject it concerns. */
export async function applyBatch(stores: Stores, batch: LiveBatch): Promise<void> {
  stores.live.apply(batch);
  if (batch.mode !== null) stores.workspace.mode(batch.mode);
  for (const operation of batch.operations) stores.start.follow(operation);
  if (batch.resync) {
    await Promise.all([
      stores.runs.load(),
      stores.runDetail.reload(),
      stores.runGrid.reload(),
      stores.start.ask(),
    ]);
    return;
  }
  stores.runs.apply(batch.runs);
  await Promise.all([
    stores.runDetail.apply(batch.runs, batch.nodes),
    stores.runGrid.apply(batch.runs, batch.nodes),
  ]);
}
