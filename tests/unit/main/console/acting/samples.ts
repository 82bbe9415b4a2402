import type { Actors } from "../../../../../main/console/acting/ports.ts";
import type { Intent } from "../../../../../shared/api/index.ts";
import {
  type DangerLevel,
  type Evidence,
  type OperationName,
  type OperationPlan,
  operationPlan,
  type SeenRecords,
} from "../../../../../shared/domain/operations/index.ts";

export const ACTORS: Actors = {
  account: "tanaka",
  requestedBy: "tanaka",
  servicePrincipal: "HOST-A",
  profile: "prod",
};
export const READ_AT = "2026-09-05T03:00:00.000Z";
export const LOCK = { recordId: "7", revision: 214 };

/** The intent of a kind. */
export type Of<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;

export const force = (over: Partial<Of<"forceUnlock">> = {}): Of<"forceUnlock"> => ({
  kind: "forceUnlock",
  recordId: "7",
  networkId: "sales_import",
  profile: "prod",
  ownerInvocationId: "invoke_0123456789abc41f",
  pid: 8812,
  stopLabel: "processEnded",
  stopOther: "",
  stopConfirmedBy: "sato",
  checked: [],
  evidenceText: "INC-1",
  evidenceFiles: [],
  reason: "power lost at 03:12",
  withoutAudit: false,
  ...over,
});
export const resolve = (over: Partial<Of<"resolve">> = {}): Of<"resolve"> => ({
  kind: "resolve",
  runId: "netrun_1",
  nodeId: "load",
  outcome: "SUCCESS",
  manualCompletion: true,
  compensation: false,
  evidenceText: "3,000 rows",
  evidenceFiles: [],
  stopConfirmedBy: "sato",
  stopEvidence: "JOB log closed",
  reason: "all rows are there",
  ...over,
});
export const close: Of<"close"> = { kind: "close", runId: "netrun_1", reason: "dropped for good" };

export const plan = (
  operation: OperationName,
  danger: DangerLevel,
  more: { readonly seen?: SeenRecords; readonly evidence?: readonly Evidence[] } = {},
): OperationPlan =>
  operationPlan({
    operation,
    danger,
    subject: { networkId: "sales_import", businessKey: "2026-09-05", runId: "netrun_1", nodeId: "load" },
    seen: more.seen ?? { lock: LOCK },
    readAt: READ_AT,
    ...(more.evidence && { evidence: more.evidence }),
  });
