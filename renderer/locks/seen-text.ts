import type { TFunction } from "i18next";
import type { Probe, ProbeName, ProbeResult, ProbeState } from "../../shared/api/index.ts";

type Say = (t: TFunction) => string;

/** What each probe's result means, or the state that tells more than it; what a probe never has is not here. */
const SEEN: Readonly<Record<ProbeName, Readonly<Partial<Record<ProbeResult | ProbeState, Say>>>>> = {
  lease: {
    alive: (t) => t("locks.seen.lease.alive"),
    ended: (t) => t("locks.seen.lease.ended"),
    cannotTell: (t) => t("locks.seen.lease.cannotTell"),
  },
  heartbeat: {
    alive: (t) => t("locks.seen.heartbeat.alive"),
    ended: (t) => t("locks.seen.heartbeat.ended"),
    cannotTell: (t) => t("locks.seen.heartbeat.cannotTell"),
  },
  process: {
    alive: (t) => t("locks.seen.process.alive"),
    ended: (t) => t("locks.seen.process.ended"),
    another: (t) => t("locks.seen.process.another"),
    cannotTell: (t) => t("locks.seen.process.cannotTell"),
  },
  image: {
    alive: (t) => t("locks.seen.image.alive"),
    another: (t) => t("locks.seen.image.another"),
    cannotTell: (t) => t("locks.seen.image.cannotTell"),
  },
  journal: {
    alive: (t) => t("locks.seen.journal.alive"),
    ended: (t) => t("locks.seen.journal.ended"),
    another: (t) => t("locks.seen.journal.another"),
    cannotTell: (t) => t("locks.seen.journal.cannotTell"),
  },
  children: {
    alive: (t) => t("locks.seen.children.alive"),
    ended: (t) => t("locks.seen.children.ended"),
    cannotTell: (t) => t("locks.seen.children.cannotTell"),
  },
  jobLog: {
    running: (t) => t("locks.seen.jobLog.running"),
    terminal: (t) => t("locks.seen.jobLog.terminal"),
    none: (t) => t("locks.seen.jobLog.none"),
    unreadable: (t) => t("locks.seen.jobLog.unreadable"),
  },
  resultFile: {
    present: (t) => t("locks.seen.resultFile.present"),
    none: (t) => t("locks.seen.resultFile.none"),
    unreadable: (t) => t("locks.seen.resultFile.unreadable"),
  },
  jobLock: {
    held: (t) => t("locks.seen.jobLock.held"),
    free: (t) => t("locks.seen.jobLock.free"),
    unreadable: (t) => t("locks.seen.jobLock.unreadable"),
  },
};

/** What was seen, in the window's language. */
export function seenText({ probe, result, state }: Probe, t: TFunction): string {
  return SEEN[probe][state ?? result]?.(t) ?? t("locks.result.cannotTell");
}
