import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import type { Acting } from "../acting/index.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** What operators do: the plan writes nothing, the execution is accepted and then followed by its id (operator-ux D8). */
export const actingHandlers = (acting: Acting) => ({
  plan: api.acting.plan.handler(({ input, signal }) => answering(() => acting.plan(input.intent, signal))),
  execute: api.acting.execute.handler(({ input, signal }) => answering(() => acting.execute(input, signal))),
});
