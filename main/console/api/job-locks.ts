import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { JobLocks } from "../job-locks/index.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** ジョブロック: the jobs, and one lock asked of the runner now. Neither writes. */
export const jobLockHandlers = (jobLocks: JobLocks) => ({
  list: api.jobLocks.list.handler(() => answering(async () => ok(await jobLocks.list()))),
  inspect: api.jobLocks.inspect.handler(({ input, signal }) =>
    answering(() => jobLocks.inspect(input.jobKey, signal)),
  ),
});
