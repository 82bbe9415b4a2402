import {
  aggregateRunStatus,
  INVOCATION_ENDS,
  INVOCATION_IO_FAILURES,
  type InvocationEnd,
  type InvocationIoFailure,
  invocationResult,
  isTerminalRunStatus,
  type NetworkDefinition,
  type NextStep,
  nextStep,
} from "../../shared/domain/index.ts";
import type { NodeState, NodeStatus, Stored } from "../../shared/domain/model.ts";
import type { AttemptConclusion } from "../attempt/index.ts";
import type { Change, LockSession, ReleaseAs } from "../store/index.ts";
import type { Baselines, IoRoot } from "./csv/index.ts";
import type { OrchestratorDeps } from "./deps.ts";
import { type Ledger, nextState } from "./ledger.ts";
import type { NodeEnd, RunEvent } from "./ports.ts";
import type { UnpackedBundle } from "./workspace-folder.ts";

/** Blocked nodes that ride along in one request; with attempt, node, Run, Invocation and lock it stays within 20. */
const MAX_BLOCKS_PER_WRITE = 14;

/** What forbids starting a node (orchestration section 4.1, step 5). */
export interface Halts {
  readonly held: boolean;
  readonly leaseHeld: boolean;
}

export interface Block {
  readonly before: Stored<NodeState>;
  readonly next: NodeState;
}

export interface WalkInput {
  readonly deps: OrchestratorDeps;
  readonly session: LockSession;
  /** How long an outage of the reads beside a write is waited out, in milliseconds: the lease duration. */
  readonly drainMs: number;
  readonly bundle: UnpackedBundle;
  readonly definition: NetworkDefinition;
  /** Stable topological order (orchestration section 1.3). */
  readonly order: readonly string[];
  readonly ledger: Ledger;
  readonly spawnMarginMs: number;
  readonly emit: (event: RunEvent) => void;
  /** Null when no node of the network uses files. */
  readonly io: IoRoot | null;
  /** What nodes that may be tried again were started with before (orchestration section 8.2). */
  readonly baselines: Baselines;
  /** Default: a new Run, of which nothing is left out. */
  readonly scope?: WalkScope;
}

/** What a RESUME or RERUN_FROM leaves out of its walk (orchestration section 4.1, step 5). */
export interface WalkScope {
  readonly mode: "RESUME" | "RERUN_FROM";
  readonly excluded: ReadonlySet<string>;
  /** RERUN_FROM: the node asked for and what depends on it. */
  readonly selection: ReadonlySet<string> | null;
}

/** One walk over the nodes of a Run by one Invocation: what is in the store, and what was already tried. */
export interface Walk extends Omit<WalkInput, "ledger"> {
  readonly ledger: Ledger;
  /** Takes over what a write proved. */
  keep(ledger: Ledger): void;
  noteConclusion(nodeId: string, conclusion: AttemptConclusion): void;
  noteFailure(nodeId: string, problem: { readonly code: string; readonly message: string | null }): void;
  /** The nodes that did not succeed, with what their turns said. */
  unfinished(): readonly NodeEnd[];
  /** The next thing to do; `halts` are asked right before a start, never earlier. */
  next(halts?: Halts): NextStep;
  /** What `changes` block, and whether nothing is left to execute after them. */
  afterwards(
    changes: readonly Change[],
    at: string,
  ): { readonly blocks: readonly Block[]; readonly finished: boolean };
  /** The Invocation's end and the lock's, given everything else of the last write. */
  ending(
    changes: readonly Change[],
    at: string,
    as?: InvocationEnd,
  ): { readonly change: Change; readonly release: ReleaseAs };
}

type Statuses = ReadonlyMap<string, { readonly status: NodeStatus }>;

