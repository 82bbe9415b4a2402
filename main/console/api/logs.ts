import { implement } from "@orpc/server";
import { contract, type LogSearchEvent, type LogState } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { LogSearch, LogStore } from "../logs/index.ts";
import { answering, problemFrom } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();
const never = (): AbortSignal => new AbortController().signal;

/** Logs of attempts (operator-ux §3.2). They only read; ending a call or an iteration ends its work on the disk. */
export const logHandlers = (logs: LogStore) => ({
  files: api.logs.files.handler(({ input }) => answering(async () => ok(await logs.files(input.attemptId)))),
  tail: api.logs.tail.handler(({ input, signal }) =>
    answering(async () => ok(await logs.tail(input, signal ?? never()))),
  ),
  range: api.logs.range.handler(({ input, signal }) =>
    answering(async () => ok(await logs.range(input, signal ?? never()))),
  ),
  search: api.logs.search.handler(({ input, signal, context }) =>
    searchEvents(logs, input, signal ?? never(), context),
  ),
  follow: api.logs.follow.handler(({ input, signal, context }) =>
    untilLeft(signal ?? never(), context, (ends) => logs.follow(input, ends)),
  ),
});

async function* searchEvents(
  logs: LogStore,
  input: LogSearch,
  signal: AbortSignal,
  context: CallContext,
): AsyncGenerator<LogSearchEvent, void, void> {
  try {
    yield* untilLeft(signal, context, (ends) => logs.search(input, ends));
  } catch (cause) {
    yield { kind: "refused", problem: problemFrom(cause) };
  }
}

/** Events for as long as somebody takes them; a reader that leaves in between ends the work too. */
async function* untilLeft<T extends LogState | LogSearchEvent>(
  signal: AbortSignal,
  { writable }: CallContext,
  open: (ends: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  const left = new AbortController();
  try {
    for await (const event of open(AbortSignal.any([signal, left.signal]))) {
      await writable();
      yield event;
    }
  } catch (cause) {
    if (!signal.aborted) throw cause;
  } finally {
    left.abort();
  }
}
