import type { SystemInspector } from "./inspector/types.ts";
import type { ChildExit, ProcessIdentity, StopFacts, StopOptions } from "./ports.ts";
import { becomesTrue, settledWithin } from "./wait.ts";

/** What a stop needs to know of the process it ends. */
export interface StopTarget {
  readonly identity: ProcessIdentity;
  /** Value of `FLOWNET_ATTEMPT_ID` in its environment, where it has one. */
  readonly token: string | null;
  /** Leader of a group of its own and a child of this program, so that the group can be signalled. */
  readonly ownGroup: boolean;
  readonly exited: Promise<ChildExit>;
  hasExited(): boolean;
  /** Asks the program to end in order, by whatever way it listens to. False: it could not be asked. */
  askPolitely(): Promise<boolean>;
  /** Told before the first forced signal to the process itself. */
  onForce(): void;
  /** Ends the process itself, and where the system can, everything started by it, at once; ineffective once gone. */
  killRoot(): void;
}

interface Leftovers {
  /** The root's exit was collected, or the system knows no such process any more. */
  readonly rootGone: boolean;
  readonly ours: readonly ProcessIdentity[];
  /** Something below the process can be called neither alive nor gone. */
  readonly unproven: readonly ProcessIdentity[];
  /** Why the list of what is below the process may be short, or null. */
  readonly incomplete: string | null;
}

export interface StopDeps {
  readonly inspector: SystemInspector;
  readonly monotonicMs: () => number;
}

/** The system knows of an end before it is collected here; longer than that means that nobody will tell us. */
const COLLECT_MS = 2_000;

/**
 * Ends a process and everything below it: asked first, by force after `graceMs`, given up after the same time
 * again (orchestration §4.2, "Time limit"). Never rejects. The tree is noted before anything is asked, since
 * a grandchild whose parent has ended can no longer be found through it. A root that has ended already is not asked;
 * what it left behind is ended.
 */
export async function stopTree(
  target: StopTarget,
  { graceMs, signal, onForce }: StopOptions,
  deps: StopDeps,
): Promise<StopFacts> {
  const { monotonicMs } = deps;
  const look = lookout(target, deps);
  const isOver = (left: Leftovers): boolean =>
    left.rootGone && left.ours.length === 0 && left.unproven.length === 0;
  let forced = false;
  const answer = async (requested: StopFacts["requested"]): Promise<StopFacts> => {
    const left = look();
    if (left.rootGone) await settledWithin(target.exited, COLLECT_MS, signal);
    const settled = target.hasExited() ? await target.exited : null;
    return { requested, forced, gone: goneOf(target, left), settled };
  };
  const force = (): boolean => {
    const left = look();
    if (isOver(left)) return true;
    if (!forced) onForce?.();
    forced = true;
    if (!target.hasExited()) target.onForce();
    killNow(target, left.ours, deps.inspector);
    return false;
  };

  const first = look();
  if (target.hasExited()) {
    if (!isOver(first)) await becomesTrue(force, graceMs, monotonicMs, signal);
    return answer("needless");
  }
  const graceEnd = monotonicMs() + graceMs;
  const asking = target.askPolitely();
  await settledWithin(target.exited, graceMs, signal);
  // Whoever outlived a root that ended in order gets the rest of the same time to end by itself.
  const over =
    target.hasExited() &&
    (await becomesTrue(() => isOver(look()), graceEnd - monotonicMs(), monotonicMs, signal));
  if (!over && signal?.aborted !== true) await becomesTrue(force, graceMs, monotonicMs, signal);
  return answer((await asking) ? "asked" : "unheard");
}

/** Looks at the tree; whoever was seen below the root once is followed by identity from then on. */
function lookout(target: StopTarget, { inspector }: StopDeps): () => Leftovers {
  const { identity } = target;
  const noted = new Map<string, ProcessIdentity>();
  return () => {
    const { members, incomplete } = inspector.tree(identity, target.token);
    for (const member of members) noted.set(`${member.pid} ${member.processStart}`, member);
    const seen = [...noted.values()].map((member) => ({ member, kind: inspector.liveness(member).kind }));
    const of = (wanted: string): readonly ProcessIdentity[] =>
      seen.filter(({ kind }) => kind === wanted).map(({ member }) => member);
    // An identity without a creation time is gone only when its number is.
    const root = target.hasExited() ? "gone" : inspector.liveness(identity).kind;
    const rootGone = root === "gone" || root === "alive-another";
    return { rootGone, ours: of("alive-ours"), unproven: of("cannot-tell"), incomplete };
  };
}

function goneOf(target: StopTarget, { rootGone, ours, unproven, incomplete }: Leftovers): StopFacts["gone"] {
  const root = rootGone ? [] : [target.identity];
  const left = [...root, ...ours, ...unproven];
  if (left.length > 0) {
    const pids = left.map(({ pid }) => pid).join(", ");
    return { kind: "not-proven", reason: `Not proven to have ended: ${pids}.`, left };
  }
  return incomplete === null ? { kind: "proven" } : { kind: "not-proven", reason: incomplete, left };
}

/**
 * The number of a collected process may belong to somebody else by now, so the group is signalled only while
 * its leader is uncollected, and every other process only after its creation time was compared.
 */
function killNow(target: StopTarget, members: readonly ProcessIdentity[], inspector: SystemInspector): void {
  if (!target.hasExited()) {
    if (target.ownGroup) killGroup(target.identity.pid);
    target.killRoot();
    inspector.end(target.identity);
  }
  for (const member of members) inspector.end(member);
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Gone already: what is left is found by the next look, not by this answer.
  }
}
