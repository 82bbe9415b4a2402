import type { EvidenceRow } from "../../../shared/api/index.ts";
import { type EvidenceKind, evidenceMatrix, sqlStartOf } from "../../../shared/domain/unknown-evidence.ts";
import { type AttemptReading, factsOf } from "./facts.ts";

type Value = EvidenceRow["values"][number];
type ValueName = Value["name"];

const PLACES: Readonly<Record<EvidenceKind, EvidenceRow["place"]>> = {
  resultFile: "workFolder",
  jobLog: "jobLog",
  sqlStart: "jobLog",
  child: "processes",
  progress: "jobLog",
  journal: "journal",
  inputs: "audit",
};

/** Values beyond these are cut: a row is looked at, not scrolled through. */
const INPUTS_SHOWN = 5;

/** The rows of the matrix, each with the values it rests on. Pure. */
export function evidenceRows(reading: AttemptReading): readonly EvidenceRow[] {
  const values = valuesOf(reading);
  return evidenceMatrix(factsOf(reading)).map((row) => ({
    ...row,
    values: values[row.evidence],
    place: PLACES[row.evidence],
    host: row.evidence === "inputs" ? null : hostOf(reading, row.evidence),
    readAt: reading.readAt,
  }));
}

function hostOf({ invocation, journal, jobLog }: AttemptReading, evidence: EvidenceKind): string | null {
  if (PLACES[evidence] === "jobLog") return jobLog.kind === "found" ? jobLog.log.host : null;
  const known = "problem" in journal ? null : (journal.intent ?? journal.spawned);
  return invocation?.host ?? known?.host ?? null;
}

const text = (name: ValueName, value: string | number | null | undefined, kind: Value["kind"] = "text") =>
  value === null || value === undefined || value === ""
    ? []
    : [{ name, value: String(value), kind } as const];

function valuesOf(reading: AttemptReading): Readonly<Record<EvidenceKind, readonly Value[]>> {
  const { child, inputs } = reading;
  const log = reading.jobLog.kind === "found" ? reading.jobLog.log : null;
  return {
    resultFile: resultValues(reading),
    jobLog: [
      ...text("status", log?.status),
      ...text("finished", log?.finishedAt, "minute"),
      ...text("jobLock", log?.jobKey, "id"),
      ...text("reason", log?.errorMessage),
      ...(reading.jobLog.kind === "unreadable" ? text("reason", reading.jobLog.problem.message) : []),
      ...(reading.jobLog.kind === "ambiguous" ? text("count", reading.jobLog.count) : []),
    ],
    sqlStart: text("sqlStart", sqlStartOf(factsOf(reading)), "minute"),
    child: [
      ...child.processes.flatMap(({ pid, processStart, image }) => [
        ...text("pid", pid, "id"),
        ...text("processStart", processStart, "exact"),
        ...text("image", image),
      ]),
      ...text("reason", child.reason),
    ],
    progress: progressValues(reading),
    journal: journalValues(reading),
    inputs: [
      ...text("count", inputs.length === 0 ? null : inputs.length),
      ...inputs
        .slice(0, INPUTS_SHOWN)
        .flatMap(({ source, sha256 }) => [...text("file", source), ...text("sha256", sha256, "id")]),
    ],
  };
}

function resultValues({ result, journal }: AttemptReading): readonly Value[] {
  const before = "problem" in journal ? null : journal.exited?.resultSha256;
  if (result === null || result.kind === "absent") return text("sha256", before, "id");
  if (result.kind !== "valid") return text("reason", result.detail);
  const { status, resultCode, finishedAt } = result.result;
  return [
    ...text("status", status),
    ...text("code", resultCode),
    ...text("finished", finishedAt, "exact"),
    ...text("sha256", result.sha256, "id"),
  ];
}

function progressValues({ attempt, jobLog }: AttemptReading): readonly Value[] {
  const log = jobLog.kind === "found" ? jobLog.log : null;
  const positive = (count: number | null | undefined): number | null => (count ? count : null);
  return [
    ...text("chunk", attempt.lastSuccessfulChunkNo),
    ...text("lastKey", attempt.lastWrittenKey ?? log?.lastWrittenKey, "id"),
    ...text("written", positive(attempt.writtenCount) ?? positive(log?.writtenCount)),
    ...text("read", positive(attempt.readCount) ?? positive(log?.readCount)),
  ];
}

function journalValues({ journal }: AttemptReading): readonly Value[] {
  if ("problem" in journal) return text("reason", journal.problem);
  const { exited, spawned } = journal;
  return [
    ...text("pid", spawned?.process.pid, "id"),
    ...text("processStart", spawned?.process.processStart, "exact"),
    ...text("exit", exited === null ? null : (exited.exitCode ?? exited.signal ?? exited.launchFailure)),
    ...text("finished", exited?.at, "exact"),
  ];
}
