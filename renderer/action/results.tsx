import type { ComponentType, ReactNode } from "react";
import type { Operation, OperationKind } from "../../shared/api/index.ts";
import { JobUnlockResult } from "../locks/job-unlock-result.tsx";
import { ReleaseResult } from "../locks/release/release-result.tsx";
import { ReleaseSeen } from "../locks/release/release-seen.tsx";
import type { SentAction } from "../state/action-sent.ts";

/** What a kind tells of its end in words of its own, in place of the plain facts. */
const RESULTS: Readonly<Partial<Record<OperationKind, ComponentType<{ readonly operation: Operation }>>>> = {
  forceUnlock: ReleaseResult,
  jobUnlock: JobUnlockResult,
};

/** What a kind saw at its very moment, told before the answer. */
const SEEN: Readonly<Partial<Record<OperationKind, ComponentType<{ readonly sent: SentAction }>>>> = {
  forceUnlock: ReleaseSeen,
};

interface KindResultProps {
  readonly operation: Operation;
  readonly otherwise: ReactNode;
}

export function KindResult({ operation, otherwise }: KindResultProps) {
  const Result = RESULTS[operation.kind];
  return Result === undefined ? otherwise : <Result operation={operation} />;
}

export function KindSeen({ sent }: { readonly sent: SentAction }) {
  const Seen = SEEN[sent.kind];
  return Seen === undefined ? null : <Seen sent={sent} />;
}
