import { FlowError, type Problem } from "../../shared/domain/problem.ts";

/** The problem behind a caught error; a foreign error keeps its text under the given code. */
export function problemOf(error: unknown, code: string): Problem {
  if (error instanceof FlowError) return error.problem;
  return { code, message: error instanceof Error ? error.message : String(error) };
}
