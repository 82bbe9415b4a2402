import type { Operation } from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";

/** Ended operations kept for whoever asks late; the oldest go first. */
const KEPT = 500;

export interface Book {
  get(operationId: string): Operation | undefined;
  /** The operation under way that lays its hand on this; undefined: none does. */
  about(what: string): Operation | undefined;
  open(operation: Operation, what?: string): Operation;
  update(operationId: string, change: Partial<Operation>): void;
}

/** What is known of each operation; `changed` hears every step. */
export function createBook(changed: (operation: Operation) => void): Book {
  const known = new Map<string, Operation>();
  /** What to the id of the operation that was last about it. */
  const subjects = new Map<string, string>();
  const forgetOldest = (): void => {
    for (const [id, operation] of known) {
      if (known.size <= KEPT) return;
      if (operation.endedAt !== null) known.delete(id);
    }
  };
  const forgetSubjects = (): void => {
    if (subjects.size <= KEPT) return;
    for (const [what, id] of subjects) {
      const operation = known.get(id);
      if (operation === undefined || operation.endedAt !== null) subjects.delete(what);
    }
  };
  return {
    get: (operationId) => known.get(operationId),
    about(what) {
      const operation = known.get(subjects.get(what) ?? "");
      if (operation !== undefined && operation.endedAt === null) return operation;
      subjects.delete(what);
      return undefined;
    },
    open(operation, what) {
      known.set(operation.operationId, operation);
      if (what !== undefined) subjects.set(what, operation.operationId);
      forgetOldest();
      forgetSubjects();
      changed(operation);
      return operation;
    },
    update(operationId, change) {
      const current = known.get(operationId);
      if (current === undefined) return;
      const next = { ...current, ...change };
      known.set(operationId, next);
      changed(next);
    },
  };
}

/** Why a second one about the same is refused: the first may still change what it would rest on. */
export const underWay = ({ operationId, kind, requestedBy, acceptedAt }: Operation): Problem => ({
  code: "OPERATION_UNDER_WAY",
  message: "The same is under way already from this console; nothing was done a second time.",
  remedy: "Wait for its end, look at what it came to, and decide again.",
  details: { operationId, kind, requestedBy, acceptedAt },
});
