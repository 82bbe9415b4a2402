import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_SETTINGS, type Mode, type WorkspaceInfo } from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import type { ResidentPoller } from "../../orchestrator/index.ts";
import type { Clock, FlowReads, RequestStore } from "../../store/index.ts";
import { openActing } from "../acting/index.ts";
import { type AllowedNetworks, createAllowedNetworks } from "../allowed-networks.ts";
import { watchLocks } from "../attention/lock-watch.ts";
import { openOversight } from "../attention/open.ts";
import type { Children } from "../children/children.ts";
import { openChildren } from "../children/open.ts";
import { openDesk, openNotes } from "../desk.ts";
import { openJobLocks } from "../job-locks/index.ts";
import { createLiveModel } from "../live-model.ts";
import type { LiveModel, LiveModelDeps } from "../live-model-ports.ts";
import { createPictureReader } from "../live-model-read.ts";
import type { Locks } from "../locks/locks.ts";
import type { Workspace } from "../ports.ts";
import { type PollOptions, startWorkspacePoller } from "../request-poller/index.ts";
import { openRequestDesk } from "../requests/open.ts";
import { createUnknowns, type Unknowns } from "../unknown/unknown.ts";
import { problemFrom } from "./answers.ts";
import type { Operations } from "./deps.ts";
import { gateProblem } from "./gate.ts";
import { createMode, type ModeHolder } from "./mode.ts";
import { createOperations } from "./operations.ts";
import { createRouter } from "./router.ts";
import { type ServedPort, serve } from "./serve.ts";

export type { ServedPort } from "./serve.ts";

export interface ConsoleApiDeps {
  readonly workspace: Workspace;
  readonly clock: Clock;
  /** In [0, 1): spreads the back-off of consoles that lost the same kintone. */
  readonly random: () => number;
  /** The one zone of every page, IANA name. */
  readonly timeZone?: string;
  /** The highest mode the role of this account allows, asked anew each time; `operate` without roles. */
  readonly highestMode?: () => Mode;
  /** Carries requests out while this console lives (orchestration section 7); absent: it does not. */
  readonly requestPoller?: PollOptions;
}

export interface ConsoleApiHost {
  /** Answers one line, from whatever front, until it closes. */
  serve(port: ServedPort): void;
  /** The machine woke up: the picture is read anew (operator-ux U7). */
  resumed(): void;
  /** Ends the poller and the streams and waits for the operations on their way. Does not dispose the workspace. */
  dispose(): Promise<void>;
}

/** Waits, or returns early when the signal aborts; never throws. Milliseconds. */
export async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Aborted: returning early is the answer.
  }
}

/** The console API over one workspace: live model, operations and handlers, ready to be served by any front. */
export function createConsoleApi(deps: ConsoleApiDeps): ConsoleApiHost {
  const { workspace, clock } = deps;
  const nowMs = (): number => clock.nowMs();
  const watch = watchLocks(workspace.reads);
  const queue = openRequestDesk({ workspace, options: deps.requestPoller, nowMs });
  const live = createLiveModel({ ...liveDeps(deps, watch.reads), probes: queue.probes });
  const allowed = createAllowedNetworks(workspace);
  const notes = openNotes({ workspace, nowMs });
  // The list asks for the children, whose page asks for the list's locks: one of both has to wait.
  const opening = Promise.withResolvers<Children>();
  const { attention, locks, directory } = openOversight({
    workspace,
    notes,
    live,
    watch,
    networks: allowed.current,
    requests: queue.attention,
    processes: async () => (await opening.promise).seen(),
    clock,
    wait: waitOrAbort,
  });
  const mode = createMode(
    deps.highestMode ?? (() => workspace.settings?.session().mode ?? "operate"),
    live.mode,
    async () => workspace.settings?.sessionNow(),
  );
  const operations = createOperations({
    orchestrator: workspace.orchestrator,
    requestedBy: workspace.requestedBy,
    nowMs,
    changed(operation) {
      live.operation(operation);
      queue.heard(operation);
    },
    runEvent: live.localEvent,
  });
  const poller = pollerOf(deps, queue.store, operations, allowed);
  const gate = async (): Promise<Problem | null> =>
    gateProblem(
      {
        mode: await mode.now(),
        state: live.freshnessOf("state"),
        clock: workspace.serverClock.current()?.verdict ?? null,
      },
      nowMs(),
    );
  const jobLocks = openJobLocks({ workspace, allowed, live, nowMs });
  const staleAfterMs = deps.requestPoller?.staleAfterMs;
  const acted = { workspace, allowed, live, locks, jobLocks };
  const opened = openActing({ ...acted, clock, staleAfterMs, gate, operations });
  const { journal } = opened;
  const children = openChildren({ workspace, live, directory, journal, clock, wait: waitOrAbort });
  opening.resolve(children);
  const router = createRouter({
    ...opened,
    workspace,
    reads: workspace.reads,
    allowed,
    live,
    operations,
    attention,
    desk: openDesk({ workspace, live, notes, attention, children, nowMs }),
    locks,
    children,
    requests: queue.connect({ live, poller }),
    unknowns: unknownsOf(workspace, live, locks, nowMs),
    jobLocks,
    nowMs,
    mode,
    gate,
    info: () => workspaceInfo(deps, mode),
  });
  let recording: Promise<unknown> = Promise.resolve();
  const unwatch = workspace.settings?.onChange((change, found) => {
    live.settings({ view: change === "settings" ? (workspace.settings?.display() ?? null) : null });
    // It counts already; a line that cannot be written must not hide that.
    const failed = (error: unknown): void => workspace.log.problem("settings", problemFrom(error));
    if (found !== undefined) recording = Promise.all([recording, opened.recordRoles(found).catch(failed)]);
  });
  return {
    serve: (port) => serve(router, port),
    resumed: live.resumed,
    async dispose() {
      unwatch?.();
      await poller?.dispose();
      await children.dispose();
      await operations.dispose();
      await opened.recovered;
      await recording;
      await attention.dispose();
      await live.dispose();
    },
  };
}

