import type { Result } from "../../shared/domain/problem.ts";
import type { AttemptEvidence, RunnerLocks } from "../attempt/index.ts";
import type { JobReader } from "../job-runner/index.ts";
import type { Orchestrator, Plans, Recovery } from "../orchestrator/index.ts";
import type { AuditReads, BundleStore, FlowReads, RequestStore } from "../store/index.ts";
import type { ChildEvidence } from "./children/ports.ts";
import type { DataDir } from "./data-dir.ts";
import type { KeptEvidence } from "./evidence-files.ts";
import type { Probe, ProbedSource } from "./live-model-ports.ts";
import type { LockEvidence } from "./locks/evidence.ts";
import type { LogStore } from "./logs/index.ts";
import type { PictureFile } from "./picture-file.ts";
import type { ProgramLog } from "./program-log/index.ts";
import type { RequestLedger } from "./request-ledger.ts";
import type { ServerClock } from "./server-clock.ts";
import type { SettingsHost } from "./settings/ports.ts";

/** A network this host may start, from the allow list (orchestration section 7.7). */
export interface NetworkEntry {
  readonly networkId: string;
  /** Absolute. */
  readonly definitionPath: string;
  readonly appStart: boolean;
}

/** One place to work in: the records, the runner and the networks of one profile. */
export interface Workspace {
  /** `embedded` lives on this machine's own disk; `configured` is a kintone named by variables. */
  readonly kind: "embedded" | "configured";
  readonly profile: string;
  readonly baseUrl: string;
  readonly host: string;
  /** Who asks: the operating system account, or `KSQL_FLOWNET_REQUESTED_BY`. */
  readonly requestedBy: string;
  /** As they were when this was opened. */
  readonly networks: readonly NetworkEntry[];
  /** The list as it stands now, from where the settings say it lies now. Throws what the list's reading throws. */
  readonly readNetworks: () => Promise<readonly NetworkEntry[]>;
  readonly reads: FlowReads;
  /** Who did what, as the audit app tells it (operator-ux §2.5). */
  readonly audits: AuditReads;
  readonly bundles: Pick<BundleStore, "downloadBundle">;
  /** What this host's journal knows of an attempt (decisions §3). Rejects with `JOURNAL_UNREADABLE`. */
  readonly attemptEvidence: (attemptId: string) => Promise<AttemptEvidence>;
  /** Logs of attempts that ran on this host. */
  readonly logs: LogStore;
  /** What this host's processes and journal say of a lock's owner (decisions §3). */
  readonly lockEvidence: LockEvidence;
  /** The children of this host: what was started here, and what survived an earlier program. */
  readonly children: ChildEvidence;
  /** The runner's own view of the business data, for looking only; whoever opens disposes. Error: `CONFIG_ERROR`. */
  readonly openJobReader: () => Promise<Result<JobReader>>;
  /** The log of this program. */
  readonly log: ProgramLog;
  /** `schedules.json`, whether it is there or not (decisions §2). Absolute. */
  readonly schedulesFile: string;
  readonly orchestrator: Orchestrator;
  /** The lock commands of the configured runner (execution-contract §2.4, §2.5). */
  readonly runnerLocks: RunnerLocks;
  /** What people do about Runs, nodes and locks. */
  readonly recovery: Recovery;
  /** What each of these would do, before it is done. */
  readonly plans: Plans;
  /** The request app; null where none is configured. */
  readonly requestStore: RequestStore | null;
  /** `service_principal` of everything written here: `KSQL_FLOWNET_SERVICE_PRINCIPAL`, else the host (orchestration section 9.3). */
  readonly servicePrincipal: string;
  /** Where things lie on this host. */
  readonly folders: DataDir;
  /** Keeps a copy of a file given as proof (decisions section 3). */
  readonly keepEvidence: (path: string) => Promise<Result<KeptEvidence>>;
  /** The app behind each source of the live picture; one app may stand behind several. */
  readonly apps: ReadonlyMap<"state" | ProbedSource, number>;
  /** What was asked of each app today (operator-ux U2). */
  readonly requests: RequestLedger;
  /** How far this host's clock stands from the kintone's (electron-desktop L13). */
  readonly serverClock: Pick<ServerClock, "current">;
  /** Whether an app beside the state app answers, one request each. */
  readonly probes: ReadonlyMap<ProbedSource, Probe>;
  /** The last picture of this workspace, kept between starts (electron-desktop N8). */
  readonly keptPicture: PictureFile;
  /**
   * Resolves once the connection was held against what the wire format needs; throws its `FlowError` until then.
   * Resolved at once unless the workspace was opened while kintone did not answer.
   */
  ready(signal?: AbortSignal): Promise<void>;
  /** The settings of the data folder; whoever opens a workspace without one has none. */
  readonly settings?: SettingsHost;
  dispose(): Promise<void>;
}

export interface OpenWorkspaceOptions {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Open although kintone does not answer: the workspace is then not {@link Workspace.ready} yet. */
  readonly evenOffline?: boolean;
}
