import type { ProcessIdentity } from "../../process/index.ts";
import type { HostFacts } from "./host-facts.ts";
import type { JournalFile } from "./reader.ts";
import type { JournalLine } from "./schema.ts";

type LineOf<Event extends JournalLine["event"]> = Extract<JournalLine, { readonly event: Event }>;

/** What the journal of this data folder knows about one attempt. */
export interface AttemptEvidence {
  readonly intent: LineOf<"intent"> | null;
  readonly spawned: LineOf<"spawned"> | null;
  readonly exited: LineOf<"exited"> | null;
  readonly settled: LineOf<"settled"> | null;
  /** The intent was written on this host, in this boot. Both known, both equal. */
  readonly thisHostAndBoot: boolean;
  /** A line may have been lost: what is not here may have happened nevertheless. */
  readonly mayBeIncomplete: boolean;
}

/** Gathers the lines of one attempt (decisions §3). Pure; the last line of a kind counts. */
export function evidenceOf(
  files: readonly JournalFile[],
  attemptId: string,
  facts: HostFacts,
): AttemptEvidence {
  const mine = files.filter((file) => file.lines.some((line) => carries(line, attemptId)));
  const lines = mine.flatMap((file) => file.lines.filter((line) => carries(line, attemptId)));
  const last = <Event extends JournalLine["event"]>(event: Event): LineOf<Event> | null =>
    lines.findLast((line): line is LineOf<Event> => line.event === event) ?? null;
  const intent = last("intent");
  return {
    intent,
    spawned: last("spawned"),
    exited: last("exited"),
    settled: last("settled"),
    thisHostAndBoot:
      intent !== null &&
      facts.bootId !== null &&
      intent.bootId === facts.bootId &&
      intent.host === facts.host,
    mayBeIncomplete: mine.length === 0 || mine.some((file) => file.lostLines > 0),
  };
}

/** The process that held the Network lock for an invocation, as its own journal told it; null when it did not. */
export function lockOwnerOf(
  files: readonly JournalFile[],
  invocationId: string,
): (HostFacts & { readonly process: ProcessIdentity }) | null {
  const line = files
    .flatMap((file) => file.lines)
    .findLast(
      (candidate): candidate is LineOf<"lock-owner"> =>
        candidate.event === "lock-owner" && candidate.invocationId === invocationId,
    );
  return line === undefined ? null : { host: line.host, bootId: line.bootId, process: line.process };
}

function carries(line: JournalLine, attemptId: string): boolean {
  return "attemptId" in line && line.attemptId === attemptId;
}