function unknownsOf(workspace: Workspace, live: LiveModel, locks: Locks, nowMs: () => number): Unknowns {
  const { reads, bundles, attemptEvidence, lockEvidence, openJobReader, host } = workspace;
  return createUnknowns({
    reads,
    live,
    locks,
    bundles,
    attemptEvidence,
    hostEvidence: lockEvidence,
    openJobReader,
    host,
    nowMs,
  });
}

/** A Run by request is an operation of this console: shown, counted, and asked about when the window is closed. */
function pollerOf(
  { workspace, clock, requestPoller }: ConsoleApiDeps,
  requestStore: RequestStore | null,
  operations: Operations,
  allowed: AllowedNetworks,
): ResidentPoller | null {
  if (requestPoller === undefined || requestStore === null) return null;
  const networkOf = (path: string): string =>
    allowed.current().find(({ definitionPath }) => definitionPath === path)?.networkId ?? path;
  return startWorkspacePoller({
    workspace,
    requests: requestStore,
    clock,
    options: requestPoller,
    runNetwork: (input) => operations.follow(networkOf(input.definitionPath), input),
  });
}

function liveDeps({ workspace, clock, random }: ConsoleApiDeps, reads: FlowReads): LiveModelDeps {
  const reader = createPictureReader(reads, () => clock.nowMs());
  // Nothing read before the check may be shown as fresh: it could come from the wrong apps.
  const whenReady = async <T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> => {
    await workspace.ready(signal);
    return read();
  };
  return {
    reader: {
      readAll: (signal) => whenReady(signal, () => reader.readAll(signal)),
      readChanges: (signal) => whenReady(signal, () => reader.readChanges(signal)),
      readOne: (runId, signal) => whenReady(signal, () => reader.readOne(runId, signal)),
    },
    embedded: workspace.kind === "embedded",
    clock,
    random,
    wait: waitOrAbort,
    probes: workspace.probes,
    budget: () =>
      [...workspace.apps].map(([source, app]) => ({
        source,
        used: workspace.requests.used(app),
        limit: (workspace.settings?.reading() ?? DEFAULT_SETTINGS.budget).requestsPerAppAndDay,
        day: workspace.requests.day(),
      })),
    serverClock: workspace.serverClock.current,
    kept: {
      load: workspace.keptPicture.load,
      async save(picture) {
        await Promise.all([workspace.keptPicture.save(picture), workspace.requests.save()]);
      },
    },
  };
}

function workspaceInfo({ workspace, timeZone }: ConsoleApiDeps, mode: ModeHolder): WorkspaceInfo {
  return {
    kind: workspace.kind,
    purpose: workspace.kind === "embedded" ? "local" : "production",
    profile: workspace.profile,
    baseUrl: workspace.baseUrl,
    host: workspace.host,
    requestedBy: workspace.requestedBy,
    timeZone: timeZone ?? workspace.settings?.display().timeZone ?? "Asia/Tokyo",
    mode: mode.current(),
    modes: mode.allowed(),
  };
}
