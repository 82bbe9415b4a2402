import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { Locks } from "../locks/locks.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** ロック: the list as last read, and one holder read and probed now. Neither writes. */
export const lockHandlers = (locks: Locks) => ({
  list: api.locks.list.handler(({ signal }) => answering(async () => ok(await locks.list(signal)))),
  detail: api.locks.detail.handler(({ input, signal }) =>
    answering(() => locks.detail(input.recordId, signal)),
  ),
});
