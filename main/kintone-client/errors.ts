import type { Problem } from "../../shared/domain/problem.ts";
import type { Refusal, UnknownOutcome } from "./answer.ts";

/** The unique message in the languages it was observed in (kintone-rest §8.2). */
const UNIQUE_MESSAGES: ReadonlySet<string> = new Set([
  "値がほかのレコードと重複しています。",
  "This value already exists in another record.",
]);

/** Codes of a refusal that says "not now" rather than "no" (kintone-rest §7, §14). */
const isBusyCode = (code: string): boolean => code === "GAIA_DA02";

/** True for a stale revision (kintone-rest §7). */
export const isStaleRevision = (refusal: Refusal): boolean =>
  refusal.status === 409 && refusal.code === "GAIA_CO02";

/** True when the copy was turned away unread: 429, or the lock failure `GAIA_DA02` (fenced-writes R3, W5). */
export const isBusy = (refusal: Refusal): boolean => refusal.status === 429 || isBusyCode(refusal.code);

/** True for a record that does not exist (kintone-rest §5, §6). */
export const isRecordGone = (refusal: Refusal): boolean =>
  refusal.code === "GAIA_RE01" || refusal.code === "GAIA_RE20";

const uniquePath = (field: string): RegExp =>
  new RegExp(`^records?(\\[\\d+\\])?\\.${field.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\.value$`);

/**
 * The unique field whose value is taken, or null. `CB_VA01` alone proves nothing: it also means a missing or
 * invalid value, so the path of one of `uniqueFields` must carry the unique message (kintone-rest W4, §8.1).
 */
export function duplicateField(refusal: Refusal, uniqueFields: readonly string[]): string | null {
  if (refusal.code !== "CB_VA01") return null;
  for (const field of uniqueFields) {
    const path = uniquePath(field);
    const hit = Object.entries(refusal.errors).some(
      ([key, messages]) => path.test(key) && messages.some((message) => UNIQUE_MESSAGES.has(message)),
    );
    if (hit) return field;
  }
  return null;
}

/** Index of the first record named in `errors` of a batch (`records[n]…`), or null (kintone-rest §8.1). */
export function batchIndex(refusal: Refusal): number | null {
  const indexes = Object.keys(refusal.errors).flatMap((path) => {
    const match = /^records\[(\d+)\]/.exec(path);
    return match ? [Number(match[1])] : [];
  });
  return indexes.length === 0 ? null : Math.min(...indexes);
}

const listErrors = (refusal: Refusal): string => {
  const parts = Object.entries(refusal.errors).map(([path, messages]) => `${path}: ${messages.join(" ")}`);
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
};

/** A refusal as a Problem: `STORE_REFUSED`, kintone's code and words in it, no token (wire-format §4.3). */
export function refusalProblem(refusal: Refusal, what: string): Problem {
  return {
    code: "STORE_REFUSED",
    message: `kintone refused to ${what}: ${refusal.code} ${refusal.message}${listErrors(refusal)} Nothing was written.`,
    place: `HTTP ${refusal.status}`,
    remedy: remedyFor(refusal),
    details: { status: refusal.status, code: refusal.code, bulkIndex: refusal.bulkIndex },
    retryable: isBusy(refusal),
  };
}

function remedyFor(refusal: Refusal): string {
  if (isBusy(refusal)) return "kintone is busy; wait and look again.";
  if (refusal.status === 401 || refusal.status === 403 || refusal.code === "GAIA_IA02") {
    return "Check the API tokens of the apps and their rights in the settings.";
  }
  if (refusal.status === 404) return "Check that the app and the record still exist.";
  return "Compare the app's form with the field list in the settings check.";
}

const REASONS: Readonly<Record<UnknownOutcome["reason"], string>> = {
  lost: "the connection broke before an answer arrived",
  timeout: "no answer arrived in time",
  unreadable: "the answer could not be read",
  "server-error": "the service answered with an error",
  aborted: "the request was given up",
};

/** An unanswered read as a Problem: `STORE_UNREACHABLE` (wire-format §4.3). */
export function unknownProblem(unknown: UnknownOutcome, what: string): Problem {
  const status = unknown.status === undefined ? "" : ` (HTTP ${unknown.status})`;
  const detail = unknown.detail === undefined ? "" : ` (${unknown.detail})`;
  const { said } = unknown;
  const spoken = said === undefined ? "" : ` It said: ${said.code} ${said.message}`;
  return {
    code: "STORE_UNREACHABLE",
    message: `kintone could not be asked to ${what}: ${REASONS[unknown.reason]}${status}${detail}.${spoken}`,
    remedy:
      said === undefined
        ? "Check the network, the proxy and the state of the kintone service."
        : "Remove what the service names, or wait until it is well again.",
    details: { reason: unknown.reason, status: unknown.status ?? null, ...(said && { said }) },
    retryable: unknown.reason !== "aborted",
  };
}
