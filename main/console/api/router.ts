import { implement } from "@orpc/server";
import { contract, type RunPage } from "../../../shared/api/index.ts";
import { fail, ok } from "../../../shared/domain/problem.ts";
import { answering } from "./answers.ts";
import type { CallContext, HandlerDeps } from "./deps.ts";
import { describeNetwork } from "./networks.ts";
import { readRunDetail } from "./run-detail.ts";
import { pageOf } from "./run-page.ts";
import { executeStart } from "./start-execute.ts";
import { allowedNetwork, previewStart } from "./start-preview.ts";

const api = implement(contract).$context<CallContext>();

/** The contract's handlers, thin: ask the workspace, answer with a value (architecture §4). */
export function createRouter(deps: HandlerDeps) {
  return api.router({
    workspace: { get: api.workspace.get.handler(() => ok(deps.info)) },
    networks: { list: networksList(deps) },
    runs: runs(deps),
    start: start(deps),
    operations: { get: operationsGet(deps) },
    live: {
      watch: api.live.watch.handler(({ signal, context }) =>
        deps.live.watch(signal ?? new AbortController().signal, context.writable),
      ),
    },
  });
}
export type ConsoleRouter = ReturnType<typeof createRouter>;

const networksList = (deps: HandlerDeps) =>
  api.networks.list.handler(() =>
    answering(async () => {
      const { orchestrator, networks } = deps.workspace;
      return ok({ networks: await Promise.all(networks.map((each) => describeNetwork(orchestrator, each))) });
    }),
  );

const runs = (deps: HandlerDeps) => ({
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
    answering(() => readRunDetail(deps, input.runId, signal)),
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
  api.operations.get.handler(({ input }) => {
    const operation = deps.operations.get(input.operationId);
    if (operation !== undefined) return ok(operation);
    return fail({
      code: "OPERATION_UNKNOWN",
      message: "This console knows no operation with that id; whether it ever ran cannot be told from here.",
      remedy: "Look at the Run list before doing anything again.",
    });
  });
