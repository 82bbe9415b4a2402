import type { KnownResultCode } from "../../../shared/contract/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { KintoneAnswer } from "../../kintone-client/index.ts";
import { DialectError } from "../dialect/diagnostic.ts";

/** The request that would have been one too many was not sent (execution-contract §8, "Counting"). */
export const API_LIMIT_EXCEEDED = "API_LIMIT_EXCEEDED";

export type FailureCode = Exclude<KnownResultCode, "OK" | "NO_DATA">;

/** Ends a run with a result code (execution-contract §5.3). `code` is the result's `error.code`. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly resultCode: FailureCode;
  readonly code: string;

  constructor(resultCode: FailureCode, code: string, message: string) {
    super(message);
    this.resultCode = resultCode;
    this.code = code;
  }
}

/** How a run ended: a result code, and what to say about it. */
export interface Verdict {
  readonly resultCode: KnownResultCode;
  /** Null for OK and NO_DATA. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A verdict with its error. */
export const failed = (resultCode: FailureCode, code: string, message: string): Verdict => ({
  resultCode,
  error: { code, message },
});

/** Token refusals come as 401, 403 and, for an unknown token, as 400 `GAIA_IA02` (kintone-rest §4). */
function isAuthRefusal(status: number, code: string): boolean {
  return status === 401 || status === 403 || code === "GAIA_IA02";
}

const UNKNOWN_WORDS = {
  lost: "the connection broke before an answer arrived",
  timeout: "no answer arrived in time",
  unreadable: "the answer could not be read",
  "server-error": "the service answered with an error page",
  aborted: "the request was given up",
} as const;

/** What a missing or refusing answer means for the run (execution-contract §5.3). `what` completes "to …". */
export function answerFailure(
  answer: Exclude<KintoneAnswer<never>, { kind: "ok" }>,
  what: string,
): RunFailure {
  if (answer.kind === "refused") {
    const resultCode = isAuthRefusal(answer.status, answer.code) ? "AUTH_ERROR" : "API_ERROR";
    const details = Object.entries(answer.errors).map(([path, words]) => ` ${path}: ${words.join(" ")}`);
    const message = `kintone refused to ${what}: ${answer.code} ${answer.message}${details.join(";")}`;
    return new RunFailure(resultCode, `KINTONE_HTTP_${answer.status}`, message);
  }
  const message = `kintone could not be asked to ${what}: ${UNKNOWN_WORDS[answer.reason]}.`;
  const { status } = answer;
  if (status !== undefined && status >= 400) {
    const resultCode = isAuthRefusal(status, "") ? "AUTH_ERROR" : "API_ERROR";
    return new RunFailure(resultCode, `KINTONE_HTTP_${status}`, message);
  }
  return new RunFailure("API_ERROR", "NETWORK_ERROR", message);
}

/**
 * The verdict about an exception, by its origin and never by its class alone (execution-contract §13 W15).
 * `started` decides between VALIDATION_ERROR and SQL_ERROR, which the contract ties to it (§5.2).
 */
export function verdictOf(error: unknown, started: boolean): Verdict {
  const invalid = started ? "SQL_ERROR" : "VALIDATION_ERROR";
  if (error instanceof DialectError) return failed(invalid, error.code, error.message);
  if (error instanceof RunFailure) {
    const isInvalid = error.resultCode === "SQL_ERROR" || error.resultCode === "VALIDATION_ERROR";
    return failed(isInvalid ? invalid : error.resultCode, error.code, error.message);
  }
  if (error instanceof FlowError && error.code === "CONFIG_ERROR") {
    return failed(invalid, error.code, error.message);
  }
  const message = error instanceof Error ? error.message : String(error);
  return failed("INTERNAL_ERROR", "INTERNAL_ERROR", `The runner met an error of its own: ${message}`);
}
