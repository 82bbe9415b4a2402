import type { Attempt } from "./model.ts";
import type { OrphanFacts } from "./orphan-verdict.ts";

/** Everything an outcome nobody knows can be judged by, beside the business data (screens, 結果不明). */
export const EVIDENCE_KINDS = [
  "resultFile",
  "jobLog",
  "sqlStart",
  "child",
  "progress",
  "journal",
  "inputs",
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** `unreadable` proves nothing, and is never taken for `absent`. */
export const READINGS = ["present", "absent", "unreadable"] as const;
export type Reading = (typeof READINGS)[number];

/** What one piece of evidence shows; each has its words. */
export const SHOWN = [
  "noResult",
  "resultElsewhere",
  "resultBroken",
  "resultOfAnother",
  "resultSays",
  "neverLogged",
  "logOpen",
  "logEnded",
  "logAmbiguous",
  "logUnreadable",
  "sqlStarted",
  "sqlNotStarted",
  "sqlNotTold",
  "childWrites",
  "childGone",
  "childReplaced",
  "childNeverWas",
  "childCannotTell",
  "childElsewhere",
  "wroteUpTo",
  "wroteNothingTold",
  "journalOwnerDied",
  "journalExit",
  "journalLateEnd",
  "journalForced",
  "journalLaunchFailed",
  "journalIntentOnly",
  "journalNone",
  "journalOtherBoot",
  "journalUnreadable",
  "inputsRecorded",
  "inputsNone",
] as const;
export type Shown = (typeof SHOWN)[number];

export interface UnknownFacts {
  readonly attempt: Pick<
    Attempt,
    | "status"
    | "executionStartedAt"
    | "runnerExecutionStartedAt"
    | "lastSuccessfulChunkNo"
    | "lastWrittenKey"
    | "writtenCount"
  >;
  /** `elsewhere`: it would lie on the host the attempt ran on, which is not this one. */
  readonly resultFile:
    | { readonly kind: "absent" | "elsewhere" | "unreadable" | "invalid" | "foreign" }
    | { readonly kind: "valid"; readonly status: string };
  readonly jobLog:
    | { readonly kind: "none" | "ambiguous" | "unreadable" }
    | {
        readonly kind: "found";
        readonly status: string;
        readonly sqlStartedAt: string | null;
        readonly lastWrittenKey: string | null;
        readonly writtenCount: number | null;
      };
  /** Measured now by PID, creation time and image together, and by the attempt id every child carries (decisions §3). */
  readonly child: { readonly kind: "alive" | "gone" | "replaced" | "never" | "cannotTell" | "elsewhere" };
  readonly journal:
    | { readonly kind: "none" | "unreadable" }
    | {
        readonly kind: "known";
        readonly thisHostAndBoot: boolean;
        readonly spawned: boolean;
        readonly exited: boolean;
        /** How it ended was seen: its exit code, or the signal. */
        readonly exitKnown: boolean;
        readonly forced: boolean;
        readonly launchFailed: boolean;
      };
  /** How many input files were recorded with their hashes before the start. */
  readonly inputs: number;
}

export interface EvidenceReading {
  readonly evidence: EvidenceKind;
  readonly reading: Reading;
  readonly shows: Shown;
}

type Told = readonly [Reading, Shown];

const RESULT: Readonly<Record<UnknownFacts["resultFile"]["kind"], Told>> = {
  absent: ["absent", "noResult"],
  elsewhere: ["unreadable", "resultElsewhere"],
  unreadable: ["unreadable", "resultBroken"],
  invalid: ["unreadable", "resultBroken"],
  foreign: ["unreadable", "resultOfAnother"],
  valid: ["present", "resultSays"],
};

const CHILD: Readonly<Record<UnknownFacts["child"]["kind"], Told>> = {
  alive: ["present", "childWrites"],
  gone: ["absent", "childGone"],
  replaced: ["absent", "childReplaced"],
  never: ["absent", "childNeverWas"],
  cannotTell: ["unreadable", "childCannotTell"],
  elsewhere: ["unreadable", "childElsewhere"],
};

/** A JOB log whose status says that the job has not ended. */
const isOpen = (status: string): boolean => ["RUNNING", "SKIPPED"].includes(status.toUpperCase());

function jobLogTold({ jobLog }: UnknownFacts): Told {
  switch (jobLog.kind) {
    case "none":
      return ["absent", "neverLogged"];
    case "ambiguous":
      return ["unreadable", "logAmbiguous"];
    case "unreadable":
      return ["unreadable", "logUnreadable"];
    case "found":
      return ["present", isOpen(jobLog.status) ? "logOpen" : "logEnded"];
  }
}

/** When the SQL started, by the log first and by the record that was copied from it else; null: no such mark. */
export const sqlStartOf = ({ attempt, jobLog }: Pick<UnknownFacts, "attempt" | "jobLog">): string | null =>
  (jobLog.kind === "found" ? jobLog.sqlStartedAt : null) ?? attempt.runnerExecutionStartedAt;

function sqlStartTold(facts: UnknownFacts): Told {
  if (sqlStartOf(facts) !== null) return ["present", "sqlStarted"];
  const { kind } = facts.jobLog;
  // A log that was read and has no start is a word; a log nobody could read is none.
  return kind === "found" || kind === "none" ? ["absent", "sqlNotStarted"] : ["unreadable", "sqlNotTold"];
}

function progressTold({ attempt, jobLog }: UnknownFacts): Told {
  const log = jobLog.kind === "found" ? jobLog : null;
  const any =
    attempt.lastSuccessfulChunkNo !== null ||
    (attempt.lastWrittenKey ?? log?.lastWrittenKey ?? "") !== "" ||
    Math.max(attempt.writtenCount, log?.writtenCount ?? 0) > 0;
  return any ? ["present", "wroteUpTo"] : ["absent", "wroteNothingTold"];
}

function journalTold({ journal }: UnknownFacts): Told {
  if (journal.kind !== "known") {
    return journal.kind === "none" ? ["absent", "journalNone"] : ["unreadable", "journalUnreadable"];
  }
  if (journal.launchFailed) return ["present", "journalLaunchFailed"];
  if (journal.exited && journal.forced) return ["present", "journalForced"];
  if (journal.exited) return ["present", journal.exitKnown ? "journalExit" : "journalLateEnd"];
  if (!journal.thisHostAndBoot) return ["present", "journalOtherBoot"];
  return ["present", journal.spawned ? "journalOwnerDied" : "journalIntentOnly"];
}

/** The matrix of an attempt: for each piece of evidence how it was read and what it shows (screens, 結果不明). */
export function evidenceMatrix(facts: UnknownFacts): readonly EvidenceReading[] {
  const told: Readonly<Record<EvidenceKind, Told>> = {
    resultFile: RESULT[facts.resultFile.kind],
    jobLog: jobLogTold(facts),
    sqlStart: sqlStartTold(facts),
    child: CHILD[facts.child.kind],
    progress: progressTold(facts),
    journal: journalTold(facts),
    inputs: facts.inputs > 0 ? ["present", "inputsRecorded"] : ["absent", "inputsNone"],
  };
  return EVIDENCE_KINDS.map((evidence) => {
    const [reading, shows] = told[evidence];
    return { evidence, reading, shows };
  });
}

/** The same facts as a resume judges them by (orchestration §5.3). */
export function orphanFactsOf(facts: UnknownFacts): OrphanFacts {
  const { jobLog, journal, child, attempt } = facts;
  const known = journal.kind === "known" ? journal : null;
  return {
    executionStartedAt: attempt.executionStartedAt,
    jobLog: jobLog.kind === "found" ? { kind: "found", status: jobLog.status } : { kind: jobLog.kind },
    local: {
      owned: known?.thisHostAndBoot === true,
      spawned: known?.spawned === true,
      alive: child.kind === "alive" ? true : child.kind === "cannotTell" ? null : false,
    },
  };
}
