/**
 * How a child process is started, identified, waited for and stopped. Requested, gone and settled are
 * three facts: a stop that was asked for is not an exit, and an exit is not a result.
 */

/** Who a process is: a bare PID is reused by the system (decisions section 3). */
export interface ProcessIdentity {
  readonly pid: number;
  /** Creation time, ISO-8601 UTC, read from the operating system; null = cannot tell. */
  readonly processStart: string | null;
  /** Path of the image; null = cannot tell. */
  readonly image: string | null;
}

/** What a person may be shown of a process beside its identity. */
export interface ProcessDetails extends ProcessIdentity {
  readonly parentPid: number | null;
  /** As it was given, with everything that looks like a secret hidden; null = cannot tell. */
  readonly commandLine: string | null;
}

export type Liveness =
  | { readonly kind: "alive-ours" }
  | { readonly kind: "alive-another"; readonly found: ProcessIdentity }
  | { readonly kind: "gone" }
  /** Access denied, no creation time, an unsupported system: never read as "stopped". */
  | { readonly kind: "cannot-tell"; readonly reason: string };

export interface ProcessInspector {
  /** Identity of a living process, null when there is none, throws never: unreadable facts are null fields. */
  identify(pid: number): ProcessIdentity | null;
  /** The same with parent and redacted command line, as evidence for people; never compared. */
  details(pid: number): ProcessDetails | null;
  /** Is the process with this identity alive? Compares creation times, not PIDs alone. */
  liveness(identity: ProcessIdentity): Liveness;
  /**
   * Living processes whose environment or command line carries the attempt id (orphans of this host). An
   * empty answer proves nothing by itself: ask {@link ProcessInspector.searchByAttemptId} before deciding on absence.
   */
  findByAttemptId(attemptId: string): readonly ProcessIdentity[];
  /** The same search, saying whether it could look everywhere it had to. */
  searchByAttemptId(attemptId: string): AttemptSearch;
}

/** What a search for the processes of one attempt came to. */
export interface AttemptSearch {
  readonly found: readonly ProcessIdentity[];
  /** Null when every process could be looked at; otherwise why absence is not proven. */
  readonly inconclusive: string | null;
}

export interface ChildSpec {
  /** Absolute path of the program, never a shell; on Windows a batch file too, run by `cmd.exe` with every word quoted. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Files the parent opens; a dead parent or a full pipe never blocks the child. */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** Opens a control pipe and names it in `FLOWNET_CONTROL_PIPE`; only our own runner listens. */
  readonly controlPipe: boolean;
}

export interface ChildExit {
  /** Null when ended by a signal; with `signal` null too: a survivor whose end only its own parent could collect. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** We ended it by force: its result proves nothing any more. */
  readonly forced: boolean;
  readonly stopRequested: boolean;
}

export interface StopOptions {
  /** Milliseconds between the request and force, and again until the stop is given up. */
  readonly graceMs: number;
  /** Gives up waiting: nothing more is done to the child, and the answer tells what is known so far. */
  readonly signal?: AbortSignal;
  /** Told once, before force is first used: the time to end in order is over. */
  readonly onForce?: () => void;
}

/** What a stop came to. A request is no exit, an exit of the root no end of its tree, and neither is a result. */
export interface StopFacts {
  /** `unheard`: there is no way to ask this child, or it failed. `needless`: it had ended before. */
  readonly requested: "asked" | "unheard" | "needless";
  /** Force was used against the root or anything below it. */
  readonly forced: boolean;
  /** Are the root and everything below it verified to be gone? */
  readonly gone:
    | { readonly kind: "proven" }
    | { readonly kind: "not-proven"; readonly reason: string; readonly left: readonly ProcessIdentity[] };
  /** The collected exit of the root; null = not settled. What it means is decided from its result elsewhere. */
  readonly settled: ChildExit | null;
}

export interface Child {
  readonly identity: ProcessIdentity;
  /** Settles once the process is gone; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Polite first, then after `graceMs` by force; resolves when verified gone or after the same time again. Never rejects. */
  stop(options: StopOptions): Promise<StopFacts>;
}

/** A process that outlives this program and is followed by it. */
export interface FollowedChild {
  readonly child: Child;
  /** `adopted`: a survivor of an earlier program, found by its identity. */
  readonly origin: "started" | "adopted";
  /** Value of `FLOWNET_ATTEMPT_ID` it was started with. */
  readonly attemptId: string | null;
  readonly outputPaths: readonly string[];
  /** It can be asked to end over its control pipe; without one only by signal. */
  readonly controlPipe: boolean;
}

/** What a process has used since it was created. A fact that the system does not tell is null. */
export interface ProcessUsage {
  /** Milliseconds of all processors together, user and kernel. */
  readonly cpuMs: number | null;
  /** Bytes in memory. */
  readonly memoryBytes: number | null;
}

export type StartOutcome =
  | { readonly kind: "started"; readonly child: Child }
  /** The system proved that nothing was started (ENOENT, EACCES, EINVAL). */
  | { readonly kind: "launch-failed"; readonly code: string; readonly message: string };

/** What a survivor of an earlier program can be found by (decisions §3). */
export interface Survivor {
  /** From the journal's `spawned` line. */
  readonly identity: ProcessIdentity;
  /** Value of `FLOWNET_ATTEMPT_ID` it was started with: finds what it started, also after its own end. */
  readonly attemptId: string | null;
  /** Its output files, to be kept short from now on. */
  readonly outputPaths: readonly string[];
}

export type AdoptOutcome =
  | { readonly kind: "adopted"; readonly child: Child }
  | Exclude<Liveness, { readonly kind: "alive-ours" }>;

/** A short command run to its end with bounded output, for `capabilities` and the like. */
export interface CommandOutcome {
  readonly exit: ChildExit | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** We were told to give the command up, before or while it ran; how it ended is then our doing. */
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly launchFailure: string | null;
}

export interface ProcessManager {
  start(spec: ChildSpec): Promise<StartOutcome>;
  /** Everything followed now that outlives this program, the longest first. Commands are not among it. */
  followed(): readonly FollowedChild[];
  /** Told of every start, adoption and end at once, without looking at the system. Returns what takes it back. */
  onFollowed(listener: () => void): () => void;
  /**
   * Follows a child of an earlier program by its identity; only one that is proven to be ours is followed. Its control
   * pipe went with that program: it is asked by SIGTERM, on Windows by Ctrl+Break.
   */
  adopt(survivor: Survivor): AdoptOutcome;
  /** What a survivor left behind when it ended, to be ended as a tree; it is not among the followed. */
  leftovers(survivor: Survivor): Child;
  runCommand(
    spec: Omit<ChildSpec, "stdoutPath" | "stderrPath" | "controlPipe">,
    limits: { readonly timeoutMs: number; readonly maxOutputBytes: number; readonly signal?: AbortSignal },
  ): Promise<CommandOutcome>;
  /** Stops every child that was started as a worker of ours; node attempts survive. */
  dispose(): Promise<void>;
}
