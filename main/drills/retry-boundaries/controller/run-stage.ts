import { join } from "node:path";
import { errorText } from "../../../../shared/domain/problem.ts";
import type { ChildArguments } from "../child/arguments.ts";
import type { ChildLine, Noted } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import type { StoredStage } from "../judge/stage-children.ts";
import { DATABASE_FILE, OUTSIDE_FILE, readBack } from "../read-back.ts";
import type { ObservationJournal } from "./observation-journal.ts";
import { type ChildEnd, type ChildProgramFile, type RunningChild, startChild } from "./running-child.ts";

export interface StageDeps {
  readonly suite: string;
  /** Folder of the case, absolute. */
  readonly folder: string;
  readonly file: ChildProgramFile;
  readonly childLimitMs: number;
  readonly journal: ObservationJournal;
  readonly onStderr: (text: string) => void;
  /** Children that are still alive, by name; a held one outlives its stage. */
  readonly alive: Map<string, Watched>;
  /** True once the run was ended from outside; then no further child starts. */
  readonly stopped: () => boolean;
  /** The stage whose lines are being written: a held child speaks again in a later one. */
  readonly current: { case: string; stage: string };
}

export interface Watched {
  readonly child: RunningChild;
  /** Resolves once its end stands in the journal. */
  readonly noted: Promise<void>;
}

/**
 * Does the moves of one stage in order, then reads back (retry-boundaries §4–§6). A child that ends before its
 * hold, or that never comes, is no error here: the lines tell, and the judge compares. Answers why the
 * read-back failed, or null.
 */
export async function runStage(
  definition: StoredCase,
  stage: StoredStage,
  deps: StageDeps,
): Promise<string | null> {
  deps.current.stage = stage.id;
  for (const move of stage.moves) {
    if (!deps.stopped()) await doMove(definition, stage, move, deps);
  }
  try {
    // Closed again before this returns: an open reader makes a COMMIT fail in journal mode DELETE (RB-4).
    const seen = readBack(deps.folder, definition);
    // Noted before anybody compares (RB-5).
    deps.journal.note({ ...deps.current, kind: "readback", ...seen });
    return null;
  } catch (error) {
    return errorText(error).replaceAll(deps.folder, ".");
  }
}

type StoredMove = StoredStage["moves"][number];

async function doMove(
  definition: StoredCase,
  stage: StoredStage,
  move: StoredMove,
  deps: StageDeps,
): Promise<void> {
  if (move.do === "release") {
    const held = deps.alive.get(move.child);
    held?.child.release();
    await held?.noted;
    return;
  }
  const watched = await start(definition, stage, move, deps);
  await (move.do === "hold" ? watched.child.reached(move.points.length) : watched.noted);
}

async function start(
  definition: StoredCase,
  stage: StoredStage,
  move: Exclude<StoredMove, { do: "release" }>,
  deps: StageDeps,
): Promise<Watched> {
  const { journal, current } = deps;
  const stop = move.do === "run" ? move.stop : null;
  const child = await startChild(deps.file, argumentsOf(definition, stage, move, deps), {
    limitMs: deps.childLimitMs,
    onStderr: deps.onStderr,
    onStarted: (pid) => journal.note({ ...current, kind: "child_started", child: move.child, pid, stop }),
    onLine: (line, pid) => journal.note(lineNote(line, { ...current, child: move.child, pid })),
  });
  const watched: Watched = {
    child,
    noted: child.ended.then((end) => {
      deps.alive.delete(move.child);
      journal.note(endNote(end, { ...current, child: move.child, pid: child.pid }));
    }),
  };
  deps.alive.set(move.child, watched);
  return watched;
}

function argumentsOf(
  definition: StoredCase,
  stage: StoredStage,
  move: Exclude<StoredMove, { do: "release" }>,
  deps: StageDeps,
): ChildArguments {
  return {
    suite: deps.suite,
    case: definition.id,
    stage: stage.id,
    child: move.child,
    role: move.role,
    database: join(deps.folder, DATABASE_FILE),
    outside: join(deps.folder, OUTSIDE_FILE),
    stop: (move.do === "run" ? move.stop : null) ?? "none",
  };
}

interface Speaker {
  readonly case: string;
  readonly stage: string;
  readonly child: string;
  readonly pid: number;
}

function lineNote(line: ChildLine, who: Speaker): Noted {
  if ("code" in line) return { ...who, kind: "busy", code: line.code, waited_ms: line.waited_ms };
  return { ...who, kind: "point", point: line.point, child_at: line.at };
}

function endNote(end: ChildEnd, who: Speaker): Noted {
  return {
    ...who,
    kind: "child_exited",
    exit_code: end.exitCode,
    signal: end.signal,
    ended_by_controller: end.endedByController,
    timed_out: end.timedOut,
    unreadable_lines: end.unreadableLines,
    duration_ms: end.durationMs,
    side_files: end.sideFiles,
  };
}
