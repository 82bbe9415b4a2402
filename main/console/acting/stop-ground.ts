import {
  type Intent,
  type LockDetail,
  type Probe,
  STOP_CHECKS,
  type StopCheck,
} from "../../../shared/api/index.ts";
import type { StopMethod } from "../../../shared/domain/forced-release.ts";
import type { Problem } from "../../../shared/domain/problem.ts";

type ForceUnlock = Extract<Intent, { kind: "forceUnlock" }>;

/** The label of the form, as it stands first in the record's reason (decisions §3). The record's readers are Japanese. */
export const STOP_WORDS: Readonly<Record<ForceUnlock["stopLabel"], string>> = {
  processEnded: "プロセス終了確認",
  hostStopped: "ホスト停止確認",
  powerOff: "電源断確認",
  other: "その他",
};

/** What was looked at on another host, in the words of the record. */
export const CHECK_WORDS: Readonly<Record<StopCheck, string>> = {
  ownerProcess: "所有者のプロセスなし",
  children: "子プロセスなし",
  noRestart: "自動再起動なし",
  record: "証拠を保存",
};

/** What a forced release rests on, from the form and from what was seen of the owner. */
export interface StopGround {
  /** On the wire (decisions §3). */
  readonly method: StopMethod;
  /** When the owner's process was created; null where nobody knows. */
  readonly processStart: string | null;
  /** What speaks against it beyond the record. */
  readonly refusals: readonly Problem[];
  readonly probes: readonly Probe[];
}

/**
 * `local_pid` only where this very host saw the owner's process gone; a word about any other host is `manual`. On the
 * owner's own host nobody's word counts against what is seen there (decisions §3, operator-ux §2.3 step 3). Codes
 * `PID_REQUIRED`, `STOP_CHECKS_REQUIRED`, `STOP_NOT_CONFIRMED`. `detail` null: nobody holds the lock any more.
 */
export function stopGround(intent: ForceUnlock, detail: LockDetail | null): StopGround {
  const holder = detail?.lock.holder ?? null;
  if (detail === null || holder === null) {
    return { method: "manual", processStart: null, refusals: [], probes: detail?.probes ?? [] };
  }
  const { probes, verdict } = detail;
  const ownHost = holder.thisHost && holder.pid !== null;
  const method = intent.stopLabel === "processEnded" && ownHost ? "local_pid" : "manual";
  const unchecked = ownHost ? [] : STOP_CHECKS.filter((check) => !intent.checked.includes(check));
  const pidMissing = holder.pid !== null && intent.pid === null;
  const stopped = verdict.kind === "gone" || verdict.kind === "another";
  // `local_pid` is refused by the plan itself, with the same code.
  const doubted = ownHost && !stopped && method === "manual" ? [notStopped(verdict.kind)] : [];
  const children = ownHost && probes.some(({ probe, result }) => probe === "children" && result === "alive");
  return {
    method,
    processStart: startOf(probes),
    refusals: [
      ...(pidMissing ? [pidRequired(holder.pid)] : []),
      ...(unchecked.length > 0 ? [checksRequired(unchecked)] : []),
      ...doubted,
      ...(children ? [notStopped("children")] : []),
    ],
    probes,
  };
}

/** The journal names the owner's own process; the process table may show another one under the same number. */
function startOf(probes: readonly Probe[]): string | null {
  const seen = (name: Probe["probe"]): string | null =>
    probes.find(({ probe, result }) => probe === name && result !== "another")?.seen ?? null;
  return probes.find(({ probe }) => probe === "journal")?.seen ?? seen("process");
}

const pidRequired = (pid: number | null): Problem => ({
  code: "PID_REQUIRED",
  message: `The lock names process ${pid} as its owner; the process that was looked for has to be named.`,
  place: "pid",
  remedy: "Enter the process id that was looked for.",
});

const checksRequired = (missing: readonly StopCheck[]): Problem => ({
  code: "STOP_CHECKS_REQUIRED",
  message: "The owner's host cannot be seen from here, and not everything was looked at there.",
  place: "checked",
  remedy: "Look at all of it on the owner's host, then say so.",
  details: { missing },
});

const WHY: Readonly<Record<"alive" | "cannot-tell" | "children", string>> = {
  alive: "its process is running on this host.",
  "cannot-tell": "whether its process runs on this host cannot be told.",
  children: "a process of one of its attempts is running on this host.",
};

function notStopped(why: string): Problem {
  const known = why === "alive" || why === "children" ? why : "cannot-tell";
  return {
    code: "STOP_NOT_CONFIRMED",
    message: `It is not confirmed that the owner has stopped: ${WHY[known]}`,
    place: "stopLabel",
    remedy: "Stop the process first, or wait for it, then look again.",
    details: { why: known },
  };
}
