import type { Problem } from "../../shared/domain/problem.ts";
import type { Child, ChildExit, ProcessManager, SystemInspector } from "../process/index.ts";
import { problemOf } from "./failure.ts";
import type { AttemptJournal } from "./journal/journal.ts";
import type { OpenChild } from "./journal/open-children.ts";
import type { OrphanJudge } from "./orphan.ts";
import { readResultFile } from "./result-file.ts";
import { workFolderOf } from "./work-folder.ts";

export interface SurvivorsDeps {
  readonly journal: AttemptJournal;
  readonly processes: Pick<ProcessManager, "adopt" | "followed">;
  readonly inspector: Pick<SystemInspector, "liveness" | "tree">;
  readonly workDir: string;
  /** Told of what kept a survivor from being looked for or its end from being journalled. */
  readonly onProblem?: (problem: Problem) => void;
}

/** What one look for survivors came to. */
export interface SurvivorsFound {
  /** Followed by this program from now on. */
  readonly adopted: readonly OpenChild[];
  /** The program that started them lives and follows them itself. */
  readonly elsewhere: readonly OpenChild[];
  /** The root has ended, and something it started lives on. */
  readonly leftovers: readonly OpenChild[];
  /** Whether the root lives cannot be told, so it is not followed. */
  readonly unclear: readonly { readonly child: OpenChild; readonly reason: string }[];
  /** Why nobody could look; null where somebody did. */
  readonly problem: Problem | null;
}

export interface Survivors {
  /**
   * Looks for children that outlived the program that started them and follows them by identity (electron-desktop §4
   * C3, C5). Their end is journalled; what they came to is judged from the records by the next resume, not here. Never
   * rejects: a journal that cannot be read is told as a problem, and nothing is found.
   */
  adopt(): Promise<SurvivorsFound>;
  /** Told when a survivor that this program follows has ended. Returns what takes it back. */
  onEnd(listener: (child: OpenChild) => void): () => void;
}

const NOTHING = { adopted: [], elsewhere: [], leftovers: [], unclear: [] } as const;

/** The survivors of earlier programs on this host (decisions §3): found through the journal, proven by identity. */
export function createSurvivors(deps: SurvivorsDeps): Survivors {
  const listeners = new Set<(child: OpenChild) => void>();
  /** Attempts whose end was journalled here, or is being: a look that comes between must not write it again. */
  const closed = new Set<string>();
  let looking: Promise<SurvivorsFound> | null = null;

  const ended = async (child: OpenChild, exit: ChildExit | null): Promise<void> => {
    const { attemptId } = child.attempt;
    if (closed.has(attemptId)) return;
    // What it left behind is told by the next look; the attempt has not ended before that has.
    if (deps.inspector.tree(child.process, attemptId).members.length === 0) {
      closed.add(attemptId);
      await journalEnd(child, exit, deps);
    }
    for (const listener of listeners) listener(child);
  };
  const look = async (): Promise<SurvivorsFound> => {
    try {
      const open = await deps.journal.openChildren();
      const found = sort(
        open.filter(({ attempt }) => !closed.has(attempt.attemptId)),
        deps,
      );
      for (const { child, open } of found.fresh) void child.exited.then((exit) => ended(open, exit));
      for (const open of found.gone) await ended(open, null);
      return found;
    } catch (error) {
      const problem = problemOf(error, "SURVIVORS_NOT_FOUND");
      deps.onProblem?.(problem);
      return { ...NOTHING, problem };
    }
  };
  return {
    adopt() {
      // One look at a time: two of them would both adopt the same child.
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface Sorted extends SurvivorsFound {
  readonly fresh: readonly { readonly child: Child; readonly open: OpenChild }[];
  readonly gone: readonly OpenChild[];
}

function sort(open: readonly OpenChild[], { processes, inspector, workDir }: SurvivorsDeps): Sorted {
  const followed = new Map(processes.followed().map((each) => [each.attemptId, each]));
  const sorted = {
    adopted: [] as OpenChild[],
    elsewhere: [] as OpenChild[],
    leftovers: [] as OpenChild[],
    unclear: [] as { child: OpenChild; reason: string }[],
    fresh: [] as { child: Child; open: OpenChild }[],
    gone: [] as OpenChild[],
    problem: null,
  };
  for (const each of open) {
    const { attemptId } = each.attempt;
    const known = followed.get(attemptId);
    if (known !== undefined) {
      if (known.origin === "adopted") sorted.adopted.push(each);
      continue;
    }
    // Its own program hears its end and knows its exit code; a second journal line would only know less.
    if (each.program !== null && inspector.liveness(each.program).kind === "alive-ours") {
      // Ours and not followed any more: its end is being judged right now.
      if (each.program.pid !== process.pid) sorted.elsewhere.push(each);
      continue;
    }
    const { stdoutPath, stderrPath } = workFolderOf(workDir, attemptId);
    const outputPaths = [stdoutPath, stderrPath];
    const outcome = processes.adopt({ identity: each.process, attemptId, outputPaths });
    if (outcome.kind === "adopted") {
      sorted.adopted.push(each);
      sorted.fresh.push({ child: outcome.child, open: each });
    } else if (outcome.kind === "cannot-tell") {
      sorted.unclear.push({ child: each, reason: outcome.reason });
    } else {
      const { members } = inspector.tree(each.process, attemptId);
      (members.length > 0 ? sorted.leftovers : sorted.gone).push(each);
    }
  }
  return sorted;
}

/** Without an exit code, which only its own program could have collected. */
async function journalEnd(
  { attempt: { attemptId } }: OpenChild,
  exit: ChildExit | null,
  { journal, workDir, onProblem }: SurvivorsDeps,
): Promise<void> {
  const result = await readResultFile(workFolderOf(workDir, attemptId).resultPath);
  try {
    await journal.append({
      event: "exited",
      attemptId,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      forced: exit?.forced ?? false,
      launchFailure: null,
      resultSha256: "sha256" in result ? result.sha256 : null,
    });
  } catch (error) {
    onProblem?.(problemOf(error, "JOURNAL_WRITE_FAILED"));
  }
}

/**
 * The same judge; a child that it meets alive is followed from then on, so that its output stays short and its end is
 * journalled for as long as this program lives (W-03).
 */
export function adoptingJudge(judge: OrphanJudge, survivors: Pick<Survivors, "adopt">): OrphanJudge {
  return {
    ...judge,
    async judge(attempt) {
      const judgement = await judge.judge(attempt);
      if (judgement.kind === "child-running") await survivors.adopt();
      return judgement;
    },
  };
}
