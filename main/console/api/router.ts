import { implement } from "@orpc/server";
import { contract, type RunPage } from "../../../shared/api/index.ts";
import { fail, ok, type Problem } from "../../../shared/domain/problem.ts";
import { actingHandlers } from "./acting.ts";
import { answering } from "./answers.ts";
import { approvalHandlers } from "./approvals.ts";
import { attentionHandlers } from "./attention.ts";
import type { CallContext, HandlerDeps } from "./deps.ts";
import { deskHandlers } from "./desk.ts";
import { evidenceHandlers } from "./evidence.ts";
import { jobLockHandlers } from "./job-locks.ts";
import { lockHandlers } from "./locks.ts";
import { logHandlers } from "./logs.ts";
import { describeNetwork } from "./networks.ts";
import { paceHandlers } from "./pace.ts";
import { processHandlers } from "./processes.ts";
import { requestHandlers } from "./requests.ts";
import { createRunRecords, type RunRecords } from "./run-attempts.ts";
import { readRunDetail } from "./run-detail.ts";
import { runListHandlers, runPartsHandlers } from "./run-handlers.ts";
import { pageOf } from "./run-page.ts";
import { settingsHandlers } from "./settings.ts";
import { executeStart } from "./start-execute.ts";
import { allowedNetwork, previewStart } from "./start-preview.ts";
import { unknownHandlers } from "./unknown.ts";

const api = implement(contract).$context<CallContext>();

/** The contract's handlers, thin: ask the workspace, answer with a value (architecture §4). */
export function createRouter(deps: HandlerDeps) {
  const records = createRunRecords(deps.reads, deps.nowMs);
  return api.router({
    workspace: workspace(deps),
    networks: { list: networksList(deps) },
    runs: runs(deps, records),
    runList: runListHandlers(deps),
    runParts: runPartsHandlers(deps, records),
    pace: paceHandlers(deps, records),
    settings: settingsHandlers(deps),
    start: start(deps),
    operations: { get: operationsGet(deps) },
    live: live(deps),
    attention: attentionHandlers(deps.attention),
    ...deskHandlers(deps.desk, deps.mode),
    unknown: unknownHandlers(deps.unknowns),
    locks: lockHandlers(deps.locks),
    jobLocks: jobLockHandlers(deps.jobLocks),
    logs: logHandlers(deps.workspace.logs),
    processes: processHandlers(deps.children, deps.gate),
    requests: requestHandlers(deps.requests),
    acting: actingHandlers(deps.acting),
    approvals: approvalHandlers(deps.approvals, deps.mode),
    evidence: evidenceHandlers(deps.evidence, deps.mode),
  });
}
export type ConsoleRouter = ReturnType<typeof createRouter>;

const workspace = (deps: HandlerDeps) => ({
  get: api.workspace.get.handler(async () => {
    await deps.mode.now();
    return ok(deps.info());
  }),
  setMode: api.workspace.setMode.handler(async ({ input }) => {
    await deps.mode.now();
    const set = deps.mode.set(input.mode);
    return set.ok ? ok(deps.info()) : set;
  }),
});

const live = (deps: HandlerDeps) => ({
  watch: api.live.watch.handler(({ input, signal, context }) =>
    deps.live.watch(signal ?? new AbortController().signal, context.writable, input.viewerId),
  ),
  look: api.live.look.handler(({ input }) => {
    deps.live.look(input);
    return ok(null);
  }),
});

const networksList = (deps: HandlerDeps) =>
  api.networks.list.handler(() =>
    answering(async () => {
      const { orchestrator } = deps.workspace;
      const networks = await deps.allowed.read();
      return ok({ networks: await Promise.all(networks.map((each) => describeNetwork(orchestrator, each))) });
    }),
  );

const runs = (deps: HandlerDeps, records: RunRecords) => ({
  list: api.runs.list.handler(({ input, signal }) =>
    answering(async () => {
      const { rows, readAt } = await deps.live.rows(signal);
      return ok<RunPage>({ ...pageOf(rows, input), readAt });
    }),
  ),
  refresh: api.runs.refresh.handler(({ signal }) =>
    answering(async () => ok({ readAt: await deps.live.refresh(signal) })),
  ),
  detail: api.runs.detail.handler(({ input, signal }) =>
    answering(() => readRunDetail(deps, records, input.runId, signal)),
  ),
});

const start = (deps: HandlerDeps) => ({
  preview: api.start.preview.handler(({ input, signal }) =>
    answering(async () => {
      const entry = allowedNetwork(deps, input.networkId);
      return entry.ok ? ok(await previewStart(deps, entry.value, input, signal)) : entry;
    }),
  ),
  execute: api.start.execute.handler(({ input, signal }) =>
    answering(() => executeStart(deps, input, signal)),
  ),
});

const operationsGet = (deps: HandlerDeps) =>
  api.operations.get.handler(({ input }) =>
    answering(async () => {
      const { operationId } = input;
      const operation = deps.operations.get(operationId) ?? (await deps.recorded(operationId));
      return operation === null ? fail(OPERATION_UNKNOWN) : ok(operation);
    }),
  );

const OPERATION_UNKNOWN: Problem = {
  code: "OPERATION_UNKNOWN",
  message: "This console knows no operation with that id; whether it ever ran cannot be told from here.",
  remedy: "Look at the Run list before doing anything again.",
};
