import type { ConsoleApi, LiveBatch, SettingsNews } from "../../shared/api/index.ts";
import { type ActionStore, createActionStore } from "./action.ts";
import { type Announcer, createAnnouncer } from "./announcer.ts";
import { type ApprovalsStore, createApprovalsStore } from "./approvals.ts";
import { type AttentionStore, createAttentionStore } from "./attention.ts";
import { type AuditStore, createAuditStore } from "./audit.ts";
import { type BulkStore, createBulkStore } from "./bulk.ts";
import { type BundlesStore, createBundlesStore } from "./bundles.ts";
import { createFrameStore, type FrameStore } from "./frame.ts";
import { createFreezeStore, type FreezeStore } from "./freeze.ts";
import { createJobLocksStore, type JobLocksStore } from "./job-locks.ts";
import { createLayoutStore, type LayoutStore } from "./layout.ts";
import { createLiveStore, type LiveStore } from "./live.ts";
import { createLocksStore, type LocksStore } from "./locks.ts";
import { createLogsStore, type LogsStore } from "./logs.ts";
import { createNotesStore, type NotesStore } from "./notes.ts";
import { createNoticesStore, type NoticesStore } from "./notices.ts";
import { createPaceStore, type PaceStore } from "./pace.ts";
import { createPaletteStore, type PaletteStore } from "./palette.ts";
import { createPreferencesStore, type PreferenceStorage, type PreferencesStore } from "./preferences.ts";
import { createProcessesStore, type ProcessesStore } from "./processes.ts";
import { createRecoveryStore, type RecoveryStore } from "./recovery.ts";
import { createRequestsStore, type RequestsStore } from "./requests.ts";
import { createRunDetailStore, type RunDetailStore } from "./run-detail.ts";
import { createRunGridStore, type RunGridStore } from "./run-grid.ts";
import { createRunPartsStore, type RunPartsStore } from "./run-parts.ts";
import { createRunPlansStore, type RunPlansStore } from "./run-plans.ts";
import { createRunsStore, type RunsStore } from "./runs.ts";
import type { SaveFile } from "./saving.ts";
import { createSettingsStore, type SettingsStore } from "./settings.ts";
import { createStartStore, type StartStore } from "./start.ts";
import { createUnknownStore, type UnknownStore } from "./unknown.ts";
import { createWorkspaceStore, type WorkspaceStore } from "./workspace.ts";

export interface Stores {
  readonly action: ActionStore;
  readonly workspace: WorkspaceStore;
  readonly approvals: ApprovalsStore;
  readonly attention: AttentionStore;
  readonly audit: AuditStore;
  readonly bundles: BundlesStore;
  readonly notes: NotesStore;
  readonly notices: NoticesStore;
  readonly locks: LocksStore;
  readonly requests: RequestsStore;
  readonly processes: ProcessesStore;
  readonly unknown: UnknownStore;
  readonly recovery: RecoveryStore;
  readonly jobLocks: JobLocksStore;
  readonly runs: RunsStore;
  readonly runDetail: RunDetailStore;
  readonly runGrid: RunGridStore;
  readonly runParts: RunPartsStore;
  readonly runPlans: RunPlansStore;
  readonly pace: PaceStore;
  readonly bulk: BulkStore;
  readonly logs: LogsStore;
  readonly start: StartStore;
  readonly settings: SettingsStore;
  readonly live: LiveStore;
  readonly preferences: PreferencesStore;
  readonly layout: LayoutStore;
  readonly frame: FrameStore;
  readonly palette: PaletteStore;
  /** Where news go first: to the page, or held back while it stands still. */
  readonly freeze: FreezeStore;
  readonly announcer: Announcer;
}

export interface StoresDeps {
  readonly api: ConsoleApi;
  readonly storage: PreferenceStorage;
  readonly systemLanguage: string;
  readonly operationId: () => string;
  readonly later: (work: () => void, ms: number) => () => void;
  readonly summarise: (messages: readonly string[]) => string;
  /** Hands a file to the window's own way of saving. */
  readonly saveFile: SaveFile;
}

