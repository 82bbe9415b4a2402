/** `errors` of a `CB_VA01` body: path to messages (kintone-rest §3). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A well-formed kintone error: this copy of the request did not run (fenced-writes R3). */
export interface Refusal {
  readonly kind: "refused";
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors: FieldErrors;
  /** Sub-request that was refused; null outside a bulk, or when the bulk as a whole was refused. */
  readonly bulkIndex: number | null;
  /** `Retry-After` as it came: seconds or an HTTP date (execution-contract §8). */
  readonly retryAfter?: string;
}

export type UnknownReason = "lost" | "timeout" | "unreadable" | "server-error" | "aborted";

/**
 * Nobody can say from this answer whether the request ran. Not an error: a value of its own, to be settled
 * by reading, never by repeating blindly (architecture §4).
 */
export interface UnknownOutcome {
  readonly kind: "unknown";
  readonly reason: UnknownReason;
  /** HTTP status, where one arrived. */
  readonly status?: number;
  /** Word of the network layer, such as `ECONNREFUSED`; for people, never for decisions. */
  readonly detail?: string;
  /** The server's own code and words behind a 5xx; for people, never for decisions. */
  readonly said?: { readonly code: string; readonly message: string };
  /** True when no connection came about: this copy never left, so it can never arrive. */
  readonly neverLeft?: true;
  /** `Retry-After` as it came: seconds or an HTTP date (execution-contract §8). */
  readonly retryAfter?: string;
}

export type KintoneAnswer<T> = { readonly kind: "ok"; readonly value: T } | Refusal | UnknownOutcome;
