import type { HostFacts } from "../../attempt/index.ts";
import type { Liveness, ProcessInspector } from "../../process/index.ts";
import type { FoundRecord, ResidentOwner } from "./record.ts";

/** What a record that an earlier program left means for the one that comes now. */
export type LeftRecord =
  | { readonly kind: "free" }
  /** Its program is proven gone; named so that the log can tell. */
  | { readonly kind: "dead"; readonly owner: ResidentOwner }
  | { readonly kind: "alive"; readonly owner: ResidentOwner }
  | { readonly kind: "cannot-tell"; readonly owner: ResidentOwner | null; readonly reason: string };

/**
 * Judges a record by identity (decisions section 3): another boot, no such process or one created at another time is
 * proof of death; what cannot be read is none.
 */
export function judgeRecord(
  found: FoundRecord,
  facts: HostFacts,
  ownPid: number,
  inspector: Pick<ProcessInspector, "liveness">,
): LeftRecord {
  if (found.kind === "none") return { kind: "free" };
  if (found.kind === "unreadable") return { kind: "cannot-tell", owner: null, reason: found.reason };
  const { owner } = found;
  const otherBoot = owner.bootId !== null && facts.bootId !== null && owner.bootId !== facts.bootId;
  // Whoever asks holds the name: a record of its own number is of a process that had it before.
  if (otherBoot || owner.process.pid === ownPid) return { kind: "dead", owner };
  return fromLiveness(owner, inspector.liveness(owner.process));
}

function fromLiveness(owner: ResidentOwner, liveness: Liveness): LeftRecord {
  switch (liveness.kind) {
    case "gone":
    case "alive-another":
      return { kind: "dead", owner };
    case "alive-ours":
      return { kind: "alive", owner };
    case "cannot-tell":
      return { kind: "cannot-tell", owner, reason: liveness.reason };
  }
}