/** One store a subject, all over one API. */
export function createStores(deps: StoresDeps): Stores {
  const workspace = createWorkspaceStore(deps);
  const preferences = createPreferencesStore(deps);
  const layout = createLayoutStore(deps);
  const freeze = createFreezeStore({
    apply: (batch) => void applyBatch(stores, batch),
    ask: () => void askAnswers(stores),
  });
  const stores: Stores = {
    action: createActionStore({ ...deps, nowMs: () => Date.now() }),
    workspace,
    approvals: createApprovalsStore(deps),
    attention: createAttentionStore({ freeze: freeze.store }),
    audit: createAuditStore({ api: deps.api, saveFile: deps.saveFile }),
    bundles: createBundlesStore({ api: deps.api, saveFile: deps.saveFile }),
    notes: createNotesStore({ ...deps, marked: (itemId, mark) => stores.attention.marked(itemId, mark) }),
    notices: createNoticesStore(),
    jobLocks: createJobLocksStore(deps),
    locks: createLocksStore({ api: deps.api, nowMs: () => Date.now() }),
    requests: createRequestsStore(deps),
    processes: createProcessesStore({ ...deps, random: Math.random }),
    runs: createRunsStore(deps),
    runDetail: createRunDetailStore(deps),
    runGrid: createRunGridStore(deps),
    runParts: createRunPartsStore(deps),
    runPlans: createRunPlansStore(deps),
    pace: createPaceStore(deps),
    bulk: createBulkStore(deps),
    logs: createLogsStore(deps),
    start: createStartStore({
      api: deps.api,
      operationId: deps.operationId,
      timeZone: () => workspace.store.getState().info.value?.timeZone ?? "UTC",
    }),
    live: createLiveStore(),
    unknown: createUnknownStore(deps),
    recovery: createRecoveryStore(deps),
    settings: createSettingsStore({
      api: deps.api,
      saved({ view }) {
        preferences.choose(view);
        layout.setDensity(view.density);
      },
    }),
    preferences,
    layout,
    frame: createFrameStore(),
    palette: createPaletteStore(deps),
    freeze,
    announcer: createAnnouncer(deps),
  };
  stores.attention.store.subscribe(({ picture }, before) => {
    if (picture !== null && picture !== before.picture) stores.notices.take(before.picture, picture);
  });
  return stores;
}

/** What a window takes over at once when settings or roles were saved in any of them. */
async function settingsSaved(stores: Stores, { view }: SettingsNews): Promise<void> {
  if (view !== null) {
    stores.preferences.choose(view);
    stores.layout.setDensity(view.density);
  }
  await Promise.all([stores.workspace.load(), stores.settings.heard()]);
}

/** What somebody waits for, where its news may have passed while the line was down. */
async function askAnswers(stores: Stores): Promise<void> {
  await Promise.all([stores.action.ask(), stores.approvals.load(), stores.bulk.ask(), stores.start.ask()]);
}

/** Hands one batch of news to every subject it concerns. */
async function applyBatch(stores: Stores, batch: LiveBatch): Promise<void> {
  stores.live.apply(batch);
  if (batch.mode !== null) stores.workspace.mode(batch.mode);
  if (batch.settings !== null) await settingsSaved(stores, batch.settings);
  for (const operation of batch.operations) {
    stores.start.follow(operation);
    stores.action.follow(operation);
    void stores.jobLocks.follow(operation);
    stores.approvals.follow(operation);
    stores.bulk.follow(operation);
  }
  stores.action.heard(batch);
  if (batch.approvals) void stores.approvals.load();
  await Promise.all([stores.unknown.apply(batch), stores.recovery.apply(batch)]);
  if (batch.resync) stores.runPlans.changed();
  else stores.runPlans.apply(batch.runs);
  if (batch.resync) {
    await Promise.all([
      askAnswers(stores),
      stores.runs.load(),
      stores.runDetail.reload(),
      stores.runGrid.reload(),
      stores.pace.apply(batch),
      stores.locks.apply(batch),
      stores.requests.apply(batch),
    ]);
    return;
  }
  stores.runs.apply(batch.runs);
  await Promise.all([
    stores.runDetail.apply(batch),
    stores.runGrid.apply(batch.runs, batch.nodes),
    stores.pace.apply(batch),
    stores.locks.apply(batch),
    stores.requests.apply(batch),
  ]);
}
