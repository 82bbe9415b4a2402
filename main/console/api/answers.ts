import { FlowError, fail, type Problem, type Result } from "../../../shared/domain/problem.ts";

/** A handler's answer: what the work threw becomes the problem of the answer (architecture §4). */
export async function answering<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (cause) {
    return fail(problemFrom(cause));
  }
}

/** The problem of anything thrown. An unforeseen error is named as such; its stack stays in the process. */
export function problemFrom(cause: unknown): Problem {
  if (cause instanceof FlowError) return cause.problem;
  return {
    code: "CONSOLE_INTERNAL",
    message: cause instanceof Error ? cause.message : String(cause),
  };
}
