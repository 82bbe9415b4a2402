import type { AttentionItem } from "../../../../shared/domain/attention.ts";
import { attentionList } from "../../../../shared/domain/attention-list.ts";
import type { RunInPicture } from "../../../../shared/domain/attention-picture.ts";
import { storedState } from "../../../support/entities.ts";
import { lockPicture, NOW, type RecordsOver, records, runInPicture } from "./attention-samples.ts";

export interface Case {
  readonly run?: Partial<RunInPicture>;
  readonly records?: RecordsOver | null;
  readonly locked?: "standing" | "stale";
}

export function list({ run = {}, records: over = {}, locked }: Case, now = NOW): readonly AttentionItem[] {
  const row = runInPicture(run);
  const lock =
    locked === undefined
      ? []
      : [
          lockPicture({
            leaseExpiresAt: locked === "stale" ? "2026-09-01T00:00:00Z" : "2026-09-05T06:00:00Z",
          }),
        ];
  return attentionList(
    {
      profile: "local",
      runs: [row],
      records: new Map(over === null ? [] : [[row.runId, records(row, over)]]),
      locks: lock,
      expectations: [],
      requests: null,
    },
    now,
  );
}

export const kinds = (items: readonly AttentionItem[]): readonly string[] => items.map((item) => item.kind);

export const unknownNode = storedState("load", "UNKNOWN", {
  activeAttemptId: "att-1",
  latestAttemptNo: 1,
  revision: 3,
  ref: { recordId: "s", revision: 3 },
});
export const failedNode = storedState("load", "FAILED", {
  activeAttemptId: "att-1",
  latestAttemptNo: 1,
  revision: 3,
  ref: { recordId: "s", revision: 3 },
});
