import { implement } from "@orpc/server";
import { contract, type StopProgress } from "../../../shared/api/index.ts";
import { fail, ok, type Problem } from "../../../shared/domain/problem.ts";
import type { Children } from "../children/children.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

const accepted = ({ operationId, requestedAt }: StopProgress) => ok({ operationId, acceptedAt: requestedAt });

/**
 * 子プロセス: the picture once or as it changes, and the stop in steps. Only the stop asks the gate, and not for one that
 * was accepted: whoever asks again after a lost answer is told of it, whatever closed the gate since.
 */
export const processHandlers = (children: Children, gate: () => Promise<Problem | null>) => ({
  list: api.processes.list.handler(({ signal }) => answering(async () => ok(await children.picture(signal)))),
  watch: api.processes.watch.handler(({ signal, context }) =>
    children.watch(signal ?? new AbortController().signal, context.writable),
  ),
  plan: api.processes.plan.handler(({ input }) =>
    answering(() => children.plan(input.pid, input.processStart)),
  ),
  stop: api.processes.stop.handler(({ input }) =>
    answering(async () => {
      const known = children.stopOf(input.operationId);
      if (known !== undefined) return accepted(known);
      const closed = await gate();
      if (closed !== null) return fail(closed);
      const stopped = await children.stop(input);
      return stopped.ok ? accepted(stopped.value) : stopped;
    }),
  ),
});
