import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { Attention } from "../attention/attention.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** 要対応: the picture once, or as it changes. */
export const attentionHandlers = (attention: Attention) => ({
  list: api.attention.list.handler(({ signal }) =>
    answering(async () => ok(await attention.current(signal))),
  ),
  watch: api.attention.watch.handler(({ signal, context }) =>
    attention.watch(signal ?? new AbortController().signal, context.writable),
  ),
});
