import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { fail, ok } from "../../../shared/domain/problem.ts";
import { answering } from "./answers.ts";
import type { CallContext, HandlerDeps } from "./deps.ts";
import { attemptsPage, type RunRecords } from "./run-attempts.ts";
import { createDefinitionReader } from "./run-definition.ts";
import { notFound } from "./run-detail.ts";
import { evidenceFacts } from "./run-evidence.ts";
import { createGridReader, gridOf, lastRuns } from "./run-grid.ts";
import { orderOf, rowsNamed } from "./run-order.ts";

const api = implement(contract).$context<CallContext>();

/** The Run list in the order asked for, its rows, and the grid of nodes. */
export function runListHandlers(deps: HandlerDeps) {
  const grid = createGridReader(deps.reads);
  return {
    order: api.runList.order.handler(({ input, signal }) =>
      answering(async () => {
        const { rows, readAt } = await deps.live.rows(signal);
        return ok({ recordIds: orderOf(rows, input), readAt });
      }),
    ),
    rows: api.runList.rows.handler(({ input, signal }) =>
      answering(async () => ok({ rows: rowsNamed((await deps.live.rows(signal)).rows, input.recordIds) })),
    ),
    grid: api.runList.grid.handler(({ input, signal }) =>
      answering(async () => {
        const { rows, readAt } = await deps.live.rows(signal);
        const wanted = lastRuns(rows, input.networkId, input.runs);
        return ok(gridOf(input.networkId, await grid.read(wanted, signal), readAt));
      }),
    ),
  };
}

/** What of a Run is read only when it is looked at. */
export function runPartsHandlers(deps: HandlerDeps, records: RunRecords) {
  const definitions = createDefinitionReader({ reads: deps.reads, bundles: deps.workspace.bundles });
  return {
    definition: api.runParts.definition.handler(({ input, signal }) =>
      answering(() => definitions.read(input.runId, signal)),
    ),
    attempts: api.runParts.attempts.handler(({ input, signal }) =>
      answering(async () => {
        const { graph, readAt } = await records.last(input.runId, signal);
        return graph.run === null
          ? fail(notFound(input.runId))
          : ok({ ...attemptsPage(graph.attempts, input), readAt });
      }),
    ),
    evidence: api.runParts.evidence.handler(({ input }) =>
      answering(async () =>
        ok(evidenceFacts(input.attemptId, await deps.workspace.attemptEvidence(input.attemptId))),
      ),
    ),
  };
}
