import type { SystemInspector } from "./inspector/types.ts";
import type { ProcessIdentity } from "./ports.ts";
import { becomesTrue, settledWithin } from "./wait.ts";

/** What a stop needs to know of the process it ends. */
export interface StopTarget {
  readonly identity: ProcessIdentity;
  /** Leader of a group of its own, so that the group can be signalled. */
  readonly ownGroup: boolean;
  readonly exited: Promise<unknown>;
  hasExited(): boolean;
  /** Asks the program to end in order, by whatever way it listens to. */
  askPolitely(): void;
  /** Told before the first forced signal to the process itself. */
  onForce(): void;
  /** Ends the process itself at once; ineffective once it is gone. */
  killRoot(): void;
}

interface Leftovers {
  readonly ours: readonly ProcessIdentity[];
  /** Something below the process can be called neither alive nor gone. */
  readonly unproven: boolean;
}

export interface StopDeps {
  readonly inspector: SystemInspector;
  readonly monotonicMs: () => number;
}

/**
 * Ends a process and everything below it: asked first, by force after `graceMs`, given up after the same time
 * again (orchestration §4.2, "Time limit"). Never rejects. The tree is noted before anything is asked, since
 * a grandchild whose parent has ended can no longer be found through it.
 */
export async function stopTree(target: StopTarget, graceMs: number, deps: StopDeps): Promise<void> {
  if (target.hasExited()) return;
  const noted = new Map<number, ProcessIdentity>();
  const look = (): Leftovers => {
    for (const member of deps.inspector.tree(target.identity).members) noted.set(member.pid, member);
    const seen = [...noted.values()].map((member) => ({
      member,
      kind: deps.inspector.liveness(member).kind,
    }));
    return {
      ours: seen.filter(({ kind }) => kind === "alive-ours").map(({ member }) => member),
      unproven: seen.some(({ kind }) => kind === "cannot-tell"),
    };
  };
  const isOver = ({ ours, unproven }: Leftovers): boolean =>
    target.hasExited() && ours.length === 0 && !unproven;
  const allGone = (): boolean => isOver(look());

  look();
  target.askPolitely();
  const graceEnd = deps.monotonicMs() + graceMs;
  await settledWithin(target.exited, graceMs);
  // Whoever outlived a root that ended in order gets the rest of the same time to end by itself.
  if (target.hasExited() && (await becomesTrue(allGone, graceEnd - deps.monotonicMs(), deps.monotonicMs)))
    return;

  if (!target.hasExited()) target.onForce();
  const force = (): boolean => {
    const left = look();
    if (isOver(left)) return true;
    killNow(target, left.ours);
    return false;
  };
  await becomesTrue(force, graceMs, deps.monotonicMs);
}

/**
 * The number of a collected process may belong to somebody else by now, so the group is signalled only while
 * its leader is uncollected, and every other process only after its creation time was compared.
 */
function killNow(target: StopTarget, members: readonly ProcessIdentity[]): void {
  if (!target.hasExited()) {
    if (target.ownGroup) signal(-target.identity.pid);
    target.killRoot();
  }
  for (const member of members) signal(member.pid);
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already or not ours to end: what is left is found by the next look, not by this answer.
  }
}
