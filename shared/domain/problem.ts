/**
 * What went wrong, as a value. Every rejected file, option, key, record or answer is told in this shape:
 * a stable code, what happened, where, and what to do about it.
 */
export interface Problem {
  /** Stable, upper-case, never translated. */
  readonly code: string;
  /** What happened and what it means, one or two sentences. */
  readonly message: string;
  /** Where: file, line and column, option, or field. Absent when the code alone is the place. */
  readonly place?: string;
  /** What to do. Never "try again" unless trying again is safe. */
  readonly remedy?: string;
  /** Facts for machines: ids, revisions, blocking runs. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** True only where repeating the same call is known to be safe and may succeed. */
  readonly retryable?: boolean;
}

export type Result<T, E = Problem> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const fail = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** Carries a {@link Problem} through code that unwinds; converted back to a value at every process border. */
export class FlowError extends Error {
  override readonly name = "FlowError";
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }
}

/** The text of anything that was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Compile-time proof that a union was handled completely. */
export function assertNever(value: never, what: string): never {
  throw new Error(`unhandled ${what}: ${String(value)}`);
}
