import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { Requests } from "../requests/requests.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** 操作要求: the queue, one record, and a reading now. What creates or takes back a request is an action like others. */
export const requestHandlers = (requests: Requests) => ({
  list: api.requests.list.handler(({ input, signal }) =>
    answering(async () => ok(await requests.list(input, signal))),
  ),
  detail: api.requests.detail.handler(({ input, signal }) =>
    answering(() => requests.detail(input.requestId, signal)),
  ),
  refresh: api.requests.refresh.handler(({ signal }) =>
    answering(async () => ok({ readAt: await requests.refresh(signal) })),
  ),
});