/** Makes the walk of one Invocation; it holds the ledger and nothing else that changes. */
export function createWalk(input: WalkInput): Walk {
  let ledger = input.ledger;
  const { scope } = input;
  const executed: string[] = [];
  const said = new Map<string, { readonly code: string; readonly message: string | null }>();
  let lastIoFailure: InvocationIoFailure | null = null;
  const stepOver = (states: Statuses, halts?: Halts): NextStep =>
    nextStep({
      definition: input.definition,
      order: input.order,
      states,
      tried: new Set(executed),
      ...(scope === undefined ? {} : { mode: scope.mode, excluded: scope.excluded }),
      ...(scope?.selection ? { selected: scope.selection } : {}),
      ...halts,
    });
  const after = (changes: readonly Change[]): Map<string, Stored<NodeState> | NodeState> => {
    const states = new Map<string, Stored<NodeState> | NodeState>(ledger.states);
    for (const change of changes)
      if (change.kind === "nodeState.update") states.set(change.next.nodeId, change.next);
    return states;
  };
  const noteFailure: Walk["noteFailure"] = (nodeId, { code, message }) => {
    executed.push(nodeId);
    said.set(nodeId, { code, message });
    lastIoFailure = INVOCATION_IO_FAILURES.find((known) => known === code) ?? lastIoFailure;
  };
  return {
    ...input,
    get ledger() {
      return ledger;
    },
    keep(next) {
      ledger = next;
    },
    noteConclusion: (nodeId, { resultCode, errorMessage }) =>
      noteFailure(nodeId, { code: resultCode, message: errorMessage }),
    noteFailure,
    unfinished: () =>
      input.order.flatMap((nodeId) => {
        const state = ledger.states.get(nodeId);
        if (state === undefined || state.status === "SUCCESS") return [];
        const { code, message } = said.get(nodeId) ?? { code: state.statusReason, message: null };
        return [{ nodeId, status: state.status, code, message }];
      }),
    next: (halts) => stepOver(ledger.states, halts),
    afterwards(changes, at) {
      const states = after(changes);
      const blocks: Block[] = [];
      for (;;) {
        const step = stepOver(states);
        if (step.kind !== "block" || blocks.length >= MAX_BLOCKS_PER_WRITE) {
          return { blocks, finished: step.kind === "done" };
        }
        const block = blockOf(ledger, step, at);
        blocks.push(block);
        states.set(block.next.nodeId, block.next);
      }
    },
    ending(changes, at, as) {
      const states = [...after(changes).values()];
      const statuses = states.map((state) => state.status);
      const run = changes.find((change) => change.kind === "run.aggregate");
      const startedAt = run?.startedAt ?? ledger.run.startedAt;
      const aggregate = aggregateRunStatus(statuses, startedAt);
      const cutShort = input.session.interrupted() && !isTerminalRunStatus(aggregate);
      const natural = cutShort
        ? INVOCATION_ENDS.leaseInterrupted
        : invocationResult(aggregate, lastIoFailure);
      const end = as ?? natural;
      const { ref, ...invocation } = ledger.invocation;
      const idsWith = (...wanted: readonly NodeStatus[]): readonly string[] =>
        input.order.filter((id) =>
          states.some((state) => state.nodeId === id && wanted.includes(state.status)),
        );
      const blocked = new Set(idsWith("BLOCKED"));
      const leftOut = new Set(
        idsWith("UNKNOWN", "FAILED", "CANCELLED").filter(
          (id) => scope?.excluded.has(id) === true && !executed.includes(id),
        ),
      );
      const next = {
        ...invocation,
        status: end.status,
        resultCode: end.resultCode,
        finishedAt: at,
        selectedNodeIds: [...new Set(executed)],
        preservedNodeIds: idsWith("SUCCESS").filter((id) => !executed.includes(id)),
        blockedNodeIds: input.order.filter((id) => blocked.has(id) || leftOut.has(id)),
      };
      return {
        change: { kind: "invocation.finalise", ref, next },
        release: { status: end.status, resultCode: end.resultCode },
      };
    },
  };
}

function blockOf(ledger: Ledger, step: Extract<NextStep, { kind: "block" }>, at: string): Block {
  const before = ledger.states.get(step.nodeId);
  if (before === undefined) throw new Error(`node ${step.nodeId} has no state`);
  const next = nextState(
    before,
    { status: "BLOCKED", blockedBy: step.by, statusReason: "ALL_SUCCESS_NOT_SATISFIED", finishedAt: at },
    at,
  );
  return { before, next };
}
