import type { Orchestrator } from "../orchestrator/index.ts";
import type { FlowReads } from "../store/index.ts";

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
  readonly networks: readonly NetworkEntry[];
  readonly reads: FlowReads;
  readonly orchestrator: Orchestrator;
  dispose(): Promise<void>;
}

export interface OpenWorkspaceOptions {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}
