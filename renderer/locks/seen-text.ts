import type { TFunction } from "i18next";
import type { Probe, ProbeName, ProbeResult } from "../../shared/api/index.ts";

type Say = (t: TFunction) => string;

/** What each probe's result means; a result that a probe never has is not here. */
const SEEN: Readonly<Record<ProbeName, Readonly<Partial<Record<ProbeResult, Say>>>>> = {
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
};

/** What was seen, in the window's language. */
export function seenText({ probe, result }: Probe, t: TFunction): string {
  return SEEN[probe][result]?.(t) ?? t("locks.result.cannotTell");
}
