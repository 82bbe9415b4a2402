import { join } from "node:path";
import { z } from "zod";
import { CONSENT_EXPIRY_MS, type FiledRequest, filedRequest } from "../../../../shared/api/index.ts";
import { FlowError, fail, ok, type Problem, type Result } from "../../../../shared/domain/problem.ts";
import { createQueue } from "../../settings/queue.ts";
import { createVersionedFile, type VersionedFile } from "../../settings/versioned-file.ts";

/** A filed request with what its execution needs beyond what is shown. */
const stored = filedRequest.extend({
  /** What the requester typed, checked again by the execution. */
  typed: z.string(),
  /** As the records name the requester. */
  requestedBy: z.string(),
});
export type StoredRequest = z.infer<typeof stored>;

/** Requests waiting at once; nobody oversees more. */
const MOST = 20;
const filedFile = z.strictObject({
  kind: z.literal("FLOWNET_CONSENT_REQUESTS"),
  formatVersion: z.literal(1),
  requests: z.array(stored).max(MOST).readonly(),
});
type FiledFile = z.infer<typeof filedFile>;

/** `consent-requests.json` of a data folder: the peer's request app keeps its shape (operator-ux §2.4, "Compatibility"). */
export const openFiledFile = (dataDir: string): VersionedFile<FiledFile> =>
  createVersionedFile({ path: join(dataDir, "consent-requests.json"), schema: filedFile, version: 1 });

export interface FiledRequests {
  /** Those that may still be approved, oldest first. */
  open(): Promise<readonly StoredRequest[]>;
  /** Keeps one; the same id again is the same request. Code `CONSENT_REQUESTS_TOO_MANY`. */
  add(request: StoredRequest): Promise<Result<StoredRequest>>;
  /** Takes one out for good, so that it is approved or withdrawn once. Code `CONSENT_REQUEST_GONE`. */
  take(requestId: string): Promise<Result<StoredRequest>>;
}

/** Frozen requests for consent, each for {@link CONSENT_EXPIRY_MS}. `nowMs` in epoch milliseconds. */
export function createFiledRequests(file: VersionedFile<FiledFile>, nowMs: () => number): FiledRequests {
  const queue = createQueue();
  const isOpen = ({ filedAt }: StoredRequest): boolean => {
    const age = nowMs() - Date.parse(filedAt);
    // A clock that was set back makes no request younger than it is new.
    return age >= 0 && age < CONSENT_EXPIRY_MS;
  };
  const read = async (): Promise<{
    readonly revision: string;
    readonly requests: readonly StoredRequest[];
  }> => {
    const { revision, value, readOnly } = await file.read();
    if (value === null && readOnly !== null) throw new FlowError(readOnly);
    return { revision, requests: (value?.requests ?? []).filter(isOpen) };
  };
  const save = (revision: string, requests: readonly StoredRequest[]): Promise<void> =>
    file.save(revision, { kind: "FLOWNET_CONSENT_REQUESTS", formatVersion: 1, requests });
  return {
    open: () => queue(async () => (await read()).requests),
    add: (request) =>
      queue(async () => {
        const { revision, requests } = await read();
        const same = requests.find(({ requestId }) => requestId === request.requestId);
        if (same !== undefined) return ok(same);
        if (requests.length >= MOST) return fail(tooMany);
        await save(revision, [...requests, request]);
        return ok(request);
      }),
    take: (requestId) =>
      queue(async () => {
        const { revision, requests } = await read();
        const found = requests.find((each) => each.requestId === requestId);
        if (found === undefined) return fail(gone(requestId));
        await save(
          revision,
          requests.filter((each) => each.requestId !== requestId),
        );
        return ok(found);
      }),
  };
}

/** What a page is told of it. */
export const shownRequest = ({ typed: _, requestedBy: __, ...shown }: StoredRequest): FiledRequest => shown;

const gone = (requestId: string): Problem => ({
  code: "CONSENT_REQUEST_GONE",
  message: "There is no such request for consent any more: it expired, was withdrawn or was decided.",
  place: requestId,
  remedy: "Look at the list; file it again if it is still wanted.",
});
const tooMany: Problem = {
  code: "CONSENT_REQUESTS_TOO_MANY",
  message: `${MOST} requests wait for consent already; this one was not filed.`,
  remedy: "Decide or withdraw some of them first.",
};
