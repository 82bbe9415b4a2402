import type { Operation, WorkspaceInfo } from "../../../shared/api/index.ts";
import type { Problem, Result } from "../../../shared/domain/problem.ts";
import type { RunNetworkInput, RunNetworkResult } from "../../orchestrator/index.ts";
import type { FlowReads } from "../../store/index.ts";
import type {
  Acting,
  ActionOrder,
  Approvals,
  EvidenceUploads,
  RecordedStart,
  StartRecord,
} from "../acting/index.ts";
import type { AllowedNetworks } from "../allowed-networks.ts";
import type { Attention } from "../attention/attention.ts";
import type { Children } from "../children/children.ts";
import type { Desk } from "../desk.ts";
import type { JobLocks } from "../job-locks/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { Locks } from "../locks/locks.ts";
import type { NetworkEntry, Workspace } from "../ports.ts";
import type { Requests } from "../requests/requests.ts";
import type { RolesChange } from "../settings/index.ts";
import type { Unknowns } from "../unknown/unknown.ts";
import type { ModeHolder } from "./mode.ts";

/** What a call knows of the line it came over. */
export interface CallContext {
  /** Resolves once the line can take more; streams wait for it before each message. */
  readonly writable: () => Promise<void>;
}

/** What the handlers stand on. */
export interface HandlerDeps {
  readonly workspace: Workspace;
  readonly reads: FlowReads;
  readonly allowed: AllowedNetworks;
  readonly live: LiveModel;
  readonly operations: Operations;
  readonly attention: Attention;
  readonly desk: Desk;
  readonly locks: Locks;
  readonly unknowns: Unknowns;
  readonly jobLocks: JobLocks;
  readonly acting: Acting;
  readonly approvals: Approvals;
  /** An operation as the action journal knows it; null when it does not. Rejects with `ACTION_JOURNAL_UNREADABLE`. */
  readonly recorded: (operationId: string) => Promise<Operation | null>;
  /** Writes a change of the roles down before it counts. Rejects with `ACTION_JOURNAL_FAILED`. */
  readonly recordRoles: (change: RolesChange) => Promise<void>;
  /** What the action journal tells of a start. */
  readonly recordStart: (start: RecordedStart) => StartRecord;
  readonly evidence: EvidenceUploads;
  readonly children: Children;
  readonly requests: Requests;
  readonly info: () => WorkspaceInfo;
  readonly mode: ModeHolder;
  /** Why nothing may be changed now, or null. Every handler that changes something asks it first. */
  readonly gate: () => Promise<Problem | null>;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** A start on its way. */
export interface StartOrder {
  readonly operationId: string;
  readonly entry: NetworkEntry;
  readonly businessKey: string;
  readonly scheduledFor: string | null;
  readonly reason: string;
  /** Its lines in the action journal. */
  readonly record: StartRecord;
}

/** The operations of this console, by the id their caller chose. */
export interface Operations {
  get(operationId: string): Operation | undefined;
  /** Hands the order to the orchestrator and returns at once; a known id changes nothing (electron-desktop I5). Code `CONSOLE_ENDING`. */
  start(order: StartOrder): Result<Operation>;
  /** What `act` would refuse now; a known id is refused by nothing. */
  mayAct(order: Pick<ActionOrder, "operationId" | "about">): Result<null>;
  /**
   * Carries an action out and returns at once; a known id changes nothing. Codes `OPERATION_UNDER_WAY`: another one about
   * the same has not ended; `CONSOLE_ENDING`.
   */
  act(order: ActionOrder): Result<Operation>;
  /** An operation of an earlier start of this console, for whoever asks what became of it. */
  recall(operation: Operation): void;
  /** Runs a network somebody asked for in the request app, shown like every other start; what is thrown passes. */
  follow(networkId: string, input: RunNetworkInput): Promise<RunNetworkResult>;
  /** Stops at the next node boundary and waits for what is on its way. */
  dispose(): Promise<void>;
}
