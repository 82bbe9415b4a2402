import { FlowError } from "../../../shared/domain/problem.ts";
import type { ResidentFront, ResidentOwner } from "./record.ts";

const FRONTS: Readonly<Record<ResidentFront, string>> = {
  desktop: "the console in its window",
  page: "the console as a page",
  serve: "flownet serve",
};

/** One line about an owner for people who read English; the window has words of its own. */
export const ownerLine = ({ front, account, process, since, host }: ResidentOwner): string =>
  `${FRONTS[front]}, account ${account}, process ${process.pid} (${process.image ?? "image unknown"}), on ${host} since ${since}`;

const facts = (owner: ResidentOwner | null) =>
  owner === null
    ? { owner: null }
    : {
        owner: {
          front: owner.front,
          account: owner.account,
          pid: owner.process.pid,
          processStart: owner.process.processStart,
          image: owner.process.image,
          host: owner.host,
          since: owner.since,
        },
      };

/** `RESIDENT_ALREADY_RUNNING`: two residents would poll, watch and clean up the same folder. */
export const alreadyRunning = (dataDir: string, owner: ResidentOwner | null): FlowError =>
  new FlowError({
    code: "RESIDENT_ALREADY_RUNNING",
    message:
      owner === null
        ? "Another program of this host already works in this data folder; it does not say who it is."
        : `Another program of this host already works in this data folder: ${ownerLine(owner)}.`,
    place: dataDir,
    remedy:
      "Use that one, end it first, or name another folder with --data-dir. Commands such as run-network and status work beside it.",
    details: facts(owner),
  });

/** `RESIDENT_OWNER_UNKNOWN`: the owner before cannot be proven dead, so its place is not taken. */
export const ownerUnknown = (path: string, owner: ResidentOwner | null, reason: string): FlowError =>
  new FlowError({
    code: "RESIDENT_OWNER_UNKNOWN",
    message:
      owner === null
        ? `Who worked in this data folder before cannot be told: ${reason}.`
        : `Whether the program that worked in this data folder before has ended cannot be told (${reason}): ${ownerLine(owner)}.`,
    place: path,
    remedy:
      owner === null
        ? "Make sure that no console and no flownet serve runs on this host, remove this file, and start again."
        : `Look on this host whether process ${owner.process.pid} is that program. When it is not, remove this file and start again.`,
    details: facts(owner),
  });
