import type { ProcessIdentity } from "../../process/index.ts";
import type { HostFacts } from "./host-facts.ts";
import type { JournalFile } from "./reader.ts";
import type { JournalLine } from "./schema.ts";

/** What an attempt is, as its intent was journalled. */
export type JournaledAttempt = Pick<
  Extract<JournalLine, { readonly event: "intent" }>,
  "attemptId" | "runId" | "nodeId" | "jobId" | "attemptNo"
>;

/** A child that was started on this host in this boot, and whose end nobody has journalled. */
export interface OpenChild {
  readonly attempt: JournaledAttempt;
  readonly process: ProcessIdentity;
  /** ISO-8601 UTC. */
  readonly spawnedAt: string;
  /** The program that started it, as its own journal names it; null when it never named itself. */
  readonly program: ProcessIdentity | null;
}

/**
 * The children that may have survived the program that started them (decisions §3): spawned here and in this boot,
 * neither exited nor settled in any file. Every program writes a file of its own, so the owner of a lock named in it is
 * the program itself. Pure.
 */
export function openChildrenOf(files: readonly JournalFile[], facts: HostFacts): readonly OpenChild[] {
  const closed = new Set(files.flatMap(({ lines }) => lines.flatMap(closedIn)));
  return files.flatMap(({ lines }) => {
    const program = lines.findLast((line) => line.event === "lock-owner")?.process ?? null;
    return lines.flatMap((line): readonly OpenChild[] => {
      if (line.event !== "spawned" || closed.has(line.attemptId) || !isHere(line, facts)) return [];
      const intent = intentIn(lines, line.attemptId);
      return intent === null ? [] : [{ attempt: intent, process: line.process, spawnedAt: line.at, program }];
    });
  });
}

const closedIn = (line: JournalLine): readonly string[] =>
  line.event === "exited" || line.event === "settled" ? [line.attemptId] : [];

const isHere = (line: JournalLine, { host, bootId }: HostFacts): boolean =>
  bootId !== null && line.bootId === bootId && line.host === host;

function intentIn(lines: readonly JournalLine[], attemptId: string): JournaledAttempt | null {
  for (const line of lines) {
    if (line.event !== "intent" || line.attemptId !== attemptId) continue;
    const { runId, nodeId, jobId, attemptNo } = line;
    return { attemptId, runId, nodeId, jobId, attemptNo };
  }
  return null;
}
