import {
  type ActionExecute,
  type ConsoleApi,
  createClient,
  type FiledRequest,
  type FileRequest,
  type Friction,
  type Intent,
  type Operation,
  type PlannedAction,
  type RunRow,
} from "../../../shared/api/index.ts";
import {
  type OperationPlan,
  operationPlan,
  type PlanParts,
} from "../../../shared/domain/operations/operation.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";

export const RUN_ID = "netrun_1";
export const READ_AT = "2026-09-05T05:00:00.000Z";

export const plain: Friction = { identifier: null, armMs: 0, secondPerson: false, breakGlassSentence: null };

/** A plan of these records, made by the function that makes every plan. */
export function planOf(parts: Partial<PlanParts> = {}): OperationPlan {
  return operationPlan({
    operation: "RESUME",
    subject: { runId: RUN_ID, businessKey: "stock@1", networkId: "stock", profile: "prod" },
    seen: { run: { recordId: "5", revision: 3 } },
    readAt: READ_AT,
    writes: [{ record: "run", action: "update", id: RUN_ID, changes: [] }],
    ...parts,
  });
}

export const operationOf = (operationId: string, change: Partial<Operation> = {}): Operation => ({
  operationId,
  kind: "resume",
  networkId: "stock",
  businessKey: "stock@1",
  runId: RUN_ID,
  nodeId: null,
  requestId: null,
  jobKey: null,
  requestedBy: "sato",
  reason: "reason",
  acceptedAt: READ_AT,
  endedAt: null,
  state: "accepted",
  outcome: null,
  resultCode: null,
  aggregateStatus: null,
  detail: {},
  probes: [],
  consent: { kind: "none", account: null },
  problem: null,
  ...change,
});

/** A main whose answers a test chooses, and what it was asked. Everything else of the API never answers. */
export interface ScriptedMain {
  readonly api: ConsoleApi;
  readonly planned: Intent[];
  readonly executed: ActionExecute[];
  readonly filings: FileRequest[];
  /** How a request for consent is answered; it throws where the line broke. */
  file: (input: FileRequest) => Promise<Result<FiledRequest>>;
  readonly parts: { readonly index: number; readonly last: boolean; readonly base64: string }[];
  /** What the next plans are, the last one from then on; a promise is waited for. */
  plans: (Result<PlannedAction> | Promise<Result<PlannedAction>>)[];
  /** How an execution is answered; it throws where the line broke. */
  execute: (input: ActionExecute) => Promise<Result<{ operationId: string; acceptedAt: string }>>;
  readonly operations: Map<string, Operation>;
  /** Rows of the Run list. */
  readonly rows: RunRow[];
  /** Why they cannot be read; null while they can. */
  unread: string | null;
}

export const answered = (plan: OperationPlan, friction: Friction = plain): Result<PlannedAction> =>
  ok({ plan, friction, readAt: plan.readAt });
export const refused = (code: string, details?: Problem["details"]): Result<never> =>
  fail({ code, message: code, ...(details && { details }) });

/** As main tells of it: frozen with the plan, for fifteen minutes. */
export const filedOf = ({ requestId, intent }: Pick<FileRequest, "requestId" | "intent">): FiledRequest => ({
  requestId,
  intent,
  plan: planOf(),
  friction: plain,
  filedBy: "sato",
  host: "HOST-A",
  filedAt: READ_AT,
  expiresAt: "2026-09-05T05:15:00.000Z",
});

export function scriptedMain(): ScriptedMain {
  const main: Omit<ScriptedMain, "api"> = {
    planned: [],
    executed: [],
    filings: [],
    file: async (input) => ok(filedOf(input)),
    parts: [],
    plans: [answered(planOf())],
    execute: async ({ operationId }) => ok({ operationId, acceptedAt: READ_AT }),
    operations: new Map(),
    rows: [],
    unread: null,
  };
  const scripted: Readonly<Record<string, unknown>> = {
    acting: {
      async plan({ intent }: { readonly intent: Intent }) {
        main.planned.push(intent);
        return main.plans.length > 1 ? main.plans.shift() : main.plans[0];
      },
      execute(input: ActionExecute) {
        main.executed.push(input);
        return main.execute(input);
      },
    },
    approvals: {
      file(input: FileRequest) {
        main.filings.push(input);
        return main.file(input);
      },
    },
    operations: {
      async get({ operationId }: { readonly operationId: string }) {
        const found = main.operations.get(operationId);
        return found === undefined ? refused("OPERATION_UNKNOWN") : ok(found);
      },
    },
    runList: {
      async rows({ recordIds }: { readonly recordIds: readonly string[] }) {
        if (main.unread !== null) return refused(main.unread);
        return ok({ rows: main.rows.filter(({ recordId }) => recordIds.includes(recordId)) });
      },
    },
    evidence: {
      async keep(part: { index: number; last: boolean; base64: string; name: string }) {
        main.parts.push(part);
        return ok(part.last ? { sha256: "ab".repeat(32), name: part.name, bytes: 3 } : null);
      },
    },
  };
  const silent = createClient(() => ({
    post: () => undefined,
    onMessage: () => undefined,
    onClose: () => undefined,
  }));
  const api = new Proxy(silent, {
    get: (target, name) => scripted[String(name)] ?? Reflect.get(target, name),
  });
  return Object.assign(main, { api });
}

/** Timers that a test lets pass. */
export function handTimers() {
  let waiting: { readonly at: number; readonly work: () => void }[] = [];
  let now = 0;
  return {
    nowMs: () => now,
    later(work: () => void, ms: number): () => void {
      const entry = { at: now + ms, work };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    /** Lets time pass; what is due happens. Resolves when its answers are in. */
    async pass(ms: number): Promise<void> {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { work } of due) work();
      await settled();
    },
  };
}

/** Everything that was answered has arrived. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
