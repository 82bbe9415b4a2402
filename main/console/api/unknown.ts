import { implement } from "@orpc/server";
import { contract, DOUBTS_SHOWN } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { Unknowns } from "../unknown/unknown.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** 結果不明: the list, the evidence of one node, what its apps hold, and where a recovery stands. None of them writes. */
export const unknownHandlers = (unknowns: Unknowns) => ({
  list: api.unknown.list.handler(({ input, signal }) =>
    answering(async () => ok(await unknowns.list(input.most ?? DOUBTS_SHOWN, signal))),
  ),
  locate: api.unknown.locate.handler(({ input, signal }) =>
    answering(() => unknowns.locate(input.attemptId, signal)),
  ),
  detail: api.unknown.detail.handler(({ input, signal }) => answering(() => unknowns.detail(input, signal))),
  query: api.unknown.query.handler(({ input, signal }) => answering(() => unknowns.query(input, signal))),
  recovery: api.unknown.recovery.handler(({ input, signal }) =>
    answering(() => unknowns.recovery(input.runId, signal)),
  ),
});
