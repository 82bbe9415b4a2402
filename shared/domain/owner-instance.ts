/** Who holds a lock, as far as its text says. Only `local-pid` can be checked, and only on its own host. */
export type OwnerInstance =
  | { readonly kind: "local-pid"; readonly host: string; readonly pid: number }
  | { readonly kind: "cloud-run"; readonly execution: string }
  | { readonly kind: "other"; readonly text: string };

const STATUS_REASON_PREFIX = "owner_instance_id=";
const LOCAL_PID = /^local-pid:\/\/([^/]+)\/([1-9]\d*)$/;
const CLOUD_RUN = /^projects\/[^/]+\/locations\/[^/]+\/jobs\/[^/]+\/executions\/[^/]+$/;

/** Reads an owner instance id (orchestration §3.5); what is neither form is kept as text. */
export function parseOwnerInstance(text: string): OwnerInstance {
  const local = LOCAL_PID.exec(text);
  const host = local?.[1];
  const pid = Number(local?.[2]);
  if (host !== undefined && Number.isSafeInteger(pid)) return { kind: "local-pid", host, pid };
  if (CLOUD_RUN.test(text)) return { kind: "cloud-run", execution: text };
  return { kind: "other", text };
}

/** `local-pid://<host>/<pid>`: the default instance id of every lock of ours, CLOSE included (wire-format §1.1, §7 row 11). */
export function formatLocalOwner(host: string, pid: number): string {
  return `local-pid://${host}/${pid}`;
}

/** `status_reason` of a held lock (wire-format §1.2). */
export function ownerStatusReason(instanceId: string): string {
  return `${STATUS_REASON_PREFIX}${instanceId}`;
}

/** The instance id inside a held lock's `status_reason`; empty when the text says none. */
export function ownerInstanceIdOf(statusReason: string): string {
  return statusReason.startsWith(STATUS_REASON_PREFIX) ? statusReason.slice(STATUS_REASON_PREFIX.length) : "";
}
