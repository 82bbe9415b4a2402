import { stat } from "node:fs/promises";
import { type ChildTree, type ProcessAttempt, processId } from "../../../shared/api/index.ts";
import {
  type JournaledAttempt,
  type OpenChild,
  type SurvivorsFound,
  workFolderOf,
} from "../../attempt/index.ts";
import type { FollowedChild, ProcessIdentity } from "../../process/index.ts";
import { createBoundedCache } from "../api/bounded-cache.ts";
import { asTree, type ProcessFactsReader } from "./facts.ts";
import type { ChildEvidence } from "./ports.ts";

export interface TreesDeps extends Pick<ChildEvidence, "processes" | "inspector" | "journal" | "workDir"> {
  readonly facts: ProcessFactsReader;
  /** Names of the Run a process works for, where its record is known. */
  readonly runOf: (runId: string) => { readonly networkId: string; readonly businessKey: string } | undefined;
}

/** One root to be looked at. */
interface Root {
  readonly identity: ProcessIdentity;
  readonly attemptId: string | null;
  readonly origin: ChildTree["origin"];
  readonly open: OpenChild | null;
  readonly controlPipe: boolean;
}

export interface Trees {
  read(found: SurvivorsFound): Promise<readonly ChildTree[]>;
  attemptOf(attemptId: string | null): Promise<ProcessAttempt | null>;
}

/** Attempts that are remembered; those of living processes are asked for again and again. */
const KNOWN = 500;

/** The trees below everything this host started, each looked at now (operator-ux §1.1, process view). */
export function createTrees(deps: TreesDeps): Trees {
  // An attempt's intent is written once and never changes; a console that runs for months has seen very many.
  const known = createBoundedCache<JournaledAttempt>(KNOWN);
  const journaled = async (attemptId: string): Promise<JournaledAttempt | null> => {
    const before = known.get(attemptId);
    if (before !== undefined) return before;
    const evidence = await deps.journal.evidenceFor(attemptId).catch(() => null);
    const intent = evidence?.intent ?? null;
    if (intent !== null) known.set(attemptId, intent);
    return intent;
  };
  const attemptOf = async (attemptId: string | null): Promise<ProcessAttempt | null> => {
    const intent = attemptId === null ? null : await journaled(attemptId);
    if (intent === null) return null;
    const { runId, nodeId, jobId, attemptNo } = intent;
    const run = deps.runOf(runId);
    return {
      attemptId: intent.attemptId,
      runId,
      nodeId,
      jobId,
      attemptNo,
      networkId: run?.networkId ?? null,
      businessKey: run?.businessKey ?? null,
    };
  };
  return {
    attemptOf,
    async read(found) {
      for (const { attempt } of everyone(found)) known.set(attempt.attemptId, attempt);
      return Promise.all(
        rootsOf(deps.processes.followed(), found).map(async (root) => ({
          ...treeOf(root, found, deps),
          attempt: await attemptOf(root.attemptId),
          files: await filesOf(root.attemptId, deps.workDir),
        })),
      );
    },
  };
}

const everyone = ({ adopted, elsewhere, leftovers, unclear }: SurvivorsFound): readonly OpenChild[] => [
  ...adopted,
  ...elsewhere,
  ...leftovers,
  ...unclear.map(({ child }) => child),
];

function rootsOf(followed: readonly FollowedChild[], found: SurvivorsFound): readonly Root[] {
  const openOf = new Map(found.adopted.map((open) => [open.attempt.attemptId, open]));
  const ours = followed.map(
    ({ child, attemptId, origin, controlPipe }): Root => ({
      identity: child.identity,
      attemptId,
      origin,
      open: openOf.get(attemptId ?? "") ?? null,
      controlPipe,
    }),
  );
  const other = (origin: ChildTree["origin"], open: OpenChild): Root => ({
    identity: open.process,
    attemptId: open.attempt.attemptId,
    origin,
    open,
    controlPipe: false,
  });
  return [
    ...ours,
    ...found.leftovers.map((open) => other("leftover", open)),
    ...found.unclear.map(({ child }) => other("unclear", child)),
    ...found.elsewhere.map((open) => other("elsewhere", open)),
  ];
}

const IDENTITY = {
  "alive-ours": "verified",
  "alive-another": "another",
  gone: "gone",
  "cannot-tell": "cannotTell",
} as const;

function treeOf(
  root: Root,
  found: SurvivorsFound,
  { inspector, facts }: TreesDeps,
): Omit<ChildTree, "attempt" | "files"> {
  const { identity, attemptId, origin } = root;
  const liveness = inspector.liveness(identity);
  const { members, incomplete } = inspector.tree(identity, attemptId);
  const living = liveness.kind === "alive-ours" ? [identity, ...members] : members;
  const { pid, processStart, image } = identity;
  return {
    id: processId(pid, processStart),
    origin,
    identity: IDENTITY[liveness.kind],
    identityReason: liveness.kind === "cannot-tell" ? liveness.reason : null,
    root: { pid, processStart, image },
    processes: asTree(
      identity,
      living.flatMap((each) => facts.facts(each.pid) ?? []),
    ),
    incomplete:
      incomplete ?? found.unclear.find(({ child }) => child.attempt.attemptId === attemptId)?.reason ?? null,
    parent: parentOf(root, inspector),
    notStoppable: origin === "elsewhere" || origin === "unclear" ? origin : null,
    polite: root.controlPipe ? "pipe" : "signal",
  };
}

/** A child of this console has it for a parent; a survivor the program that its journal names. */
function parentOf({ origin, open }: Root, inspector: TreesDeps["inspector"]): ChildTree["parent"] {
  if (origin === "started") return { pid: process.pid, alive: true, self: true };
  const program = open?.program ?? null;
  if (program === null) return { pid: null, alive: null, self: false };
  const { kind } = inspector.liveness(program);
  const alive = kind === "cannot-tell" ? null : kind === "alive-ours";
  return { pid: program.pid, alive, self: false };
}

async function filesOf(attemptId: string | null, workDir: string): Promise<ChildTree["files"]> {
  if (attemptId === null) return [];
  const { resultPath, stdoutPath, stderrPath } = workFolderOf(workDir, attemptId);
  const places = [
    { kind: "result", path: resultPath },
    { kind: "stdout", path: stdoutPath },
    { kind: "stderr", path: stderrPath },
  ] as const;
  return Promise.all(
    places.map(async (place) => ({
      ...place,
      bytes: (await stat(place.path).catch(() => null))?.size ?? null,
    })),
  );
}
